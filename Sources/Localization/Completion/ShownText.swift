extension Translation {
  /// Returns whether an app would show nothing or a raw placeholder where the source has text. Causes are an empty form, a substitution that
  /// the translation references but lacks, and devices without a form. The states of the forms do not matter.
  func lacksText(of source: SourceForms, in language: LocaleIdentifier) -> Bool {
    lacksDevice(of: source.translation) || hasEmptyForm(unlike: source.translation, in: language)
      || !unresolvedReferences.subtracting(source.translation.unresolvedReferences).isEmpty
  }

  /// Returns whether a form that the language needs is wrongly empty. A form may be empty if the source's text, or the same substitution in
  /// the source, also has an empty form, because endings such as the plural `s` are empty in some languages. A form of only white space is
  /// allowed if the source text has white space at both ends, such as ` at `, because some languages omit such a word.
  private func hasEmptyForm(unlike source: Translation, in language: LocaleIdentifier) -> Bool {
    let needed = PluralRules.neededCategories(of: language)
    let empty = leaves.filter { $0.path.isNeeded(needed) && mayShowNothing($0.leaf, in: needed) }
    guard !empty.isEmpty else { return false }
    return empty.contains { path, leaf in
      let forms = source.leaves.filter { $0.path.substitution == path.substitution }
      return !forms.isEmpty
        && !forms.contains { form in
          source.mayShowNothing(form.leaf) || leaf.words.isWhiteSpace && form.leaf.words.isBetweenSpaces
        }
    }
  }

  /// Returns whether a form is empty or may become empty. A form that shows nothing but substitutions may become empty if each of them has an empty
  /// form.
  /// - Parameter categories: the plural categories whose forms are checked; `nil` for all.
  private func mayShowNothing(_ leaf: VariedLeaf, in categories: [PluralCategory]? = nil) -> Bool {
    guard !leaf.words.showsNothing else { return true }
    guard !substitutions.isEmpty, case .text(let text) = leaf.words else { return false }
    let parts = FormatString(text).parts
    return parts.allSatisfy { part in
      switch part {
      case .literal(let text): text.unicodeScalars.allSatisfy(\.showsNothing)
      case .reference(let reference): mayShowNothing(reference.name, in: categories)
      default: false
      }
    }
  }

  private func mayShowNothing(_ substitution: String, in categories: [PluralCategory]?) -> Bool {
    leaves.contains { path, leaf in
      path.substitution == substitution && leaf.words.showsNothing && (categories.map(path.isNeeded) ?? true)
    }
  }

  /// The substitutions that a form references but the translation does not have.
  private var unresolvedReferences: Set<String> { Set(references.filter { substitutions[$0] == nil }) }

  /// Returns whether the text or a substitution has forms for devices but no fallback, and lacks a form for a device for which the source has a text.
  private func lacksDevice(of source: Translation) -> Bool {
    text.lacksDevice(of: source.text)
      || substitutions.contains { name, substitution in
        source.substitutions[name].map { substitution.forms.lacksDevice(of: $0.forms) } ?? false
      }
  }
}

extension ExchangeText {
  private var characters: String {
    switch self {
    case .text(let text): text
    case .phrases(let phrases): phrases.joined()
    }
  }

  /// Whether the text consists only of white space and invisible characters.
  var showsNothing: Bool { characters.unicodeScalars.allSatisfy(\.showsNothing) }

  fileprivate var isWhiteSpace: Bool {
    let characters = characters
    return !characters.isEmpty && characters.allSatisfy(\.isWhitespace)
  }

  fileprivate var isBetweenSpaces: Bool {
    let characters = characters
    return characters.first?.isWhitespace == true && characters.last?.isWhitespace == true
  }
}

extension Unicode.Scalar {
  /// Whether the character is white space or invisible: a control or format character such as a direction mark or a soft hyphen, a Hangul
  /// filler, or the blank Braille pattern. A text of only such characters shows nothing.
  package var showsNothing: Bool {
    let properties = self.properties
    return properties.isWhitespace || properties.isDefaultIgnorableCodePoint || properties.generalCategory == .control
      || self == "\u{2800}"
  }
}

extension VariedText {
  fileprivate func lacksDevice(of source: VariedText) -> Bool {
    guard case .device(let own) = self, own[.other] == nil else { return false }
    // A text that does not vary is shown on all devices.
    guard case .device(let all) = source else { return true }
    return all.keys.contains { own[$0] == nil }
  }
}

extension VariationPath {
  /// The substitution of the form; `nil` for a form of the text itself.
  fileprivate var substitution: String? {
    if case .substitution(let name)? = steps.first { name } else { nil }
  }

  /// Returns whether a language with these plural categories shows the form. In every language, `zero` is shown for 0 if there is such a
  /// form.
  func isNeeded(_ categories: [PluralCategory]) -> Bool {
    steps.allSatisfy { step in
      if case .plural(let category) = step { category == .zero || categories.contains(category) } else { true }
    }
  }
}
