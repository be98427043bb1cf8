internal import Foundation
package import Localization

/// A text in the form in which platforms store it: a plain text, or the plural forms of a text.
package enum PlatformText: Hashable, Sendable {
  case plain(String)
  /// The forms by category. A platform with support for plurals shows the forms as one string.
  case plural([PluralCategory: String])

  package var texts: [String] {
    switch self {
    case .plain(let text): [text]
    case .plural(let forms): Array(forms.values)
    }
  }
}

extension String {
  /// Returns whether the two texts are equal, or differ only in ways in which platforms change texts. Many platforms normalize line ends, tabs,
  /// surrounding white space or Unicode characters.
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
  /// The catalog's path. Platforms with files, contexts or namespaces keep the path separate from the name.
  package var catalog: TreePath
  /// The key as XLIFF writes it (``PlatformID/name(of:at:in:)``), unique in its catalog.
  package var name: String
  package var unit: UnitKey
  /// The path of the text in its unit, without the plural category if ``source`` contains all forms.
  package var path: VariationPath
  package var source: PlatformText
  /// The comment for translators: the developer's comment and, with the option `places`, the source files that use the string.
  package var comment: String?
  /// The language of ``source``.
  package var sourceLanguage: LocaleIdentifier
  /// The maximum length of translations, counted as the platform counts it; 0 removes a limit that we set, and `nil` changes nothing.
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

  /// The name of the string, unique across all catalogs.
  package var id: PlatformID { PlatformID(catalog: catalog, name: name) }
}

/// The name of a string, unique across all catalogs.
package struct PlatformID: Hashable, Comparable, Sendable {
  package var catalog: TreePath
  package var name: String

  package init(catalog: TreePath, name: String) {
    self.catalog = catalog
    self.name = name
  }

  /// Creates the name of a form of a unit.
  init(_ unit: UnitID, at path: VariationPath = .root) {
    self.init(catalog: unit.catalog, name: Self.name(of: unit.key, at: path, in: unit.catalog.text))
  }

  /// Returns the name of a form of a unit, as XLIFF writes it (`ExchangeIdentifier`). A name that is not in composed form (NFC) ends in a
  /// digest, because platforms and Swift dictionaries treat names that differ only by Unicode normalization as equal.
  static func name(of key: UnitKey, at path: VariationPath, in catalog: String) -> String {
    let name = ExchangeIdentifier.text(key: key, path: path, in: catalog)
    // Combining marks begin at U+0300.
    guard name.unicodeScalars.contains(where: { $0.value >= 0x300 }),
      !name.precomposedStringWithCanonicalMapping.isExactly(name)
    else { return name }
    return "\(name)~\(ContentDigest.hexadecimal(of: Array(name.utf8)).prefix(8))"
  }

  /// Returns the name of a variant of a string.
  /// - Parameters:
  ///   - name: the name of the string without variants.
  ///   - text: the digest that identifies the variant's text, in hexadecimal.
  static func variant(of name: String, text: String) -> String { "\(name)~\(text.prefix(8))" }

  /// Returns catalog and name in one text, for platforms without files or contexts: `App/Localizable.xcstrings::%lld birds`. A name that is
  /// too long is cut and ends in a digest of the whole name.
  /// - Parameter limit: the maximum length in UTF-8 bytes; at least 60.
  package func text(limit: Int = 1000) -> String { Self.short("\(catalog)::\(name)", limit: limit) }

  /// Returns the text. A text that is too long is cut and ends in a digest of the whole text.
  /// - Parameter limit: the maximum length in UTF-8 bytes; at least 60.
  static func short(_ whole: String, limit: Int) -> String {
    guard whole.utf8.count > limit else { return whole }
    let digest = ContentDigest.hexadecimal(of: Array(whole.utf8)).prefix(16)
    var cut = whole
    while cut.utf8.count > limit - 18 { cut.removeLast() }
    return "\(cut)~\(digest)"
  }

  package static func < (a: Self, b: Self) -> Bool { (a.catalog, a.name) < (b.catalog, b.name) }
}

/// The state of a translation at a platform. The cases are in ascending order.
package enum PlatformState: Int, Comparable, Hashable, Sendable, CaseIterable {
  /// A suggestion that was not accepted, or an automatic translation.
  case suggested
  /// A translation that a person must check: fuzzy or unverified.
  case needsReview
  case translated
  /// A translation that was reviewed, approved or proofread.
  case reviewed

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// A translation that a platform returns, or that is entered at a platform.
package struct PlatformTranslation: Hashable, Sendable {
  package var id: PlatformID
  /// The source text of the translation: for a returned translation, the platform's current source text, which shows whether the translation was made
  /// for the text that was sent; `nil` if unknown.
  package var source: PlatformText?
  package var text: PlatformText
  package var state: PlatformState
  /// The person who made the translation; `nil` if the platform does not report a person.
  package var translator: Translator?
  /// The platform's id of the text, if the platform returns the translator only in a separate request.
  package var reference: String?
  /// A message about a translation that cannot be read; `nil` if it can be read. An unreadable translation is reported, and is not returned.
  package var fault: String?
  /// The platform's translation of another source text, which this translation may replace. If `nil`, this translation is entered only where the
  /// platform has no translation.
  package var replaces: PlatformText?

  /// Returns whether this translation may replace the platform's text.
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

/// A string that already exists at a platform.
package struct StoredString: Hashable, Sendable {
  package var source: PlatformText
  package var comment: String?
  /// Whether the string is hidden or archived. If the string is pushed again, it becomes visible.
  package var isArchived: Bool
  /// The platform's length limit, counted as the platform counts it; `nil` if the platform does not report limits.
  package var limit: StoredLimit?

  package init(source: PlatformText, comment: String?, isArchived: Bool = false, limit: StoredLimit? = nil) {
    self.source = source
    self.comment = comment
    self.isArchived = isArchived
    self.limit = limit
  }
}
