import Localization
import Pipeline
import Synchronization
import TranslationVendors

/// Functions that read the glossary of a pipeline. Changes to the file take effect without a restart.
extension Composition {
  func readTerms(
    of definition: PipelineDefinition
  ) -> (@Sendable (LocaleIdentifier) async throws -> TermCheck)? {
    guard let settings = definition.glossary else { return nil }
    return { [readers] source in
      try await readers.run {
        // If texts without a required term are held, every entry of the glossary must be readable.
        let shared =
          try settings.missing == .hold ? SharedGlossary.whole(at: settings.file) : SharedGlossary(at: settings.file)
        return shared.glossary.check(from: source)
      }
    }
  }

  /// Returns a function that reads the digest of the glossary file. The digest is `nil` until the file has been valid once.
  /// - Returns: `nil` if the pipeline has no glossary, or only reports missing terms instead of holding the units.
  func glossaryDigest(of definition: PipelineDefinition) -> (@Sendable () async -> String?)? {
    guard let settings = definition.glossary, settings.missing == .hold else { return nil }
    let digest = GlossaryDigest(path: settings.file)
    return { [readers] in try? await readers.run { digest.read() } }
  }
}

/// A digest of the content of a glossary file. The file is read when it changes. While the file is invalid, the digest of the last valid content is
/// returned.
final class GlossaryDigest: Sendable {
  private struct State {
    var stamp: FileStamp?
    var digest: String?
  }

  private let path: String
  private let state = Mutex(State())

  init(path: String) { self.path = path }

  func read() -> String? {
    state.withLock { state in
      let stamp = FileStamp(of: path)
      guard stamp != state.stamp else { return state.digest }
      guard let glossary = try? SharedGlossary.whole(at: path) else { return state.digest }
      state.stamp = stamp
      state.digest = glossary.digest
      return state.digest
    }
  }
}
