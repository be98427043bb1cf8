/// The state of a text in one language. Unknown states of newer Xcode versions are kept as written.
///
/// The raw value is the name in String Catalogs. Other formats map their own names of states to these values.
package struct TranslationState: RawRepresentable, Hashable, Sendable, Codable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let translated = TranslationState(rawValue: "translated")
  package static let needsReview = TranslationState(rawValue: "needs_review")
  package static let new = TranslationState(rawValue: "new")
  package static let machineTranslated = TranslationState(rawValue: "machine_translated")
}

/// One text with its state: the `stringUnit` of a String Catalog. Texts are equal only if they have the same code points.
package struct StringUnit: Hashable, Sendable {
  package var state: TranslationState
  package var value: String

  package init(state: TranslationState, value: String) {
    self.state = state
    self.value = value
  }

  package static func == (a: Self, b: Self) -> Bool { a.state == b.state && a.value.isExactly(b.value) }
}

/// Several phrases with one state: the `stringSet` of an App Shortcut. The number of phrases may differ by language.
package struct PhraseSet: Hashable, Sendable {
  package var state: TranslationState
  package var values: [String]

  package init(state: TranslationState, values: [String]) {
    self.state = state
    self.values = values
  }

  package static func == (a: Self, b: Self) -> Bool {
    a.state == b.state && a.values.count == b.values.count && zip(a.values, b.values).allSatisfy { $0.isExactly($1) }
  }
}

/// A text, or its forms along one axis. Forms for devices may vary further by plural category.
package enum VariedText: Hashable, Sendable {
  case text(StringUnit)
  case phrases(PhraseSet)
  case plural([PluralCategory: VariedText])
  case device([Device: VariedText])
}

/// An argument of a text with its own plural or device forms. The text references it as `%#@name@`.
package struct Substitution: Hashable, Sendable {
  /// The number of the argument, counted from 1; `nil` if the translation does not declare it.
  package var argumentNumber: Int?
  /// The format specifier without `%`, such as `lld`; `nil` if the translation does not declare it.
  package var formatSpecifier: String?
  /// The forms, in which `%arg` represents the argument.
  package var forms: VariedText

  package init(argumentNumber: Int?, formatSpecifier: String?, forms: VariedText) {
    self.argumentNumber = argumentNumber
    self.formatSpecifier = formatSpecifier
    self.forms = forms
  }
}

/// All forms of one text unit in one language.
package struct Translation: Hashable, Sendable {
  package var text: VariedText
  package var substitutions: [String: Substitution]

  package init(text: VariedText, substitutions: [String: Substitution] = [:]) {
    self.text = text
    self.substitutions = substitutions
  }

  /// Creates a translation without variations.
  package init(_ value: String, state: TranslationState = .translated) {
    self.init(text: .text(StringUnit(state: state, value: value)))
  }
}
