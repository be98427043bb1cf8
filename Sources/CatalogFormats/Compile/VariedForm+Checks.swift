internal import Localization

extension VariedForm {
  /// Checks that every referenced substitution exists, that plural forms of the text reference no substitution, and that every substitution is
  /// referenced.
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
        } else if !path.mayReferenceSubstitutions {
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

  /// Adds a warning for each text with a control character or another character that XML does not allow. Apple's compiler writes such characters
  /// unescaped, and Apple's reader accepts them.
  mutating func checkCharacters() {
    for (path, leaf) in translation.leaves {
      guard let found = leaf.texts.lazy.compactMap(\.firstBeyondXML).first else { continue }
      let name = "U+" + String(found.value, radix: 16, uppercase: true)
      refuse(.warning("The text has the control character \(name), which most XML parsers reject", at: path))
    }
  }

  /// Adds an error if none of the text's plural forms shows the number. If the source text has plural forms, these are checked instead. Also adds a
  /// warning for each plural whose argument cannot be identified.
  mutating func checkNumbers() {
    if translation.lacksNumber(of: source) {
      refuse(
        .error(
          "Plural variation requires referencing the number in the string. To maintain grammatical correctness for strings that do not "
            + "reference the number of items, use separate top-level strings for one and greater than one."))
    }
    for plural in translation.text.pluralNodes {
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
