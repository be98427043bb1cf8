/// The forms in which a round sends a source text, and whether a translation has them.
///
/// Xcode's export keeps the shape of an existing translation. In a round, a translation keeps its shape only if all forms of the source text
/// are in it, and if each of its own forms has a source text and can be compiled. Otherwise its forms come from a former source text: it is
/// sent like a new one, and the answer replaces it as a whole.
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
    // A form of a substitution that the source text lacks would be sent with its id as the source text.
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

  /// Returns whether a translation has forms of its own, which the source text lacks.
  package func lacksForms(of translation: Translation) -> Bool {
    guard !(source.translation.isOneText && translation.isOneText) else { return false }
    return !places(of: translation).isSubset(of: places(of: nil))
  }

  /// Returns the places of a translation's forms, completed for the language; for `nil`, those of a new translation.
  func places(of translation: Translation?) -> Set<VariationPath> { Set(paths(of: translation).map(\.anyCategory)) }

  private func paths(of translation: Translation?) -> [VariationPath] {
    ExportShape.paths(of: translation, source: source.translation, from: sourceLanguage, for: [language])
  }
}

extension VariationPath {
  /// The path with `other` for the last plural category. Languages differ in their categories.
  var anyCategory: VariationPath {
    guard case .plural? = steps.last else { return self }
    return parent.appending(.plural(.other))
  }
}

extension Translation {
  /// Whether it has one form.
  var isOneText: Bool {
    guard substitutions.isEmpty else { return false }
    return switch text {
    case .text, .phrases: true
    case .plural, .device: false
    }
  }

  /// Returns whether both have the same words in the same forms, in any state.
  func saysSame(as other: Translation) -> Bool {
    mapLeaves { VariedLeaf($1.words, state: .new) } == other.mapLeaves { VariedLeaf($1.words, state: .new) }
  }
}
