/// The minimum completion that a gate requires of a language.
package struct CompletionRequirement: Hashable, Sendable {
  /// The language; `nil` for all languages without their own requirement.
  package var language: LocaleIdentifier?
  package var needed: Percentage
  /// The catalogs that must each meet the requirement; `nil` for all catalogs together.
  package var catalogs: PathPattern?

  package init(language: LocaleIdentifier?, needed: Percentage, catalogs: PathPattern? = nil) {
    self.language = language
    self.needed = needed
    self.catalogs = catalogs
  }
}

/// The verdict on whether a project meets its requirements for completion. The verdict is also negative if the figures may be wrong, for example
/// because of a catalog that cannot be read, an unknown language, or strings in code that no catalog has.
package struct CompletionVerdict: Hashable, Sendable, Encodable {
  /// The completion of a language, and the percentage that is required of it.
  package struct Judged: Hashable, Sendable {
    package var completion: LanguageCompletion
    package var needed: Percentage
    /// The catalog that is judged; `nil` for all catalogs together.
    package var catalog: TreePath?

    package var isMet: Bool { needed.isReached(by: completion.translated, of: completion.total) }
  }

  /// The judged languages of the whole project, followed by those of each catalog that has its own requirements.
  package let judged: [Judged]
  /// Messages about problems that make the verdict negative, whatever the figures are.
  package let obstacles: [String]
  /// The next steps for some of the missing strings, as sentences.
  package var notes: [String] = []

  /// Judges a report.
  /// - Parameters:
  ///   - requirements: the requirements. A requirement for one language takes precedence over a requirement for all languages. If there are several
  ///   requirements for the same language, or several for all languages, the last of them counts.
  ///   - obstacles: reasons why the figures may be wrong, in addition to those found here, such as a required language that the report lacks.
  ///   - leftOut: languages of the project that a user left out of the report.
  ///   - mayBeEmpty: whether a language without strings counts as complete, because only a part of the strings is judged.
  package init(
    _ report: CompletionReport, requirements: [CompletionRequirement], obstacles: [String],
    leftOut: Set<LocaleIdentifier> = [], mayBeEmpty: Bool = false
  ) {
    let whole = requirements.filter { $0.catalogs == nil }
    let overall = report.languages.compactMap { completion in
      Self.needed(of: completion.language, by: whole).map { Judged(completion: completion, needed: $0) }
    }
    var unmatched: [String] = []
    for requirement in requirements {
      guard let pattern = requirement.catalogs, !report.catalogs.contains(where: { pattern.covers($0.catalog) }) else {
        continue
      }
      let text = "no catalog matches \(pattern)"
      if !unmatched.contains(text) { unmatched.append(text) }
    }
    let single = report.catalogs.flatMap { catalog in
      let own = requirements.filter { $0.catalogs?.covers(catalog.catalog) == true }
      return catalog.languages.compactMap { completion in
        Self.needed(of: completion.language, by: own)
          .map { Judged(completion: completion, needed: $0, catalog: catalog.catalog) }
      }
    }
    judged = overall + single
    let known = Set(report.languages.map(\.language))
    let names = known.map(\.rawValue).sorted()
    let absent = Set(requirements.compactMap(\.language)).subtracting(known).sorted().map { language in
      if language == report.sourceLanguage {
        "\(language) is the language of the source texts; require other languages"
      } else if leftOut.contains(language) {
        "\(language) is required, but --language excludes it"
      } else {
        "\(language) is not one of the languages (\(names.isEmpty ? "none" : names.joined(separator: ", ")))"
          + LanguageMatch([known]).suffix(language.rawValue)
      }
    }
    var obstacles = obstacles + absent + unmatched
    if report.catalogs.isEmpty, obstacles.isEmpty { obstacles.append("no catalog found") }
    if judged.isEmpty, obstacles.isEmpty { obstacles.append("no catalog has a target language") }
    // A single catalog may have nothing to translate, but not the whole project.
    let empty = overall.filter { $0.completion.total == 0 }.map(\.completion.language.rawValue)
    if !empty.isEmpty, !mayBeEmpty { obstacles.append("no strings to translate into \(empty.joined(separator: ", "))") }
    self.obstacles = obstacles
  }

  /// Returns the percentage that a language needs: from the last requirement for this language, or else from the last requirement for all
  /// languages. `nil` if there is no such requirement.
  private static func needed(of language: LocaleIdentifier, by requirements: [CompletionRequirement]) -> Percentage? {
    (requirements.last { $0.language == language } ?? requirements.last { $0.language == nil })?.needed
  }

  package var isMet: Bool { obstacles.isEmpty && judged.allSatisfy(\.isMet) }
  package var unmet: [Judged] { judged.filter { !$0.isMet } }

  /// The verdict as one line: `FAIL de 96.8 % (706/729), needs 100 %: 23 strings missing`, `PASS de 100 % (729/729), needs 95 %`.
  package var line: String {
    guard !isMet else { return "PASS " + judged.map(\.figures).joined(separator: "; ").withVisibleControls }
    let languages = unmet.map { language in
      let missing = language.completion.total - language.completion.translated
      return language.figures + ": " + (missing == 1 ? "1 string missing" : "\(missing) strings missing")
    }
    return "FAIL " + (obstacles + languages + notes).joined(separator: "; ").withVisibleControls
  }

  private enum CodingKeys: String, CodingKey { case line, passed }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(line, forKey: .line)
    try container.encode(isMet, forKey: .passed)
  }
}

extension CompletionVerdict.Judged {
  /// The figures as text: `de 96.8 % (706/729), needs 100 %`, after the path of the catalog if only one catalog is judged. The percentage is
  /// rounded down to at least as many decimals as the required percentage has, to make the two comparable.
  package var figures: String {
    let reached = Percentage.text(
      completion.translated, of: completion.total, decimals: max(1, needed.decimals))
    return (catalog.map { "\($0) " } ?? "")
      + "\(completion.language) \(reached) (\(completion.translated)/\(completion.total)), needs \(needed)"
  }
}
