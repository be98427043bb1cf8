/// The reason why a returned form was not put into the catalog. The caller stores or reports the unit with this reason, so no translation is lost.
///
/// Encoded as `{"code": …, "detail": …}`. Reasons that older versions stored can still be read.
package enum HoldReason: Hashable, Sendable {
  /// No catalog of the project matches the file's `original`.
  case unknownCatalog
  /// The catalog exists, but the pipeline's `extract.paths` leave it out.
  case catalogOutsidePaths
  /// Several catalogs match the file's `original`.
  case ambiguousCatalog
  /// The project's file for the unit (the catalog or the language's file) cannot be read. Contains the location and the fault.
  case unreadable(String)
  /// The language was not requested, or is malformed. Contains the requested languages, if they were limited.
  case unknownLanguage([String])
  /// The project has the language only for other regions, and the text may belong to one of them. Contains the project's languages.
  case otherVariant([String])
  /// The catalog does not have this key.
  case unknownKey
  /// The unit's `<source>` is not the current source text, or the source text has changed since the unit was sent. Contains the current text.
  case sourceChanged(String)
  /// The unit has no `<source>`, so it is unknown which text was translated.
  case sourceMissing
  /// The unit's `<source>` is its id, so it is unknown which text was translated.
  case sourceIsID
  /// A person chose to skip the unit.
  case skipped
  /// The unit has no `<target>` yet.
  case noTarget
  /// The target is empty, but the source is not.
  case emptyTarget
  /// The target's state marks it as unfinished. Contains XLIFF's name of the state.
  case unfinishedState(String)
  /// The arguments differ from the source's. Contains the difference.
  case placeholdersDiffer(String)
  /// The arguments differ from the source's in a way that could crash the app. Not even a person can accept the text. Contains the
  /// difference.
  case placeholdersUnsafe(String)
  /// The Markdown or Apple's attributes are broken, so users would see the markup characters. Contains the fault.
  case markupBroken(String)
  /// The language needs further plural forms that neither arrived nor are in the catalog. Contains their paths.
  case missingPluralCase([String])
  /// The form is a plural form of a text that shows no number. Xcode does not compile a catalog with such a form.
  case pluralWithoutNumber
  /// The text is longer than its comment allows. Contains a message with both lengths.
  case tooLong(String)
  /// The vendor's system damaged the text. Contains a message about the damage.
  case altered(String)
  /// Most texts of the bundle, including this text, are in another language. Contains a message with the evidence.
  case otherLanguage(String)
  /// Forms that this form requires did not arrive. Contains their paths (`""` is the path of the text itself).
  case missingForm([String])
  /// The text cannot vary in this way, would have too many forms, or does not reference the form's substitution.
  case formDoesNotFit
  /// The translation in the repository changed after the export. Contains its current text.
  case changedInRepository(String)
  /// The same id occurs more than once with different targets. Contains a message with two of these targets.
  case duplicate(String)
  /// The unit is marked as not translatable.
  case doNotTranslate
  /// The form cannot be written: the format cannot express it or would lose existing content, or the catalog would have too many languages. Contains
  /// the explanation.
  case notWritable(String)
  /// The file translates into the source language. Source texts can be changed only in code or in the catalog.
  case sourceLanguage
  /// The unit was not sent to the vendor in this language, and the catalog already has a translation. Contains the translation.
  case neverSent(String)
  /// The unit was not sent to the vendor that returned the form, and the pipeline does not send this language of this catalog to the vendor.
  case notRouted
  /// Most translations of the bundle, including this translation, equal their source text, and the pipeline holds such bundles.
  case mostlyUnchanged
  /// The translation lacks the glossary's translation of a term, and the pipeline holds such units. Contains a message about the term.
  case termMissing(String)
  /// A person removed the delivered translation from the catalog, replaced it, or marked it as needing review. Contains the commit and its
  /// author.
  case removed(Removal)

  package struct Removal: Hashable, Sendable {
    /// The commit's full id.
    package var commit: String
    package var author: String

    package init(commit: String, author: String) {
      self.commit = commit
      self.author = author
    }
  }

  /// The commit that removed, replaced or marked the translation, and its author; `nil` unless the reason is `removed`.
  package var removal: Removal? { if case .removed(let removal) = self { removal } else { nil } }

  /// Whether the translator has not finished yet. This is not a fault, and the unit is still outstanding.
  package var isOutstanding: Bool {
    switch self {
    case .noTarget, .unfinishedState: true
    default: false
    }
  }

  /// Whether a unit that is held or passed over for this reason counts as unanswered and is sent again.
  package var answersNothing: Bool { isOutstanding || self == .skipped }

  package var code: String { parts.code }
  /// The contents of the reason; `nil` if there are none. The values of a list are separated by commas, and a commit and its author by a space.
  package var detail: String? { parts.detail }

  /// A message about the reason, in lower case and without a full stop.
  package var sentence: String {
    switch self {
    case .unknownCatalog: "the project does not have this catalog"
    case .catalogOutsidePaths:
      "the catalog is outside the `extract.paths` of this pipeline; return the file to the pipeline that has the "
        + "catalog, or add the catalog to `extract.paths`"
    case .ambiguousCatalog: "several catalogs of the project match this path"
    case .unreadable(let fault): "the project's file is unreadable: \(fault)"
    case .unknownLanguage(let names):
      "this language is not one of the pipeline's languages"
        + (names.isEmpty ? "" : " (\(names.joined(separator: ", ")))")
        + "; add it to `languages`, or return the right file"
    case .otherVariant(let names):
      "the project does not have this language, but has \(names.joined(separator: ", ")), which may not be the same"
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
    case .placeholdersUnsafe(let what):
      "the placeholders do not match the source text: \(what); this could crash the app, so it cannot be accepted"
    case .markupBroken(let what): "it breaks the markup of the source text: \(what)"
    case .tooLong(let what): "it is too long: \(what)"
    case .altered(let what): "it was damaged in transit: \(what)"
    case .otherLanguage(let what): "most translations of the bundle are in another language: \(what)"
    case .missingPluralCase(let paths):
      "it lacks plural forms that the language needs: \(paths.joined(separator: ", "))"
    case .pluralWithoutNumber:
      "it is a plural form, but the text shows no number, and Xcode does not compile such a catalog; return one text for the key"
    case .missingForm(let paths):
      "it lacks related forms: \(paths.map { $0.isEmpty ? "the text itself" : $0 }.joined(separator: ", "))"
    case .formDoesNotFit: "the text has no such form in this language"
    case .changedInRepository(let text):
      "the translation in the repository has changed since the export; it is now “\(text)”"
    case .duplicate(let what):
      "this id occurs more than once, with different translations" + (what.isEmpty ? "" : ": \(what)")
    case .notWritable(let refusal): "Dragoman cannot write it: \(refusal)"
    case .doNotTranslate: "the text is marked “do not translate”"
    case .sourceLanguage: "it translates into the source language; change source texts in code or in the catalog"
    case .neverSent(let text): "it was never sent to this vendor, and the catalog already has a translation: “\(text)”"
    case .notRouted: "the pipeline does not send this language to this vendor"
    case .mostlyUnchanged: "most translations of the bundle, this one included, are the same as their source text"
    case .termMissing(let what): "it does not follow the glossary: \(what)"
    case .removed(let removal):
      "\(removal.author.isEmpty ? "somebody" : removal.author) removed it from the catalog, put another text in its place, or marked it as needing review, in commit \(removal.commit.prefix(10))"
    }
  }

  private var parts: (code: String, detail: String?) {
    switch self {
    case .unknownCatalog: ("unknownCatalog", nil)
    case .catalogOutsidePaths: ("catalogOutsidePaths", nil)
    case .ambiguousCatalog: ("ambiguousCatalog", nil)
    case .unreadable(let fault): ("unreadable", fault)
    case .unknownLanguage(let names): ("unknownLanguage", names.isEmpty ? nil : names.joined(separator: ","))
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
    case .placeholdersUnsafe(let what): ("placeholdersUnsafe", what)
    case .markupBroken(let what): ("markupBroken", what)
    case .tooLong(let what): ("tooLong", what)
    case .altered(let what): ("altered", what)
    case .otherLanguage(let what): ("otherLanguage", what)
    case .missingPluralCase(let paths): ("missingPluralCase", paths.joined(separator: ","))
    case .pluralWithoutNumber: ("pluralWithoutNumber", nil)
    case .missingForm(let paths): ("missingForm", paths.joined(separator: ","))
    case .formDoesNotFit: ("formDoesNotFit", nil)
    case .changedInRepository(let text): ("changedInRepository", text)
    case .duplicate(let what): ("duplicate", what)
    case .doNotTranslate: ("doNotTranslate", nil)
    case .notWritable(let refusal): ("notWritable", refusal)
    case .sourceLanguage: ("sourceLanguage", nil)
    case .neverSent(let text): ("neverSent", text)
    case .notRouted: ("notRouted", nil)
    case .mostlyUnchanged: ("mostlyUnchanged", nil)
    case .termMissing(let what): ("termMissing", what)
    case .removed(let removal): ("removed", "\(removal.commit) \(removal.author)")
    }
  }

  /// Restores the reason from its stored parts. Returns `nil` for a code that this version does not support.
  package init?(code: String, detail: String?) {
    let detail = detail ?? ""
    let paths = detail.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    switch code {
    case "unknownCatalog": self = .unknownCatalog
    case "catalogOutsidePaths": self = .catalogOutsidePaths
    case "ambiguousCatalog": self = .ambiguousCatalog
    case "unreadable": self = .unreadable(detail)
    case "unknownLanguage": self = .unknownLanguage(paths.filter { !$0.isEmpty })
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
    case "placeholdersUnsafe": self = .placeholdersUnsafe(detail)
    case "markupBroken": self = .markupBroken(detail)
    case "tooLong": self = .tooLong(detail)
    case "altered": self = .altered(detail)
    case "otherLanguage": self = .otherLanguage(detail)
    case "missingPluralCase": self = .missingPluralCase(paths)
    case "pluralWithoutNumber": self = .pluralWithoutNumber
    case "missingForm": self = .missingForm(paths)
    case "formDoesNotFit": self = .formDoesNotFit
    case "changedInRepository": self = .changedInRepository(detail)
    case "duplicate": self = .duplicate(detail)
    case "doNotTranslate": self = .doNotTranslate
    case "notWritable": self = .notWritable(detail)
    case "sourceLanguage": self = .sourceLanguage
    case "neverSent": self = .neverSent(detail)
    case "notRouted": self = .notRouted
    case "mostlyUnchanged": self = .mostlyUnchanged
    case "termMissing": self = .termMissing(detail)
    case "removed":
      let parts = detail.split(separator: " ", maxSplits: 1).map(String.init)
      self = .removed(Removal(commit: parts.first ?? "", author: parts.count > 1 ? parts[1] : ""))
    default: return nil
    }
  }
}

extension HoldReason {
  /// Returns the reason for a file that cannot be read, with the file's first fault and its location.
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
