/// What a person decided about units of an import before it runs: `import --take` and `--skip`.
package struct ImportChoices: Hashable, Sendable {
  /// Some units: those of a key, of a language, or those that would be held for a reason.
  package enum Selector: Hashable, Sendable {
    case key(UnitKey)
    case language(LocaleIdentifier)
    /// A `HoldReason.code`.
    case reason(String)
    /// One unit in one language, for one reason: a `HoldReason.code`.
    case unit(UnitID, LocaleIdentifier, reason: String)
  }

  /// Units that are taken though something speaks against them.
  package var take: [Selector]
  /// Units that are left out though nothing may speak against them. Goes before `take`.
  package var skip: [Selector]

  package init(take: [Selector] = [], skip: [Selector] = []) {
    self.take = take
    self.skip = skip
  }

  /// The reasons that a person may overrule: the unit has its place, and what it says can be written there.
  package static let overrulable: Set<String> = [
    "sourceChanged", "sourceMissing", "emptyTarget", "unfinishedState", "placeholdersDiffer", "markupBroken",
    "changedInRepository", "doNotTranslate",
  ]

  func skips(_ key: UnitKey, _ language: LocaleIdentifier) -> Bool {
    skip.contains(.key(key)) || skip.contains(.language(language))
  }

  /// Whether a unit is taken in spite of a reason.
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
