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

  /// The round in which the text was sent; empty outside a round.
  package var round: String
  /// The target language as the project writes it; `nil` if only the engine's code is known.
  package var language: LocaleIdentifier?
  /// All forms of the source text; `nil` if only the form that is sent is known.
  package var forms: Translation?
  /// The texts whose keys are near this text's key in the catalog.
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
