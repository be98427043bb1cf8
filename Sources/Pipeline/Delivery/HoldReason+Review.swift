package import Localization

extension HoldReason {
  /// Whether the reason is that the pipeline does not have the string or its catalog.
  package var saysStringIsGone: Bool { [.unknownKey, .unknownCatalog, .catalogOutsidePaths].contains(self) }

  /// Whether another translation at the vendor can release the unit.
  var concernsTranslation: Bool {
    switch self {
    case .emptyTarget, .placeholdersDiffer, .placeholdersUnsafe, .markupBroken, .missingPluralCase,
      .pluralWithoutNumber, .tooLong, .altered, .otherLanguage, .missingForm, .formDoesNotFit, .mostlyUnchanged,
      .termMissing, .notWritable:
      true
    default: false
    }
  }

  /// Whether a change of the pipeline file can release the unit on the same commit.
  var dependsOnDefinition: Bool {
    switch self {
    case .catalogOutsidePaths, .neverSent, .notRouted, .mostlyUnchanged, .unknownLanguage, .otherVariant, .termMissing:
      true
    default: false
    }
  }
}
