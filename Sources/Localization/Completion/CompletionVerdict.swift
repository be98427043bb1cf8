/// How complete languages must be before a release.
package struct CompletionRequirement: Hashable, Sendable {
  /// `nil` for all languages without their own requirement.
  package var language: LocaleIdentifier?
  /// In tenths of a percent.
  package var tenths: Int

  package init(language: LocaleIdentifier?, tenths: Int) {
    self.language = language
    self.tenths = tenths
  }
}

/// Whether a project meets its requirements for completion. The verdict is negative if the figures may be wrong: a catalog that cannot be
/// read, an unknown language, or strings of the code that no catalog has.
package struct CompletionVerdict: Hashable, Sendable, Encodable {
  /// A language with its requirement in tenths of a percent.
  package struct Judged: Hashable, Sendable {
    package var completion: LanguageCompletion
    package var needed: Int

    package var isMet: Bool { completion.tenths >= needed }
  }

  /// Sorted by language.
  package let judged: [Judged]
  /// Reasons why the figures may be wrong, for people.
  package let obstacles: [String]

  /// - Parameters:
  /// - requirements: if several apply to one language, the last counts.
  /// - obstacles: reasons why the figures may be wrong, in addition to those in the report.
  /// - mayBeEmpty: whether a language without strings counts as complete, because only a part of the strings is judged.
  package init(
    _ report: CompletionReport, requirements: [CompletionRequirement], obstacles: [String], mayBeEmpty: Bool = false
  ) {
    judged = report.languages.compactMap { completion in
      let own = requirements.last { $0.language == completion.language }
      let requirement = own ?? requirements.last { $0.language == nil }
      return requirement.map { Judged(completion: completion, needed: $0.tenths) }
    }
    let known = Set(report.languages.map(\.language))
    let names = known.map(\.rawValue).sorted()
    let absent = Set(requirements.compactMap(\.language)).subtracting(known).sorted().map { language in
      "\(language) is not one of the languages (\(names.isEmpty ? "none" : names.joined(separator: ", ")))"
        + NearestName.suffix(language.rawValue, names)
    }
    var obstacles = obstacles + absent
    if report.catalogs.isEmpty, obstacles.isEmpty { obstacles.append("no catalog found") }
    if judged.isEmpty, obstacles.isEmpty { obstacles.append("no catalog has a target language") }
    let empty = judged.filter { $0.completion.total == 0 }.map(\.completion.language.rawValue)
    if !empty.isEmpty, !mayBeEmpty { obstacles.append("no strings to translate into \(empty.joined(separator: ", "))") }
    self.obstacles = obstacles
  }

  package var isMet: Bool { obstacles.isEmpty && judged.allSatisfy(\.isMet) }
  package var unmet: [Judged] { judged.filter { !$0.isMet } }

  /// The verdict in one line: `FAIL de 96.8 % (706/729), needs 100 %: 23 strings missing`, `PASS de 100 % (729/729), needs 95 %`.
  package var line: String {
    guard !isMet else { return "PASS " + judged.map(\.figures).joined(separator: "; ") }
    let languages = unmet.map { language in
      let missing = language.completion.total - language.completion.translated
      return language.figures + ": " + (missing == 1 ? "1 string missing" : "\(missing) strings missing")
    }
    return "FAIL " + (obstacles + languages).joined(separator: "; ").withVisibleControls
  }

  private enum CodingKeys: String, CodingKey { case line, passed }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(line, forKey: .line)
    try container.encode(isMet, forKey: .passed)
  }
}

extension CompletionVerdict.Judged {
  /// `de 96.8 % (706/729), needs 100 %`.
  package var figures: String {
    "\(completion.language) \(Self.percent(completion.tenths)) (\(completion.translated)/\(completion.total)),"
      + " needs \(Self.percent(needed))"
  }

  private static func percent(_ tenths: Int) -> String {
    (tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)") + " %"
  }
}
