/// The forms in which a round sends a source text.
///
/// Xcode's export keeps the forms of an existing translation. A round keeps them only if the translation has all forms of the source text, and if
/// each of its other forms has a source text and can be compiled. Otherwise, the forms of the translation belong to a former source text. In this
/// case, the unit is sent without its translation, and the returned translation replaces the existing translation as a whole.
package struct SourceShape {
  private let source: SourceForms
  private let sourceLanguage: LocaleIdentifier
  private let language: LocaleIdentifier

  package init(_ source: SourceForms, from sourceLanguage: LocaleIdentifier, for language: LocaleIdentifier) {
    self.source = source
    self.sourceLanguage = sourceLanguage
    self.language = language
  }

  /// Returns whether a translation into the language is sent with its own forms.
  package func isKept(by translation: Translation) -> Bool {
    let original = source.translation
    guard language != sourceLanguage, !(original.isOneText && translation.isOneText) else { return true }
    // The forms of a substitution that the source text lacks would be sent with their ids as source texts.
    guard translation.substitutions.keys.allSatisfy({ original.substitutions[$0] != nil }) else { return false }
    // Plural forms of a text without a number cannot be compiled.
    if !translation.text.pluralNodes.isEmpty, original.text.pluralNodes.isEmpty,
      !CountedArgument.isShown(in: original.text)
    {
      return false
    }
    guard !original.isOneText else { return true }
    let own = Set(paths(of: translation))
    return paths(of: nil).allSatisfy(own.contains)
  }

  /// Returns whether a translation has forms that the source text lacks.
  package func lacksForms(of translation: Translation) -> Bool {
    guard !(source.translation.isOneText && translation.isOneText) else { return false }
    return !places(of: translation).isSubset(of: places(of: nil))
  }

  /// Returns the paths of a translation's forms, completed for the language. A plural category at the end of a path is replaced with `other`. `nil`
  /// means a new translation.
  func places(of translation: Translation?) -> Set<VariationPath> { Set(paths(of: translation).map(\.anyCategory)) }

  private func paths(of translation: Translation?) -> [VariationPath] {
    ExportShape.paths(of: translation, source: source.translation, from: sourceLanguage, for: [language])
  }
}

extension VariationPath {
  /// The path with `other` in place of the plural category at its end, because languages differ in their categories. A path without a plural category
  /// at its end is unchanged.
  var anyCategory: VariationPath {
    guard case .plural? = steps.last else { return self }
    return parent.appending(.plural(.other))
  }
}

extension Translation {
  /// Whether the translation has neither plural forms, forms for devices nor substitutions.
  var isOneText: Bool {
    guard substitutions.isEmpty else { return false }
    return switch text {
    case .text, .phrases: true
    case .plural, .device: false
    }
  }

  /// Returns whether both translations have the same texts in the same forms, regardless of their states.
  func saysSame(as other: Translation) -> Bool {
    mapLeaves { VariedLeaf($1.words, state: .new) } == other.mapLeaves { VariedLeaf($1.words, state: .new) }
  }
}
