import Localization

/// A filter for the files that build settings exclude from a target: files that match `EXCLUDED_SOURCE_FILE_NAMES` but not
/// `INCLUDED_SOURCE_FILE_NAMES`.
///
/// A pattern with `n` components is compared with the last `n` components of a path (`Path.matchesFilenamePattern` of Swift Build). A file that is
/// excluded only for some SDKs is kept, because it is in the products for the other SDKs.
struct SourceFileFilter {
  /// The patterns of each value of the setting, with and without a condition; empty if no value is without a condition.
  private let excluded: [[Pattern]]
  /// The patterns of included files; `nil` if some are unknown, because they may match any file.
  private let included: [Pattern]?

  /// - Parameter root: the folder of the project; `nil` if it is outside the repository.
  init(_ settings: [String: BuildSetting], in root: TreePath?) {
    func patterns(_ name: String) -> [[Pattern?]] {
      settings.filter { $0.key == name || $0.key.hasPrefix(name + "[") }.values.map { setting in
        Self.list(setting.value).map { Pattern($0, in: root) }
      }
    }
    let isUnconditional = settings["EXCLUDED_SOURCE_FILE_NAMES"] != nil
    excluded = isUnconditional ? patterns("EXCLUDED_SOURCE_FILE_NAMES").map { $0.compactMap(\.self) } : []
    let included = patterns("INCLUDED_SOURCE_FILE_NAMES").flatMap(\.self)
    self.included = included.contains { $0 == nil } ? nil : included.compactMap(\.self)
  }

  var isEmpty: Bool { excluded.allSatisfy(\.isEmpty) }

  func leavesOut(_ path: TreePath) -> Bool {
    guard !isEmpty, let included else { return false }
    return excluded.allSatisfy { $0.contains { $0.matches(path) } } && !included.contains { $0.matches(path) }
  }

  private struct Pattern {
    private let pattern: PathPattern
    private let count: Int
    /// Whether the pattern is a path from the root of the repository.
    private let isWhole: Bool

    /// - Returns: `nil` if the pattern refers to an unknown setting or to a path outside the repository, or if it is not a valid `PathPattern`.
    init?(_ text: String, in root: TreePath?) {
      let own = ["SRCROOT", "PROJECT_DIR", "SOURCE_ROOT"].flatMap { ["$(\($0))/", "${\($0)}/"] }
      let written = own.first(where: text.hasPrefix).map { text.dropFirst($0.count) }
      let relative = written.flatMap { rest in root.map { $0.appending(String(rest)).text } }
      guard written == nil || relative != nil else { return nil }
      let glob = relative ?? text
      guard !glob.contains("$"), !glob.hasPrefix("/"), let pattern = PathPattern(glob) else { return nil }
      self.pattern = pattern
      count = glob.split(separator: "/").count
      isWhole = relative != nil
    }

    func matches(_ path: TreePath) -> Bool {
      let components = path.components
      guard isWhole ? components.count == count : components.count >= count else { return false }
      return pattern.covers(TreePath(trusted: components.suffix(count).joined(separator: "/")))
    }
  }

  /// Returns the elements of a list. White space separates elements, except for spaces in quotation marks or after a `\`.
  private static func list(_ text: String) -> [String] {
    var found: [String] = []
    var word = ""
    var (isQuoted, isEscaped) = (false, false)
    for scalar in text.unicodeScalars {
      switch scalar {
      case _ where isEscaped:
        word.unicodeScalars.append(scalar)
        isEscaped = false
      case "\\": isEscaped = true
      case "\"": isQuoted.toggle()
      case " " where !isQuoted, "\t" where !isQuoted, "\n" where !isQuoted:
        if !word.isEmpty { found.append(word) }
        word = ""
      default: word.unicodeScalars.append(scalar)
      }
    }
    return word.isEmpty ? found : found + [word]
  }
}
