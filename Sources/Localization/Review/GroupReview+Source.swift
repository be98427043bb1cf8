extension GroupReview {
  /// Returns the reason for holding a unit whose `<source>` is not the source text of the key (xcode-formats.md D: "`<source>` not found"), or whose
  /// source text was different at the time of the export. Returns `nil` if there is no such reason.
  func sourceFault(_ unit: ExchangeUnit, _ original: ExchangeText) -> HoldReason? {
    let changed = HoldReason.sourceChanged(original.summary)
    if let record, record.pin != pin { return changed }
    let isTranslationsOwn = source.leaf(at: unit.path) == nil
    guard let given = unit.source else {
      // Xcode omits the source of a form that only the translation has (xcode-formats.md B2.6).
      let isThere = isTranslationsOwn && present?[unit.path] != nil
      return record == nil && !isThere ? .sourceMissing : nil
    }
    // `==` also ignores Unicode normalization, which tools change. How Xcode treats such changes is unknown.
    if !isTranslationsOwn, given.isExactly(original) || given.comparable == original.comparable { return nil }
    let (sent, plain) = (given.comparable, withoutReferenceNumbers(given))
    if exportedSources.contains(where: { $0.comparable == sent || withoutReferenceNumbers($0) == plain }) { return nil }
    // If no export contains the form, Xcode does not accept an id in place of the source text (apple_xcode27 new-target-case-source-identity).
    return isTranslationsOwn && given.isExactly(original) ? .sourceIsID : changed
  }

  /// The source texts that an export writes for the key and the language, and the source's own forms.
  private var exportedSources: [ExchangeText] {
    let paths = ExportShape.paths(of: present, source: source.translation, from: sourceLanguage, for: [language])
    return paths.flatMap { [source.text(at: $0), source.text(at: $0, shapedBy: present)] }
      + source.translation.leaves.map(\.leaf.words)
  }

  /// Returns a text of an export for a comparison. An export numbers the references to only those substitutions that the translation has
  /// (`SourceForms.text(at:shapedBy:)`), and the translation may have changed since then. So the numbers are not part of the source text.
  private func withoutReferenceNumbers(_ text: ExchangeText) -> ExchangeText {
    Translation.catalogText(text, at: .root, arguments: source.translation).comparable
  }
}
