internal import HTTPTransport
internal import Localization

/// The pipeline's glossary at a platform.
extension PlatformVendor {
  /// The maximum number of terms that one look sends. The next look continues.
  private static var batch: Int { 200 }

  /// Reads the glossary's file, once for all languages of a look.
  /// - Returns: `nil` if the pipeline has none, or the platform takes none.
  func readGlossary() -> Result<Glossary?, any Error> {
    Result { Platform.takesGlossary ? try environment.glossary()?.glossary : nil }
  }

  /// Adds terms of the glossary that the platform does not have in a language, and changes translations that we entered before. Terms that
  /// people added or changed there stay.
  /// - Parameters:
  ///   - glossary: from ``readGlossary()``.
  ///   - code: the platform's code of the language.
  /// - Returns: findings. A fault of the glossary never stops strings from being sent; the next look tries again.
  func bring(
    _ glossary: Result<Glossary?, any Error>, from source: LocaleIdentifier, to language: LocaleIdentifier, code: String
  ) async throws -> [Diagnostic] {
    do {
      guard let glossary = try glossary.get() else { return [] }
      let terms = glossary.platformTerms(from: source, to: language)
      guard !terms.isEmpty else { return [] }
      let book = TermBook(folder: environment.stateFolder, vendor: name)
      // A push and a look at the same time would each add a term.
      let platform = platform
      let left = try await KeyedTurns.shared.run("terms of \(environment.stateFolder) \(name)") {
        let pending = Array(try book.pending(terms, code: code).prefix(Self.batch))
        guard !pending.isEmpty else { return [:] as [String: String] }
        let left = try await platform.enter(pending, from: source, code: code)
        try book.note(pending, left: Set(left.keys), code: code)
        return left
      }
      return left.sorted { $0.key < $1.key }.map { term, stored in
        let shown = String(stored.prefix(100)).withVisibleControls
        return Diagnostic(
          path: name, severity: .warning,
          message: "the term “\(term)” is “\(shown)” in \(code) there, unlike in the glossary, and stays",
          hint: "change it there or in the glossary file")
      }
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      return [
        Diagnostic(
          path: name, severity: .warning, message: "the glossary could not be sent there: \(error)",
          hint: "strings are not affected; the next look tries again")
      ]
    }
  }
}
