package import Localization

extension HoldReason {
  /// Whether the reason is that the pipeline does not have the string or its catalog.
  package var saysStringIsGone: Bool { [.unknownKey, .unknownCatalog, .catalogOutsidePaths].contains(self) }

  /// Whether the unit can be accepted after the vendor returns another translation.
  var concernsTranslation: Bool {
    switch self {
    case .emptyTarget, .placeholdersDiffer, .placeholdersUnsafe, .markupBroken, .missingPluralCase,
      .pluralWithoutNumber, .tooLong, .altered, .otherLanguage, .missingForm, .formDoesNotFit, .mostlyUnchanged,
      .termMissing, .notWritable:
      true
    default: false
    }
  }

  /// Whether the unit can be accepted on the same commit after a change of the pipeline file or of the glossary.
  var dependsOnDefinition: Bool {
    switch self {
    case .catalogOutsidePaths, .neverSent, .notRouted, .mostlyUnchanged, .unknownLanguage, .otherVariant, .termMissing:
      true
    default: false
    }
  }
}
