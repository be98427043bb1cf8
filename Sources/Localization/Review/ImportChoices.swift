/// Decisions of a person about units of an import, made in advance: `import --take` and `--skip`.
package struct ImportChoices: Hashable, Sendable {
  /// A selection of units: those of a key, those of a language, or those that would be held for a reason.
  package enum Selector: Hashable, Sendable {
    case key(UnitKey)
    case language(LocaleIdentifier)
    /// All units that would be held for a reason, given as `HoldReason.code`.
    case reason(String)
    /// One unit in one language that would be held for a reason, given as `HoldReason.code`.
    case unit(UnitID, LocaleIdentifier, reason: String)
  }

  /// Units to accept despite reasons against them.
  package var take: [Selector]
  /// Units to skip even without a reason. Has precedence over `take`.
  package var skip: [Selector]

  package init(take: [Selector] = [], skip: [Selector] = []) {
    self.take = take
    self.skip = skip
  }

  /// The reasons that a person may overrule. They leave no doubt where the unit belongs, and its text can be written there.
  package static let overrulable: Set<String> = [
    "sourceChanged", "sourceMissing", "emptyTarget", "unfinishedState", "placeholdersDiffer", "markupBroken",
    "tooLong", "changedInRepository", "doNotTranslate",
  ]

  package var isEmpty: Bool { take.isEmpty && skip.isEmpty }

  func skips(_ key: UnitKey, _ language: LocaleIdentifier) -> Bool {
    skip.contains(.key(key)) || skip.contains(.language(language))
  }

  /// Returns the choices with languages in the project's spelling: `de` instead of `DE`.
  func spelled(by match: LanguageMatch) -> ImportChoices {
    func spelled(_ selector: Selector) -> Selector {
      guard case .language(let language) = selector else { return selector }
      return .language(match.find(language) ?? language)
    }
    return ImportChoices(take: take.map(spelled), skip: skip.map(spelled))
  }

  /// Returns whether a person accepts a unit despite a reason.
  func overrules(_ reason: HoldReason, _ unit: UnitID, _ language: LocaleIdentifier) -> Bool {
    guard Self.overrulable.contains(reason.code), !skip.contains(.reason(reason.code)) else { return false }
    return take.contains { selector in
      switch selector {
      case .key(let chosen): chosen == unit.key
      case .language(let chosen): chosen == language
      case .reason(let code): code == reason.code
      case .unit(let chosen, let spoken, let code):
        chosen == unit && spoken == language && code == reason.code
      }
    }
  }
}
