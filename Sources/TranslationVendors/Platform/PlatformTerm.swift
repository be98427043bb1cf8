package import Localization

/// A term of the pipeline's glossary with its translation into one language, in the form that platforms accept.
package struct PlatformTerm: Hashable, Sendable {
  /// The term in the source language.
  package var text: String
  package var translation: String
  /// The term's description for translators; `nil` if there is none.
  package var description: String?
  /// The translation that we entered last; `nil` if none is known. Any other translation at the platform was entered by somebody else.
  package var entered: String?

  /// The action for a term at a platform.
  package enum Step: Hashable, Sendable {
    /// Do nothing, because the platform has the translation.
    case keep
    /// Enter the translation.
    case enter
    /// Keep the translation that somebody else entered.
    case leave
  }

  package init(text: String, translation: String, description: String? = nil, entered: String? = nil) {
    self.text = text
    self.translation = translation
    self.description = description
    self.entered = entered
  }

  /// Returns the action for this term.
  /// - Parameter stored: the platform's translation of the term; `nil` or empty if the platform has none.
  package func step(over stored: String?) -> Step {
    guard let stored, !stored.isEmpty else { return .enter }
    if stored == translation { return .keep }
    return stored == entered ? .enter : .leave
  }
}

extension Glossary {
  /// The maximum length of a term or its translation in characters. Longer terms are left out, because platforms refuse them.
  private static let mostText = 255

  /// Returns the terms of a source language with their preferred translations into another language, sorted. If several entries have the same term,
  /// the first entry is used. Terms and translations with control characters or more than 255 characters are left out.
  package func platformTerms(from source: LocaleIdentifier, to language: LocaleIdentifier) -> [PlatformTerm] {
    var found: [String: PlatformTerm] = [:]
    for entry in entries {
      guard let translation = Self.terms(of: entry, in: language).first?.text, Self.isPlain(translation) else {
        continue
      }
      let description = [entry.definition, entry.note].compactMap(\.self).filter { !$0.isEmpty }
      for term in Self.terms(of: entry, in: source) where found[term.text] == nil && Self.isPlain(term.text) {
        found[term.text] = PlatformTerm(
          text: term.text, translation: translation,
          description: description.isEmpty ? nil : String(description.joined(separator: "\n").prefix(1000)))
      }
    }
    return found.values.sorted { $0.text < $1.text }
  }

  /// Returns the entry's terms in a language. If there are none, returns the entry's terms in the main language (`pt` for `pt-BR`).
  private static func terms(of entry: GlossaryEntry, in language: LocaleIdentifier) -> [GlossaryTerm] {
    let own = entry.terms(in: language)
    return own.isEmpty ? entry.terms(in: LocaleIdentifier(language.language)) : own
  }

  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.count <= mostText
      && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}
