/// A person's decisions about the units of an import: `import --take` and `--skip`, or the decisions about a pipeline's held units.
package struct ImportChoices: Hashable, Sendable {
  /// A selection of units: the units of a key, the units of a language, the units that would be held for a reason, or one unit in one language.
  package enum Selector: Hashable, Sendable {
    case key(UnitKey)
    case language(LocaleIdentifier)
    /// All units that would be held for a reason, given as `HoldReason.code`.
    case reason(String)
    /// One unit in one language that would be held for a reason, given as `HoldReason.code`.
    case unit(UnitID, LocaleIdentifier, reason: String)
  }

  /// Units to accept although there are reasons for holding them.
  package var take: [Selector]
  /// Units that are not imported, even if there is no reason for holding them or `take` selects them too.
  package var skip: [Selector]

  package init(take: [Selector] = [], skip: [Selector] = []) {
    self.take = take
    self.skip = skip
  }

  /// The codes of the reasons that a person may overrule. None of these reasons concerns the unit's catalog, key or language, and none prevents
  /// writing the text.
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

  /// Returns whether a person accepts a unit although there is this reason for holding it.
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
