package import Localization

/// The rules by which returned units are held before the review of their texts: units that were not sent to the vendor, and units whose
/// texts are untranslated, in another language, damaged, or lack terms of the glossary.
///
/// A unit that was never sent may be outdated, so it is accepted for an empty entry, but does not replace a translation.
package struct ReturnPolicy: Sendable {
  let routes: VendorRoutes
  /// Vendors with `unchanged: hold`.
  let holdsUnchanged: Set<String>
  /// Vendors with `other_language: hold`.
  let holdsOtherLanguages: Set<String>
  /// Vendors whose texts are compared with their source for damage.
  let checksTexts: Set<String>
  /// The repairs that are applied to each vendor's texts.
  let repairs: [String: Set<TransferCheck.Repair>]
  private let terms: TermCheck
  /// Whether texts that lack a term are held.
  let holdsTerms: Bool

  /// - Parameter terms: the terms of the glossary, for the project's source language.
  init(_ context: PipelineContext, terms: TermCheck) {
    self.terms = terms
    holdsTerms = context.definition.glossary?.missing == .hold
    routes = context.routes
    holdsUnchanged = Set(context.vendors.filter { $0.definition.unchanged == .hold }.map(\.name))
    holdsOtherLanguages = Set(context.vendors.filter { $0.definition.otherLanguage == .hold }.map(\.name))
    checksTexts = Set(context.vendors.filter(\.definition.checksTexts).map(\.name))
    repairs = Dictionary(context.vendors.map { ($0.name, $0.definition.repair) }) { first, _ in first }
  }

  init(
    routes: VendorRoutes, holdsUnchanged: Set<String> = [], holdsOtherLanguages: Set<String> = [],
    checksTexts: Set<String> = [], repairs: [String: Set<TransferCheck.Repair>] = [:], terms: TermCheck = TermCheck(),
    holdsTerms: Bool = false
  ) {
    self.holdsOtherLanguages = holdsOtherLanguages
    self.checksTexts = checksTexts
    self.repairs = repairs
    self.terms = terms
    self.holdsTerms = holdsTerms
    self.routes = routes
    self.holdsUnchanged = holdsUnchanged
  }

  /// Returns why a unit is held without a review of its texts, if it was not sent to the vendor.
  /// - Parameters:
  ///   - catalog: the unit's catalog, under its newest name.
  ///   - wasSent: whether this unit was sent to the vendor in this language.
  ///   - present: the translation in the catalog.
  ///   - came: the returned forms. If the catalog already has exactly these texts, nothing is replaced.
  /// - Returns: the reason for holding the unit; `nil` if its texts must be reviewed first.
  func refusal(
    of language: LocaleIdentifier, in catalog: TreePath, from vendor: String, wasSent: Bool, present: Translation?,
    came: [ExchangeUnit] = []
  ) -> HoldReason? {
    guard !wasSent else { return nil }
    guard routes.route(for: language, of: catalog)?.contains(vendor) == true else { return .notRouted }
    guard let present, !present.hasNoText else { return nil }
    let isThere = { (unit: ExchangeUnit) in
      unit.target.map { target in present[unit.path]?.words.isExactly(target.text) ?? false } ?? true
    }
    guard came.isEmpty || !came.allSatisfy(isThere) else { return nil }
    return .neverSent(present.leaves.map(\.leaf.words.plain).joined(separator: "\n"))
  }

  /// Returns the reason why a returned text does not follow the glossary; `nil` if the text follows the glossary or is not finished.
  func termFault(of unit: ExchangeUnit, in language: LocaleIdentifier) -> HoldReason? {
    guard case .text(let source)? = unit.source, let target = unit.target, target.finishedState != nil,
      case .text(let text) = target.text, !text.isEmpty
    else { return nil }
    return terms.fault(of: text, for: source, in: language).map(HoldReason.termMissing)
  }

  /// Returns a file in the form that is recorded: texts that go to another vendor next become `needs_review`.
  /// - Parameter file: a file with the newest name of its catalog.
  func drafted(_ file: ExchangeFile, from vendor: String) -> ExchangeFile {
    guard routes.haveSteps, let catalog = TreePath(checking: file.original),
      routes.route(for: file.targetLanguage, of: catalog)?.isDraft(from: vendor) == true
    else { return file }
    var drafted = file
    drafted.units = file.units.map { unit in
      guard let target = unit.target, target.finishedState != nil else { return unit }
      var unit = unit
      unit.target = ExchangeTarget(
        target.text, state: "needs-review-translation", stateQualifier: ExchangeTarget.takenForReview,
        translator: target.translator)
      return unit
    }
    return drafted
  }

  /// Returns whether most translations of a bundle equal their source texts, as in a file that was saved without being translated; `false`
  /// for fewer than 3 translations, because names and numbers are often the same in two languages.
  static func isMostlyUnchanged(_ units: some Sequence<ExchangeUnit>) -> Bool {
    var count = UnchangedCount()
    for unit in units { count.add(unit.source, unit.target?.text) }
    return count.isMost
  }

  private struct UnchangedCount {
    var unchanged = 0
    var all = 0

    var isMost: Bool { all >= 3 && unchanged * 2 > all }

    mutating func add(_ source: ExchangeText?, _ target: ExchangeText?) {
      guard let target, let source, !target.isEmpty else { return }
      all += 1
      if target.repeats(source) { unchanged += 1 }
    }
  }

  /// Returns a warning if a bundle has units, and none of them has a translation; otherwise `nil`.
  package static func untranslatedWarning(
    _ files: [ExchangeFile], in bundle: String, hint: @autoclosure () -> String
  ) -> Diagnostic? {
    let count = files.reduce(0) { $0 + $1.units.count }
    guard count > 0, files.allSatisfy({ $0.units.allSatisfy { $0.target == nil } }) else { return nil }
    return Diagnostic(
      path: bundle, severity: .warning,
      message: count == 1 ? "its 1 unit has no translation" : "none of its \(count) units has a translation",
      hint: hint())
  }

  /// Returns a warning for each language in which most translations of a bundle equal their source texts. Languages are checked separately,
  /// because a bundle may have several languages of which one was not translated.
  package static func unchangedWarnings(
    _ files: [ExchangeFile], in bundle: String, hint: @autoclosure () -> String
  ) -> [Diagnostic] {
    var counts: [LocaleIdentifier: UnchangedCount] = [:]
    // Units are accessed by index, because they are large and copying each would take longer than the comparison.
    for file in files {
      let units = file.units
      var count = counts[file.targetLanguage] ?? UnchangedCount()
      for index in units.indices { count.add(units[index].source, units[index].target?.text) }
      counts[file.targetLanguage] = count
    }
    return counts.filter(\.value.isMost).sorted { $0.key < $1.key }.map { language, count in
      let units = files.filter { $0.targetLanguage == language }.reduce(0) { $0 + $1.units.count }
      let into = counts.count == 1 ? "" : " into \(language)"
      return Diagnostic(
        path: bundle, severity: .warning,
        message: "\(count.unchanged) of \(units) translations\(into) are the same as their source text. "
          + "Was this file translated?",
        hint: hint())
    }
  }
}

