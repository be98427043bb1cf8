extension HoldReason {
  /// Whether Xcode would write a unit that is held for this reason (docs/decisions/0014).
  package var isTakenByXcode: Bool {
    switch self {
    case .emptyTarget, .placeholdersDiffer, .placeholdersUnsafe, .markupBroken, .tooLong, .altered, .otherLanguage,
      .missingPluralCase, .pluralWithoutNumber, .missingForm, .changedInRepository, .doNotTranslate, .notWritable,
      .otherVariant, .neverSent, .notRouted, .mostlyUnchanged, .termMissing, .removed:
      true
    default: false
    }
  }

  /// Describes how Xcode handles such a unit (xcode-formats.md D). The text begins in lower case and has no full stop. Quotations are from
  /// Xcode's log.
  /// - Parameter path: the unit's form.
  package func inXcode(at path: VariationPath) -> String {
    switch self {
    // For overlapping device units, Xcode's behaviour was not observed.
    case .missingForm where path.hasDevice: "Xcode's behaviour is unknown"
    case .sourceChanged where path.isRoot: "Xcode's behaviour is unknown"
    case .skipped: "Xcode imports every unit"
    case .unknownCatalog, .ambiguousCatalog: "Xcode skips the file, with a warning"
    case .unknownLanguage: "Xcode rejects files in unknown languages"
    case .otherVariant: "Xcode would add the language"
    case .unknownKey: "Xcode skips it: “Key not found in the project”"
    case .sourceChanged, .sourceMissing, .sourceIsID: "Xcode skips it: “Ignoring overrides for top-level key”"
    case .noTarget: "Xcode keeps the existing translation: “No translation found in the XLIFF”"
    case .emptyTarget: "Xcode would write the empty text"
    case .unfinishedState: "Xcode ignores it: “Target has unfinished state”"
    case .placeholdersDiffer, .placeholdersUnsafe, .markupBroken, .tooLong, .altered, .otherLanguage, .doNotTranslate,
      .notRouted, .mostlyUnchanged, .termMissing, .removed:
      "Xcode would write it"
    case .pluralWithoutNumber: "Xcode would write it, but then could not compile the catalog"
    case .missingPluralCase, .missingForm: "Xcode would add the missing forms as new, with the source text"
    case .changedInRepository, .neverSent: "Xcode would overwrite it"
    case .notWritable: "Xcode would write it and lose part of the existing entry"
    case .catalogOutsidePaths, .unreadable, .formDoesNotFit, .duplicate, .sourceLanguage: "Xcode's behaviour is unknown"
    }
  }
}

extension VariationPath {
  fileprivate var hasDevice: Bool {
    steps.contains { if case .device = $0 { true } else { false } }
  }
}
