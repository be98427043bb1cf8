internal import Localization

extension VariedForm {
  /// Checks that every referenced substitution exists and that every substitution is referenced.
  mutating func checkSubstitutions() {
    var referenced: Set<UnitKey> = []
    for (path, leaf) in translation.leaves {
      guard case .text(let text) = leaf.words else { continue }
      for reference in FormatString(text).references {
        let isDefined = translation.substitutions[reference.name] != nil
        if isDefined { referenced.insert(UnitKey(reference.name)) }
        if !isDefined {
          let message = "Referencing undefined substitution '\(reference.name)'"
          // Apple's compiler checks this only in translations that have substitutions.
          refuse(translation.substitutions.isEmpty ? .warning(message) : .error(message))
        } else if !path.isInSubstitution, path.hasPluralStep {
          refuse(.error("Cannot reference substitution '\(reference.name)' from here because it is not a plain string"))
        }
      }
    }
    for name in translation.substitutions.keys.sorted(by: { UnitKey($0) < UnitKey($1) })
    where !referenced.contains(UnitKey(name)) {
      refuse(
        .warning(
          "Substitution '\(name)' was never referenced. To reference, use %#@\(name)@ in some other string",
          at: [.substitution(name)]))
    }
  }

  /// A plural must show its number. The plurals of the source language are checked, or those of this language if the source language has
  /// none.
  mutating func checkNumbers() {
    let plurals = translation.text.pluralNodes
    guard !plurals.isEmpty else { return }
    let originals = source.translation.text.pluralNodes
    if !(originals.isEmpty ? plurals : originals).contains(where: CountedArgument.isShown) {
      refuse(
        .error(
          "Plural variation requires referencing the number in the string. To maintain grammatical correctness for strings that do not "
            + "reference the number of items, use separate top-level strings for one and greater than one."))
    }
    for plural in plurals {
      guard let counted = CountedArgument(countedBy: plural, source: source), counted.isAmbiguous(in: plural) else {
        continue
      }
      refuse(
        .warning(
          "Cannot reliably infer argument number for plural variation because %\(counted.specifier) is used in multiple positions. "
            + "Use an explicit substitution instead."))
    }
  }
}

extension VariedText {
  /// Every plural in the text: the text itself, or one per device.
  fileprivate var pluralNodes: [VariedText] {
    switch self {
    case .plural: [self]
    case .device(let forms): forms.sorted { $0.key < $1.key }.flatMap { $0.value.pluralNodes }
    case .text, .phrases: []
    }
  }
}

extension VariationPath {
  fileprivate var hasPluralStep: Bool {
    steps.contains { if case .plural = $0 { true } else { false } }
  }
}
