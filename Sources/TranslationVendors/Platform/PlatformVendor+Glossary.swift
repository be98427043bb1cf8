internal import HTTPTransport
internal import Localization

/// Upload of the pipeline's glossary to a platform.
extension PlatformVendor {
  /// The maximum number of terms that are sent for a language at once. The next poll sends further terms.
  private static var batch: Int { 200 }

  /// Reads the glossary's file. A pull calls this function only once, for all languages.
  /// - Returns: `nil` if the pipeline has no glossary, or if the platform accepts no glossary; a failure if the file cannot be read.
  func readGlossary() -> Result<Glossary?, any Error> {
    Result { Platform.takesGlossary ? try environment.glossary()?.glossary : nil }
  }

  /// Adds terms of the glossary that the platform does not have in a language, and updates translations that we entered before. Terms that people
  /// added or changed at the platform are kept.
  /// - Parameters:
  ///   - glossary: the result of ``readGlossary()``.
  ///   - code: the platform's code of the language.
  /// - Returns: warnings. A failure to send the glossary never stops strings from being sent. The next poll tries again.
  func bring(
    _ glossary: Result<Glossary?, any Error>, from source: LocaleIdentifier, to language: LocaleIdentifier, code: String
  ) async throws -> [Diagnostic] {
    do {
      guard let glossary = try glossary.get() else { return [] }
      let terms = glossary.platformTerms(from: source, to: language)
      guard !terms.isEmpty else { return [] }
      let book = TermBook(folder: environment.stateFolder, vendor: name)
      // Only one task at a time sends terms. Otherwise, a push and a simultaneous pull could both add the same term.
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
          message:
            "the term “\(term)” is “\(shown)” in \(code) at the vendor; this differs from the glossary and was not changed",
          hint: "change the term at the vendor or in the glossary file")
      }
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      return [
        Diagnostic(
          path: name, severity: .warning, message: "the glossary could not be sent: \(error)",
          hint: "strings are not affected; the next poll tries again")
      ]
    }
  }
}