extension ExchangeUnit {
  /// Whether the target equals the source text. White space at both ends and invisible characters are ignored, because tools add or drop
  /// them.
  var isUnchanged: Bool {
    guard let target = target?.text, let source else { return false }
    return target.repeats(source)
  }
}

extension ExchangeText {
  fileprivate func repeats(_ source: ExchangeText) -> Bool {
    if isExactly(source) { return true }
    guard case .text(let own) = self, case .text(let other) = source, abs(own.utf8.count - other.utf8.count) < 16 else {
      return false
    }
    // Most texts differ in one of their first characters, so a comparison without copies comes first.
    guard own.drawn.elementsEqual(other.drawn) else { return false }
    return own.trimmedBytes.elementsEqual(other.trimmedBytes) || own.shown.isExactly(other.shown)
  }
}

extension String {
  /// The bytes without ASCII white space and control characters at both ends.
  fileprivate var trimmedBytes: Substring.UTF8View {
    let start = utf8.drop { $0 <= 0x20 }
    guard let end = start.lastIndex(where: { $0 > 0x20 }) else { return start[start.endIndex...] }
    return start[...end]
  }

  /// The characters that are drawn: all except white space, ASCII control characters and invisible characters.
  fileprivate var drawn: LazyFilterSequence<UnicodeScalarView> {
    unicodeScalars.lazy.filter { $0.isASCII ? $0.value > 0x20 : !$0.properties.isWhitespace && !$0.isInvisible }
  }

  /// The text without white space at both ends and without invisible characters.
  fileprivate var shown: String {
    let scalars = unicodeScalars.filter { !$0.isInvisible }
    let start = scalars.drop { $0.properties.isWhitespace }
    let end = start.lastIndex { !$0.properties.isWhitespace }
    return end.map { String(String.UnicodeScalarView(start[...$0])) } ?? ""
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is a zero-width space, a word joiner or a byte order mark, which tools add and drop.
  fileprivate var isInvisible: Bool { value == 0x200B || value == 0x2060 || value == 0xFEFF }
}
