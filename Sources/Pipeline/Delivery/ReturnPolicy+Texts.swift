import Localization

/// Checks and repairs of returned texts before their review.
extension ReturnPolicy {
  /// The approximate number of texts from which the language of a bundle is determined.
  private static let sample = 200

  /// Returns a file after the repairs that are set for its vendor, and the number of repaired texts.
  func repaired(_ file: ExchangeFile, from vendor: String) -> (file: ExchangeFile, count: Int) {
    guard let repairs = repairs[vendor], !repairs.isEmpty else { return (file, 0) }
    var (repaired, count) = (file, 0)
    for index in file.units.indices {
      guard case .text(let source)? = file.units[index].source, case .text(let text)? = file.units[index].target?.text
      else { continue }
      let better = TransferCheck.repaired(text, of: source, in: file.targetLanguage, by: repairs)
      guard !better.isExactly(text) else { continue }
      repaired.units[index].target?.text = .text(better)
      count += 1
    }
    return (repaired, count)
  }

  /// Returns the damage to a returned text by a vendor's system; `nil` if there is none, if the text is not finished, or if
  /// the vendor's texts are not checked.
  func transferFault(of unit: ExchangeUnit, in language: LocaleIdentifier, from vendor: String) -> HoldReason? {
    guard checksTexts.contains(vendor), case .text(let source)? = unit.source, let target = unit.target,
      target.finishedState != nil, case .text(let text) = target.text
    else { return nil }
    return TransferCheck.fault(of: text, against: source, in: language).map(HoldReason.altered)
  }

  /// Returns a message about a link, address or tag that a finished text lost, added or changed; `nil` if there is none.
  static func markupLoss(of unit: ExchangeUnit) -> String? {
    guard case .text(let source)? = unit.source, let target = unit.target, target.finishedState != nil,
      case .text(let text) = target.text, !text.isEmpty
    else { return nil }
    return MarkupCheck.loss(of: text, against: source)
  }

  /// Returns whether most finished translations of a bundle, or of a sample of a large bundle, are in the wrong language; `false` if fewer
  /// than 3 translations are, because names and loanwords are often the same in two languages.
  static func isInOtherLanguage(_ units: [ExchangeUnit], _ language: LocaleIdentifier) -> Bool {
    var (foreign, all) = (0, 0)
    for index in stride(from: 0, to: units.count, by: max(units.count / sample, 1)) {
      guard let target = units[index].target, target.finishedState != nil, !target.text.isEmpty,
        !units[index].isUnchanged
      else { continue }
      all += 1
      if languageFault(of: units[index], language) != nil { foreign += 1 }
    }
    return foreign >= 3 && foreign * 2 > all
  }

  /// Returns the evidence that a translation is in the wrong language; `nil` if there is none.
  static func languageFault(of unit: ExchangeUnit, _ language: LocaleIdentifier) -> String? {
    guard case .text(let source)? = unit.source, case .text(let text)? = unit.target?.text else { return nil }
    return LanguageEvidence.fault(of: words(of: text), source: words(of: source), in: language)
  }

  /// Returns the text without its placeholders, because their letters are not words.
  private static func words(of text: String) -> String {
    FormatString(text).parts.map { part in if case .literal(let text) = part { text } else { " " } }.joined()
  }

  /// Returns a warning for the first language of a bundle whose translations are mostly in another language; `nil` if there is none.
  static func languageWarning(
    _ files: [ExchangeFile], in bundle: String, hint: @autoclosure () -> String
  ) -> Diagnostic? {
    let languages = Dictionary(grouping: files, by: \.targetLanguage).sorted { $0.key < $1.key }
    guard let (language, _) = languages.first(where: { isInOtherLanguage($0.value.flatMap(\.units), $0.key) }) else {
      return nil
    }
    return Diagnostic(
      path: bundle, severity: .warning,
      message: "most translations into \(language) seem to be in another language. Was the right file returned?",
      hint: hint())
  }
}
