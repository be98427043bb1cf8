package import FoundationEssentials
package import Localization
package import Pipeline

/// A string without a finished translation in a language, with the current place of its translation.
package struct MissingString: Hashable, Sendable, Encodable {
  package enum Place: String, Hashable, Sendable, Encodable, CaseIterable {
    /// The translation is missing, and the string was never sent or is no longer outstanding.
    case unsent
    /// The string is in a round that the vendor has not confirmed yet.
    case queued
    case out
    case held
    /// The translation was returned, but is not on the branch yet.
    case delivered
    /// The string is translated, but the translation needs review.
    case needsReview
  }

  package var unit: UnitID
  package var language: LocaleIdentifier
  package var text: String
  package var comment: String?
  package var place: Place
  package var vendor: String?
  /// The time since which the string has been in its place; `nil` if unknown.
  package var since: Date?
  /// The reason why the string is held, or the branch to which the translation was delivered; otherwise `nil`.
  package var detail: String?
  /// The commit that gave the string its source text; `nil` if this commit is unknown.
  package var commit: CommitID?
  package var author: String?
  package var added: Date?
}

/// The missing strings of a branch.
package struct MissingStrings: Sendable, Encodable {
  package var pipeline: String
  package var branch: String
  package var commit: CommitID
  package var languages: [LanguageCompletion]
  /// The first missing strings, sorted by catalog, key and language.
  package var strings: [MissingString]
  /// The total number of missing strings.
  package var count: Int
  /// The reasons why the figures may be wrong, as texts: the obstacles of a gate of 100 % (`CompletionVerdict`), and a text about targets that were
  /// not searched for strings (`Snapshot.unsearched`).
  package var obstacles: [String]
  /// Whether a gate of 100 % would pass for the languages, because nothing is missing and there is no obstacle.
  package var isComplete: Bool
  /// The verdict of the pipeline's requirements on this branch; `nil` if the pipeline has no requirements for the branch.
  package var gate: CompletionVerdict?
}

extension ReadModel {
  /// Returns the missing strings of a commit.
  /// - Parameters:
  ///   - snapshot: the content of a branch's newest commit.
  ///   - languages: the languages to include; empty for all languages. A language that the pipeline does not have is reported as an obstacle.
  ///   - definition: the definition of the pipeline.
  ///   - limit: the maximum number of strings to return.
  package func missing(
    in snapshot: Snapshot, of definition: PipelineDefinition, branch: String, languages: Set<LocaleIdentifier>,
    limit: Int
  ) async throws -> MissingStrings {
    let (pipeline, fallbacks) = (definition.name, definition.fallbacks)
    let report = snapshot.completion(fallbacks)
    let isWanted = { (language: LocaleIdentifier) in languages.isEmpty || languages.contains(language) }
    let whole = languages.isEmpty ? [nil] : languages.sorted().map(Optional.some)
    let verdict = snapshot.verdict(
      whole.map { CompletionRequirement(language: $0, needed: Percentage(100)) }, fallbacks: fallbacks)
    let unsearched = definition.hasRequirements ? [] : snapshot.unsearched
    var result = MissingStrings(
      pipeline: pipeline, branch: branch, commit: snapshot.commit.id,
      languages: report.languages.filter { isWanted($0.language) }, strings: [], count: 0,
      obstacles: (verdict?.obstacles ?? []) + unsearched, isComplete: verdict?.isMet == true && unsearched.isEmpty,
      gate: snapshot.verdict(definition.requirements(on: branch), fallbacks: fallbacks))
    let counted = snapshot.counted
    var histories: (key: UnitKey, found: [UnitHistory])?
    for missing in report.missing where isWanted(missing.language) {
      result.count += 1
      guard result.strings.count < limit, let catalog = counted[missing.catalog],
        let entry = catalog.entries[missing.key]
      else { continue }
      // The missing strings of one key are adjacent, so only the last histories are kept.
      if histories?.key != missing.key {
        histories = (missing.key, try await lives(of: missing.key, in: pipeline, languages: []))
      }
      let text = entry.translations[catalog.sourceLanguage].map {
        $0.leaves.map(\.leaf.summary).joined(separator: "\n")
      }
      var string = MissingString(
        unit: UnitID(catalog: missing.catalog, key: missing.key), language: missing.language,
        text: text ?? missing.key.text, comment: entry.comment,
        place: missing.state == .needsReview ? .needsReview : .unsent)
      if let history = histories?.found.first(where: { $0.unit.catalog == missing.catalog }) {
        string.place(with: history, on: branch)
        if let origin = history.origin(of: catalog.sourceText(of: missing.key, entry)) {
          (string.commit, string.author) = (origin.commit, origin.author)
          string.added = Date(timeIntervalSince1970: Double(origin.seconds))
        }
      }
      result.strings.append(string)
    }
    return result
  }
}

extension MissingString {
  /// Sets the place of the translation according to the newest source text in the string's history.
  fileprivate mutating func place(with history: UnitHistory, on branch: String) {
    guard let version = history.versions.last else { return }
    let returned = version.returned.last { $0.language == language }
    if let returned, let outcome = returned.outcomes.first(where: { $0.branch == branch }) {
      switch outcome.state {
      case .held:
        (place, vendor, since, detail) = (.held, returned.vendor, returned.received, outcome.reason?.sentence)
        return
      case .delivered:
        (place, vendor, since, detail) = (
          .delivered, returned.vendor, outcome.delivery?.created ?? returned.received, outcome.delivery?.target
        )
        return
      case .settled, .passedOver: break
      }
    }
    guard let sent = version.sent.last(where: { $0.language == language }), sent.state == .outstanding else { return }
    (place, vendor, since) = (sent.time == nil ? .queued : .out, sent.vendor, sent.time)
  }
}

extension UnitHistory {
  /// Returns the commit that gave the string a source text. This is the commit that was found when the text was sent, otherwise the newest recorded
  /// commit with this text.
  /// - Parameter text: the source text, with line breaks between its forms.
  /// - Returns: `nil` if neither commit is known. The commit from which a text was sent is not returned, because it may not be the commit that added
  ///   the text.
  package func origin(of text: String) -> Provenance? {
    if let found = versions.last(where: { $0.text.isExactly(text) }).flatMap({ provenance(of: $0) }) { return found }
    let change = commits.last {
      [.added, .changed].contains($0.change.kind) && $0.change.hasText(text)
    }
    return change.map {
      Provenance(commit: $0.record.commit, author: $0.record.author, seconds: $0.record.seconds)
    }
  }
}

extension CommitRecord.Change {
  /// Returns whether the change has the given text. A record contains only the beginning of a long text, so only this beginning is compared.
  fileprivate func hasText(_ other: String) -> Bool {
    text.isExactly(other) || text.hasSuffix("…") && text.utf8.count > 400 && other.hasPrefix(text.dropLast())
  }
}

extension Catalog {
  /// Returns the source text of an entry in the form that the ledger stores, which is all forms separated by line breaks.
  fileprivate func sourceText(of key: UnitKey, _ entry: CatalogEntry) -> String {
    SourceForms(key: key, entry: entry, sourceLanguage: sourceLanguage).translation.leaves
      .flatMap { $0.leaf.texts }.joined(separator: "\n")
  }
}
