/// Finds incoming forms that would leave a text incomplete: half a plural, a text without what it names, devices
/// without a text.
struct FormCompleteness {
  let source: SourceForms
  let present: Translation?
  let language: LocaleIdentifier

  /// - Parameters:
  ///   - translation: as it would be.
  ///   - paths: the incoming forms in it.
  /// - Returns: the reason for each form, by its position, that is of no use as things are.
  func faults(of translation: Translation, taking paths: [VariationPath]) -> [Int: HoldReason] {
    var reasons: [Int: HoldReason] = [:]
    let lacking = Dictionary(grouping: PluralCheck.missing(in: translation, for: language)) { $0.parent }
    for (position, path) in paths.enumerated() {
      if let missing = lacking[path.parent], case .plural? = path.steps.last {
        reasons[position] = .missingPluralCase(missing.map(\.text))
      }
    }
    guard reasons.isEmpty else { return reasons }
    let named = Set(translation.references.map { UnitKey($0) })
    let absent = named.filter {
      translation.substitutions[$0.text] == nil && source.translation.substitutions[$0.text] != nil
    }
    if !absent.isEmpty {
      let missing = absent.sorted().flatMap { neededForms(of: $0.text) }
      for (position, path) in paths.enumerated() where !path.isInSubstitution {
        reasons[position] = .missingForm(missing.map(\.text))
      }
    }
    guard present == nil else { return reasons }
    // A language that had nothing: what the source has must come as a whole.
    let hasText = paths.contains { !$0.isInSubstitution }
    let unnamed = unnamed(in: translation, taking: paths)
    let devices = hasText ? missingDevices(in: translation) : []
    for (position, path) in paths.enumerated() {
      if path.isInSubstitution, !hasText {
        reasons[position] = .missingForm([""])
      } else if !path.isInSubstitution, !devices.isEmpty {
        reasons[position] = .missingForm(devices.map(\.text))
      } else if let reason = unnamed[position] {
        reasons[position] = reason
      }
    }
    return reasons
  }

  /// The forms of substitutions that the text of a language that had nothing does not name: they would never show.
  func unnamed(in translation: Translation, taking paths: [VariationPath]) -> [Int: HoldReason] {
    guard present == nil, paths.contains(where: \.isInSubstitution) else { return [:] }
    let named = Set(translation.references.map { UnitKey($0) })
    // A source text that mentions it in a way that is not read (`%1#@birds@`) tells nothing about the translation.
    let expected = Set(source.translation.references.map { UnitKey($0) })
    var reasons: [Int: HoldReason] = [:]
    for (position, path) in paths.enumerated() {
      guard case .substitution(let name)? = path.steps.first, !named.contains(UnitKey(name)),
        expected.contains(UnitKey(name))
      else { continue }
      reasons[position] = .formDoesNotFit
    }
    return reasons
  }

  /// The devices that the source text tells apart and the translation does not, unless it has a fallback.
  private func missingDevices(in translation: Translation) -> [VariationPath] {
    guard case .device(let own) = translation.text, own[.other] == nil, case .device(let all) = source.translation.text
    else {
      return []
    }
    return all.keys.filter { own[$0] == nil }.sorted().map { [.device($0)] }
  }

  private func neededForms(of name: String) -> [VariationPath] {
    PluralRules.neededCategories(of: language).map { [.substitution(name), .plural($0)] }
  }
}

extension VariationPath {
  package var isInSubstitution: Bool {
    if case .substitution? = steps.first { true } else { false }
  }

  /// The path without its last step; the root's is the root.
  package var parent: VariationPath { VariationPath(Array(steps.dropLast())) }
}

extension Translation {
  /// The names of the substitutions that any form mentions; those of a `.stringsdict` mention each other.
  var references: [String] { leaves.flatMap { $0.leaf.texts }.flatMap { FormatString($0).references.map(\.name) } }
}
