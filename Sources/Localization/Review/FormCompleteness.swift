/// Finds returned forms with which a translation would be incomplete, because plural forms, substitutions or the text for a device would be missing.
struct FormCompleteness {
  let source: SourceForms
  let present: Translation?
  let language: LocaleIdentifier

  /// Returns the reasons for holding forms that cannot be used, by the indices of the forms.
  /// - Parameters:
  ///   - translation: the translation after the import.
  ///   - paths: the paths of the incoming forms in the translation.
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
    // If the language has no translation yet, all forms of the source must arrive together.
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

  /// Returns the reasons for holding forms of substitutions that a new translation does not reference, by the indices of the forms. Such forms would
  /// never be shown.
  func unnamed(in translation: Translation, taking paths: [VariationPath]) -> [Int: HoldReason] {
    guard present == nil, paths.contains(where: \.isInSubstitution) else { return [:] }
    let named = Set(translation.references.map { UnitKey($0) })
    // A substitution whose reference in the source text cannot be parsed (`%1#@birds@`) is not expected in the translation either.
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

  /// Returns the devices for which the source text has a separate form but the translation has neither a form nor a fallback.
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

  /// Whether a form at the path may reference substitutions. Xcode's compiler refuses references in plural forms of the text itself.
  package var mayReferenceSubstitutions: Bool {
    isInSubstitution || !steps.contains { if case .plural = $0 { true } else { false } }
  }

  /// The path without its last step. The root is its own parent.
  package var parent: VariationPath { VariationPath(Array(steps.dropLast())) }
}

extension Translation {
  /// Returns whether a form at the path can show a text: the form may reference substitutions, and the translation has all that the text references.
  func canShow(_ leaf: VariedLeaf, at path: VariationPath) -> Bool {
    let names = leaf.references
    return names.isEmpty || path.mayReferenceSubstitutions && names.allSatisfy { substitutions[$0] != nil }
  }

  /// The substitutions that any form references. Substitutions of a `.stringsdict` can reference each other.
  var references: [String] { leaves.flatMap(\.leaf.references) }
}
