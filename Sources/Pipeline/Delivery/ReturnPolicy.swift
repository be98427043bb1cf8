package import Localization

/// Which returned units are held before anybody looks at their texts, because the vendor was not asked for them or gave back what it got.
///
/// A unit that was never sent could be of any age: it may fill an empty entry, but never replaces a translation.
package struct ReturnPolicy: Sendable {
  let routes: VendorRoutes
  /// Vendors whose bundles are held where most of their targets equal the source.
  let holdsUnchanged: Set<String>

  init(_ context: PipelineContext) {
    routes = context.routes
    holdsUnchanged = Set(context.vendors.filter { $0.definition.unchanged == .hold }.map(\.name))
  }

  init(routes: VendorRoutes, holdsUnchanged: Set<String> = []) {
    self.routes = routes
    self.holdsUnchanged = holdsUnchanged
  }

  /// - Parameters:
  ///   - wasSent: whether the vendor was sent this very unit in this language.
  ///   - present: the translation that the catalog has.
  ///   - came: the forms that came back. What the catalog has already, word for word, replaces nothing.
  /// - Returns: why the unit is held; `nil` where its texts decide.
  func refusal(
    of language: LocaleIdentifier, from vendor: String, wasSent: Bool, present: Translation?, came: [ExchangeUnit] = []
  ) -> HoldReason? {
    guard !wasSent else { return nil }
    guard routes.vendor(for: language) == vendor else { return .notRouted }
    guard let present, present.leaves.contains(where: { !$0.leaf.words.isEmpty }) else { return nil }
    let isThere = { (unit: ExchangeUnit) in
      unit.target.map { target in present[unit.path]?.words.isExactly(target.text) ?? false } ?? true
    }
    guard came.isEmpty || !came.allSatisfy(isThere) else { return nil }
    return .neverSent(present.leaves.map(\.leaf.words.plain).joined(separator: "\n"))
  }

  /// Whether most of a bundle's finished targets equal their source, as of a file that was saved without being translated. A few units say
  /// nothing: names and numbers are often the same in two languages.
  static func isMostlyUnchanged(_ units: some Sequence<ExchangeUnit>) -> Bool {
    var (unchanged, all) = (0, 0)
    for unit in units {
      guard let target = unit.target?.text, let source = unit.source, !target.isEmpty else { continue }
      all += 1
      if target.isExactly(source) { unchanged += 1 }
    }
    return all >= 3 && unchanged * 2 > all
  }

  /// Says that most of a bundle came back as it was sent; `nil` where that is not so.
  package static func unchangedWarning(
    _ units: [ExchangeUnit], in bundle: String, hint: @autoclosure () -> String
  ) -> Diagnostic? {
    guard isMostlyUnchanged(units) else { return nil }
    let count = units.count(where: \.isUnchanged)
    return Diagnostic(
      path: bundle, severity: .warning,
      message: "\(count) of \(units.count) translations are the same as their source text. Was this file translated?",
      hint: hint())
  }
}

extension ExchangeUnit {
  /// Whether the target is the source text.
  var isUnchanged: Bool {
    guard let target = target?.text, let source else { return false }
    return target.isExactly(source)
  }
}

extension ExchangeText {
  var isEmpty: Bool {
    switch self {
    case .text(let text): text.isEmpty
    case .phrases(let phrases): phrases.allSatisfy(\.isEmpty)
    }
  }

  /// Phrases one below the other.
  var plain: String {
    switch self {
    case .text(let text): text
    case .phrases(let phrases): phrases.joined(separator: "\n")
    }
  }
}
