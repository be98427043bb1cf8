internal import Foundation
package import Localization

/// A text with its plural forms, as platforms keep it.
package enum PlatformText: Hashable, Sendable {
  case plain(String)
  /// By category; a platform that knows plurals shows them as one string.
  case plural([PluralCategory: String])

  package var texts: [String] {
    switch self {
    case .plain(let text): [text]
    case .plural(let forms): Array(forms.values)
    }
  }
}

extension String {
  /// Whether a platform may store one text as the other: many normalize line ends, tabs, surrounding white space or Unicode
  /// characters.
  func isKept(as other: String) -> Bool {
    // Swift compares strings by canonical equivalence, so Unicode normalization makes no difference.
    self == other || asKept == other.asKept
  }

  private var asKept: Substring {
    let text = replacing("\r\n", with: "\n").replacing("\r", with: "\n").replacing("\t", with: " ")
    let begun = text.drop(while: \.isWhitespace)
    return begun.lastIndex { !$0.isWhitespace }.map { begun[...$0] } ?? ""
  }
}

/// One string of a platform: a text unit, or one of its forms if the platform cannot keep the forms together (devices, substitutions).
package struct PlatformString: Hashable, Sendable {
  /// The catalog's path. Platforms with files, contexts or namespaces keep it apart from the name.
  package var catalog: TreePath
  /// The key as XLIFF writes it (``PlatformID/name(of:at:in:)``), unique in its catalog.
  package var name: String
  package var unit: UnitKey
  /// The path of the text in its unit, without the plural category if ``source`` contains all forms.
  package var path: VariationPath
  package var source: PlatformText
  /// The developer's comment.
  package var comment: String?
  /// The language of ``source``.
  package var sourceLanguage: LocaleIdentifier
  /// How long translations may be, as the platform counts; 0 if a limit of ours is to be removed, `nil` if there is nothing to set.
  package var maxLength: Int?

  package init(
    catalog: TreePath, name: String, unit: UnitKey, path: VariationPath, source: PlatformText, comment: String?,
    sourceLanguage: LocaleIdentifier
  ) {
    self.catalog = catalog
    self.name = name
    self.unit = unit
    self.path = path
    self.source = source
    self.comment = comment
    self.sourceLanguage = sourceLanguage
    maxLength = nil
  }

  /// Catalog and name in one, for platforms that identify strings only by name: `App/Localizable.xcstrings::%lld birds`.
  package var id: PlatformID { PlatformID(catalog: catalog, name: name) }
}

/// The name of a string, unique over all catalogs.
package struct PlatformID: Hashable, Comparable, Sendable {
  package var catalog: TreePath
  package var name: String

  package init(catalog: TreePath, name: String) {
    self.catalog = catalog
    self.name = name
  }

  /// A form of a unit.
  init(_ unit: UnitID, at path: VariationPath = .root) {
    self.init(catalog: unit.catalog, name: Self.name(of: unit.key, at: path, in: unit.catalog.text))
  }

  /// The name of a form of a unit: as XLIFF writes it (`ExchangeIdentifier`). A name that is not in composed form (NFC) ends in a digest,
  /// because platforms, and dictionaries of names, treat names that differ only by Unicode normalization as equal.
  static func name(of key: UnitKey, at path: VariationPath, in catalog: String) -> String {
    let name = ExchangeIdentifier.text(key: key, path: path, in: catalog)
    // Marks that compose with others begin at U+0300.
    guard name.unicodeScalars.contains(where: { $0.value >= 0x300 }),
      !name.precomposedStringWithCanonicalMapping.isExactly(name)
    else { return name }
    return "\(name)~\(ContentDigest.hexadecimal(of: Array(name.utf8)).prefix(8))"
  }

  /// The name of a variant.
  /// - Parameter text: names the text: a digest in hexadecimal.
  static func variant(of name: String, text: String) -> String { "\(name)~\(text.prefix(8))" }

  /// The name for platforms without files or contexts. A name that is too long is cut and ends in a digest of the whole.
  /// - Parameter limit: in UTF-8 bytes; at least 60.
  package func text(limit: Int = 1000) -> String { Self.short("\(catalog)::\(name)", limit: limit) }

  /// A text that is too long is cut and ends in a digest of the whole.
  /// - Parameter limit: in UTF-8 bytes; at least 60.
  static func short(_ whole: String, limit: Int) -> String {
    guard whole.utf8.count > limit else { return whole }
    let digest = ContentDigest.hexadecimal(of: Array(whole.utf8)).prefix(16)
    var cut = whole
    while cut.utf8.count > limit - 18 { cut.removeLast() }
    return "\(cut)~\(digest)"
  }

  package static func < (a: Self, b: Self) -> Bool { (a.catalog, a.name) < (b.catalog, b.name) }
}

/// The state of a translation at a platform, from worst to best.
package enum PlatformState: Int, Comparable, Hashable, Sendable, CaseIterable {
  /// A suggestion that was not accepted, or an automatic translation.
  case suggested
  /// Needs to be checked: fuzzy, unverified.
  case needsReview
  case translated
  /// Reviewed, approved, proofread.
  case reviewed

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// A translation as a platform returns it.
package struct PlatformTranslation: Hashable, Sendable {
  package var id: PlatformID
  /// The platform's current source text, which shows whether the translation was made for the text that was sent; `nil` if unknown.
  package var source: PlatformText?
  package var text: PlatformText
  package var state: PlatformState
  /// Who made it; `nil` if the platform does not report it.
  package var translator: Translator?
  /// The platform's own id of the text, if the platform returns its translator only on request.
  package var reference: String?
  /// Why the platform's text cannot be read, as a message. Such a translation is reported and not taken.
  package var fault: String?
  /// The translation of another source text that this one may replace. If it is `nil`, this one is entered only where none exists.
  package var replaces: PlatformText?

  /// Whether this translation may be entered in place of what the platform has.
  func mayReplace(_ stored: PlatformText) -> Bool { stored.isEmpty || stored == replaces }

  package init(
    id: PlatformID, source: PlatformText?, text: PlatformText, state: PlatformState, translator: Translator? = nil,
    reference: String? = nil, fault: String? = nil
  ) {
    self.id = id
    self.source = source
    self.text = text
    self.state = state
    self.translator = translator
    self.reference = reference
    self.fault = fault
  }
}

/// A length limit at a platform.
package enum StoredLimit: Hashable, Sendable {
  case unlimited
  case characters(Int)

  /// - Parameter number: 0 and `nil` mean no limit.
  package init(_ number: Int?) { self = number.map { $0 > 0 ? .characters($0) : .unlimited } ?? .unlimited }
}

/// A string that a platform has already.
package struct StoredString: Hashable, Sendable {
  package var source: PlatformText
  package var comment: String?
  /// Whether it is hidden or archived; a push shows it again.
  package var isArchived: Bool
  /// The length limit at the platform, as the platform counts; `nil` if it does not report one.
  package var limit: StoredLimit?

  package init(source: PlatformText, comment: String?, isArchived: Bool = false, limit: StoredLimit? = nil) {
    self.source = source
    self.comment = comment
    self.isArchived = isArchived
    self.limit = limit
  }
}
