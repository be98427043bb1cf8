/// How far a text in one language is. Open: a state of a newer Xcode is kept as it is written.
///
/// The raw value is the String Catalog's own spelling; other formats map to it once, in their own folder.
package struct TranslationState: RawRepresentable, Hashable, Sendable, Codable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let translated = TranslationState(rawValue: "translated")
  package static let needsReview = TranslationState(rawValue: "needs_review")
  package static let new = TranslationState(rawValue: "new")
  package static let machineTranslated = TranslationState(rawValue: "machine_translated")
}

/// One text with its state: the `stringUnit` of a String Catalog. Texts are equal only when they are the same code
/// points.
package struct StringUnit: Hashable, Sendable {
  package var state: TranslationState
  package var value: String

  package init(state: TranslationState, value: String) {
    self.state = state
    self.value = value
  }

  package static func == (a: Self, b: Self) -> Bool { a.state == b.state && a.value.isExactly(b.value) }
}

/// Several phrases with one state: the `stringSet` of an App Shortcut. `values` may differ in number by language.
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

/// A text, or its forms by one axis, each of which may vary further (device, then plural).
package enum VariedText: Hashable, Sendable {
  case text(StringUnit)
  case phrases(PhraseSet)
  case plural([PluralCategory: VariedText])
  case device([Device: VariedText])
}

/// An argument of a text that has plural or device forms of its own; the text names it `%#@name@`.
package struct Substitution: Hashable, Sendable {
  /// The number of the argument, from 1; absent where the text has only this one.
  package var argumentNumber: Int?
  /// The format specifier without `%`: `lld`.
  package var formatSpecifier: String?
  /// The forms. In them `%arg` stands for the argument.
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

  /// A translation that does not vary.
  package init(_ value: String, state: TranslationState = .translated) {
    self.init(text: .text(StringUnit(state: state, value: value)))
  }
}
