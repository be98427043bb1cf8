/// Why a returned form was not put into the catalog. Nothing held is lost: the caller keeps the unit together with
/// this.
///
/// Coded as `{"code": …, "detail": …}`, so that a store of an older version can be read.
package enum HoldReason: Hashable, Sendable {
  /// The file's `original` names no catalog of the project.
  case unknownCatalog
  /// The file's `original` fits several catalogs.
  case ambiguousCatalog
  /// The file in the project that the unit belongs to, the catalog's or the language's, cannot be read; the place in it and what is wrong.
  case unreadable(String)
  /// The language is none of those that were asked for, or not well formed.
  case unknownLanguage
  /// The project has not this language, but others that differ from it in the region; which. One may be what is meant, or not.
  case otherVariant([String])
  /// The catalog has no such key.
  case unknownKey
  /// The source text is another one now; its text as it stands.
  case sourceChanged(String)
  /// The unit came without `<source>`, and nothing tells which text it translates.
  case sourceMissing
  /// The unit's `<source>` is its id, which says nothing of the text that was translated.
  case sourceIsID
  /// A person left it out.
  case skipped
  /// The unit has no `<target>`: the translator has not done it yet.
  case noTarget
  /// The target is empty and the source is not.
  case emptyTarget
  /// The target's state says that it is not finished; the state as XLIFF spells it.
  case unfinishedState(String)
  /// The arguments are not those of the source; which, in words.
  case placeholdersDiffer(String)
  /// Marks of Markdown or Apple's attributes are broken, so that people would see them; which, in words.
  case markupBroken(String)
  /// The language needs further plural forms, which neither came nor are in the catalog: their paths.
  case missingPluralCase([String])
  /// Other forms that this one is of no use without did not come: their paths (`""` is the text itself).
  case missingForm([String])
  /// The text does not vary this way in this language.
  case formDoesNotFit
  /// The translation was changed in the repository since the export; its text there.
  case changedInRepository(String)
  /// The same id came more than once, with different targets.
  case duplicate
  /// The unit is marked as not to be translated.
  case doNotTranslate
  /// The format refuses to write it, because something that stands there would be lost; what it says.
  case notWritable(String)
  /// The file translates into the source language: source texts are changed in code or in the catalog.
  case sourceLanguage
  /// The vendor was never sent this unit in this language, and the catalog has a translation; its text.
  case neverSent(String)
  /// The pipeline does not send this language to the vendor that returned it.
  case notRouted
  /// Most translations of the bundle equal their source text, this one too, and the pipeline holds such bundles.
  case mostlyUnchanged

  /// Whether the translator simply has not finished: no fault, the unit is still outstanding.
  package var isOutstanding: Bool {
    switch self {
    case .noTarget, .unfinishedState: true
    default: false
    }
  }

  /// Whether a return that is held or passed over for this reason answers nothing, so that its string is sent again.
  package var answersNothing: Bool { isOutstanding || self == .skipped }

  package var code: String { parts.code }
  /// What came with the reason; forms are separated by commas.
  package var detail: String? { parts.detail }

  /// The reason for people: lower case, without a full stop.
  package var sentence: String {
    switch self {
    case .unknownCatalog: "the project does not have this catalog"
    case .ambiguousCatalog: "several catalogs of the project match this path"
    case .unreadable(let fault): "the project's file is unreadable: \(fault)"
    case .unknownLanguage:
      "this language is not one of the pipeline's languages; add it to `languages`, or return the right file"
    case .otherVariant(let names):
      "the project does not have this language, only \(names.joined(separator: ", ")), which may differ from it"
    case .unknownKey: "the catalog does not have this key"
    case .sourceChanged(let text):
      "its <source> is not the current source text “\(text)”; translate that, or restore <source> if a tool changed it"
    case .sourceIsID: "its <source> is its id, so Dragoman cannot tell which text it translates"
    case .skipped: "it was skipped on request"
    case .sourceMissing: "it has no <source>, so Dragoman cannot tell which text it translates"
    case .noTarget: "there is no translation yet"
    case .emptyTarget: "the translation is empty, but the source text is not"
    case .unfinishedState(let state): "the translation is not finished (state “\(state)”)"
    case .placeholdersDiffer(let what): "the placeholders do not match the source text: \(what)"
    case .markupBroken(let what): "it breaks the markup of the source text: \(what)"
    case .missingPluralCase(let paths):
      "it lacks plural forms that the language needs: \(paths.joined(separator: ", "))"
    case .missingForm(let paths):
      "it lacks related forms: \(paths.map { $0.isEmpty ? "the text itself" : $0 }.joined(separator: ", "))"
    case .formDoesNotFit: "the text has no such form in this language"
    case .changedInRepository(let text):
      "the translation in the repository has changed since the export; it is now “\(text)”"
    case .duplicate: "this id occurs more than once, with different translations"
    case .notWritable(let refusal): "Dragoman cannot write it: \(refusal)"
    case .doNotTranslate: "the text is marked “do not translate”"
    case .sourceLanguage: "it translates into the source language; change source texts in code or in the catalog"
    case .neverSent(let text): "it was never sent to this vendor, and the catalog already has a translation: “\(text)”"
    case .notRouted: "the pipeline does not send this language to this vendor"
    case .mostlyUnchanged: "most translations of the bundle, this one included, are the same as their source text"
    }
  }

  private var parts: (code: String, detail: String?) {
    switch self {
    case .unknownCatalog: ("unknownCatalog", nil)
    case .ambiguousCatalog: ("ambiguousCatalog", nil)
    case .unreadable(let fault): ("unreadable", fault)
    case .unknownLanguage: ("unknownLanguage", nil)
    case .otherVariant(let names): ("otherVariant", names.joined(separator: ","))
    case .unknownKey: ("unknownKey", nil)
    case .sourceChanged(let text): ("sourceChanged", text)
    case .sourceMissing: ("sourceMissing", nil)
    case .sourceIsID: ("sourceIsID", nil)
    case .skipped: ("skipped", nil)
    case .noTarget: ("noTarget", nil)
    case .emptyTarget: ("emptyTarget", nil)
    case .unfinishedState(let state): ("unfinishedState", state)
    case .placeholdersDiffer(let what): ("placeholdersDiffer", what)
    case .markupBroken(let what): ("markupBroken", what)
    case .missingPluralCase(let paths): ("missingPluralCase", paths.joined(separator: ","))
    case .missingForm(let paths): ("missingForm", paths.joined(separator: ","))
    case .formDoesNotFit: ("formDoesNotFit", nil)
    case .changedInRepository(let text): ("changedInRepository", text)
    case .duplicate: ("duplicate", nil)
    case .doNotTranslate: ("doNotTranslate", nil)
    case .notWritable(let refusal): ("notWritable", refusal)
    case .sourceLanguage: ("sourceLanguage", nil)
    case .neverSent(let text): ("neverSent", text)
    case .notRouted: ("notRouted", nil)
    case .mostlyUnchanged: ("mostlyUnchanged", nil)
    }
  }

  /// The reason from its stored parts; `nil` for a code that this version does not know.
  package init?(code: String, detail: String?) {
    let detail = detail ?? ""
    let paths = detail.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    switch code {
    case "unknownCatalog": self = .unknownCatalog
    case "ambiguousCatalog": self = .ambiguousCatalog
    case "unreadable": self = .unreadable(detail)
    case "unknownLanguage": self = .unknownLanguage
    case "otherVariant": self = .otherVariant(paths)
    case "unknownKey": self = .unknownKey
    case "sourceChanged": self = .sourceChanged(detail)
    case "sourceMissing": self = .sourceMissing
    case "sourceIsID": self = .sourceIsID
    case "skipped": self = .skipped
    case "noTarget": self = .noTarget
    case "emptyTarget": self = .emptyTarget
    case "unfinishedState": self = .unfinishedState(detail)
    case "placeholdersDiffer": self = .placeholdersDiffer(detail)
    case "markupBroken": self = .markupBroken(detail)
    case "missingPluralCase": self = .missingPluralCase(paths)
    case "missingForm": self = .missingForm(paths)
    case "formDoesNotFit": self = .formDoesNotFit
    case "changedInRepository": self = .changedInRepository(detail)
    case "duplicate": self = .duplicate
    case "doNotTranslate": self = .doNotTranslate
    case "notWritable": self = .notWritable(detail)
    case "sourceLanguage": self = .sourceLanguage
    case "neverSent": self = .neverSent(detail)
    case "notRouted": self = .notRouted
    case "mostlyUnchanged": self = .mostlyUnchanged
    default: return nil
    }
  }
}

extension HoldReason {
  /// The first fault of a file, with its place.
  static func unreadable(_ fault: InputFault) -> HoldReason {
    guard let first = fault.diagnostics.first else { return .unreadable("") }
    return .unreadable("\(first.place): \(first.message)".withVisibleControls)
  }
}

extension HoldReason: Codable {
  private enum CodingKeys: String, CodingKey { case code, detail }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let code = try container.decode(String.self, forKey: .code)
    guard let reason = HoldReason(code: code, detail: try container.decodeIfPresent(String.self, forKey: .detail))
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .code, in: container, debugDescription: "not a reason for holding a unit: \(code)")
    }
    self = reason
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(code, forKey: .code)
    try container.encodeIfPresent(detail, forKey: .detail)
  }
}
