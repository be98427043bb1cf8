package import Localization

/// Information about a text that helps an engine to translate it.
package struct EngineContext: Hashable, Sendable {
  /// Another text of the same catalog.
  package struct Neighbour: Hashable, Sendable {
    package var key: UnitKey
    package var text: String

    package init(key: UnitKey, text: String) {
      self.key = key
      self.text = text
    }
  }

  /// The round that the text belongs to; empty outside of rounds.
  package var round: String
  /// The target language as the project writes it; `nil`: only the engine's code is known.
  package var language: LocaleIdentifier?
  /// All forms of the source text; `nil`: only the one that is sent is known.
  package var forms: Translation?
  /// Texts whose keys come before and after this one.
  package var neighbours: [Neighbour]

  package init(
    round: String = "", language: LocaleIdentifier? = nil, forms: Translation? = nil, neighbours: [Neighbour] = []
  ) {
    self.round = round
    self.language = language
    self.forms = forms
    self.neighbours = neighbours
  }
}
