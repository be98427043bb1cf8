import SwiftSyntax

/// Code that users never run: previews, debug menus, and code that only developers' builds contain.
enum DeveloperCode {
  /// The words in the names of compilation conditions that only developers set, such as `LOGGING` in `ENABLE_LOGGING`.
  private static let flags: Set<Substring> = [
    "DEBUG", "DEBUGGING", "DEVELOPER", "DEVELOPMENT", "LOGGING", "TEST", "TESTS", "TESTING", "UITEST", "UITESTS",
    "PREVIEW",
    "PREVIEWS", "MOCK", "MOCKS", "INTERNAL",
  ]

  /// Names of variables that hold the sample data of previews.
  static let sampleWords: [StaticString] = [
    "preview", "previews", "previewData", "sample", "samples", "mock", "mocks",
  ]
  static let samples = Set(sampleWords.map(\.description))

  /// Returns whether a clause of `#if` is compiled only for developers: its condition needs a developer flag or a simulator, or it is
  /// the `#else` of a negated one, such as `!DEBUG`.
  static func isCompiledForDevelopers(_ clause: IfConfigClauseSyntax) -> Bool {
    if let condition = clause.condition { return needsFlag(condition.trimmedDescription) }
    guard let clauses = clause.parent?.as(IfConfigClauseListSyntax.self), clauses.count == 2,
      let first = clauses.first?.condition?.trimmedDescription, first.hasPrefix("!")
    else { return false }
    return isFlag(String(first.dropFirst()))
  }

  private static func needsFlag(_ condition: String) -> Bool {
    guard !condition.contains("(") || condition == "targetEnvironment(simulator)" else {
      // `canImport(UIKit) && DEBUG`
      return condition.contains("&&") && !condition.contains("||")
        && condition.split(separator: "&&").contains { isFlag(String($0).trimmed) }
    }
    return condition.split(separator: "||").allSatisfy { alternative in
      alternative.split(separator: "&&").contains { isFlag(String($0).trimmed) }
    }
  }

  private static func isFlag(_ name: String) -> Bool {
    if name == "targetEnvironment(simulator)" { return true }
    guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else { return false }
    return name.split(separator: "_").contains(where: flags.contains)
  }

  /// Returns whether a type is a preview, or part of a debug menu.
  static func isType(_ name: String, _ inheritance: InheritanceClauseSyntax?, in source: ReviewedSource) -> Bool {
    let types = inheritance?.inheritedTypes.map { $0.type.trimmedDescription } ?? []
    if types.contains("PreviewProvider") || name.hasSuffix("Previews") || name.hasSuffix("_Preview") { return true }
    // If `Row` exists, `RowPreview` is its preview for developers. A view that shows a preview to users has no such counterpart.
    if name.hasSuffix("Preview"), source.declaresType(String(name.dropLast("Preview".count))) { return true }
    return isForDebugging(name) || name.hasPrefix("Dev") && name.dropFirst(3).first?.isUppercase == true
  }

  /// Returns whether a name has a word that begins with `debug`, or contains `DEBUG`, as in `NSDEBUGLog`.
  static func isForDebugging(_ name: String) -> Bool {
    words(of: name[...]).contains { $0.hasPrefix("debug") } || name.contains("DEBUG")
  }

  /// Returns whether a block runs only for testers or with a debug setting, as in `if settings.isDebugging { … }`.
  static func isBodyForDebugging(_ block: CodeBlockSyntax) -> Bool {
    guard let node = block.parent?.as(IfExprSyntax.self), node.body.id == block.id, node.conditions.count == 1,
      let condition = node.conditions.first?.trimmedDescription
    else { return false }
    return condition.allSatisfy { $0.isLetter || $0.isNumber || "._()$".contains($0) } && requiresDebugging(condition)
  }

  /// Words before the name of a setting that make it the opposite, as in `isNotDebug`.
  private static let negations: Set<String> = [
    "not", "isnt", "non", "no", "never", "without", "disable", "disables", "disabled", "hide", "hides", "hidden",
    "skip", "skips", "omit", "omits", "except", "outside",
  ]
  /// Words at the end of the name of a setting that make it the opposite, as in `isDebugDisabled`.
  private static let negativeEndings: Set<String> = ["disabled", "hidden", "off"]

  /// Returns whether a condition without operators holds only for testers or with a debug setting: a component has a word that begins with `debug`,
  /// or `TestFlight`, and no word negates it. `debugDescription` is a text about a value, not a setting.
  private static func requiresDebugging(_ condition: String) -> Bool {
    var before: [String] = []
    var isFound = false
    for component in condition.split(whereSeparator: { ".()$".contains($0) }) {
      let own = words(of: component)
      if !isFound, let place = own.indices.first(where: { isSetting(own[$0...]) }) {
        isFound = true
        before += own[..<place]
      } else if !isFound {
        before += own
      }
      if isFound, let ending = own.last, negativeEndings.contains(ending) { return false }
    }
    return isFound && !before.contains(where: negations.contains)
  }

  private static func isSetting(_ words: ArraySlice<String>) -> Bool {
    let name: String = words.joined()
    return name.hasPrefix("testflight") || name.hasPrefix("debug") && !name.hasPrefix("debugdescription")
  }

  /// Returns the words of a name in camel case or with underscores, in lower case.
  private static func words(of name: Substring) -> [String] {
    let characters = Array(name)
    var words: [String] = []
    for (place, character) in characters.enumerated() where character != "_" {
      let before = place == 0 ? "_" : characters[place - 1]
      let isLastCapital = place + 1 < characters.count && characters[place + 1].isLowercase
      if before == "_" || character.isUppercase && (!before.isUppercase || isLastCapital) { words.append("") }
      words[words.count - 1] += character.lowercased()
    }
    return words
  }
}

extension String {
  fileprivate var trimmed: String {
    let rest = drop(while: \.isWhitespace)
    return String(rest.reversed().drop(while: \.isWhitespace).reversed())
  }
}
