import FoundationEssentials
import Localization
import Pipeline
import TranslationVendors

/// The glossary of a pipeline. The file is read at each use, so that a changed file needs no restart.
extension Composition {
  func readTerms(
    of definition: PipelineDefinition
  ) -> (@Sendable (LocaleIdentifier) async throws -> TermCheck)? {
    guard let settings = definition.glossary else { return nil }
    return { [readers] source in
      try await readers.run { try SharedGlossary(at: settings.file).glossary.check(from: source) }
    }
  }
}
