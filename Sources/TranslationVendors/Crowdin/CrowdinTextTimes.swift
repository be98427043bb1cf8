internal import Localization
internal import Synchronization

/// When strings got their current text, in a file of the vendor's state folder. Crowdin's own time of a string's last change also moves
/// with its context, its length limit and its visibility, although its translations stay valid.
///
/// What is not in the file yet, or was lost with it, has Crowdin's time.
final class CrowdinTextTimes: Sendable {
  private struct Line: Codable {
    var scope: String
    var id: Int
    /// The digest of the text.
    var text: String
    /// Crowdin's time when the text was seen first; `nil` for a string that had never changed.
    var changed: String?
  }

  private let lines: StateLines
  private let isReadOnly: Bool
  /// By the place and the number of the string; `nil` before the file is read.
  private let known = Mutex<[String: [Int: Line]]?>(nil)

  init(folder: String, vendor: String, isReadOnly: Bool) {
    lines = StateLines(folder: folder, name: "texts", vendor: vendor)
    self.isReadOnly = isReadOnly
  }

  /// - Parameter strings: all that the place has.
  /// - Returns: the strings, with the time of the last change of their text.
  func dated(
    _ strings: [CrowdinMessages.SourceString], in scope: CrowdinScope
  ) throws -> [CrowdinMessages.SourceString] {
    try known.withLock { known in
      var all = try known ?? read()
      let old = all[scope.key] ?? [:]
      var new: [Int: Line] = [:]
      for string in strings {
        let text = string.content.digest
        let isSame = old[string.id]?.text == text
        new[string.id] =
          isSame ? old[string.id] : Line(scope: scope.key, id: string.id, text: text, changed: string.updatedAt)
      }
      all[scope.key] = new.isEmpty ? nil : new
      if !isReadOnly, new.mapValues(\.text) != old.mapValues(\.text) {
        let sorted = all.sorted { $0.key < $1.key }.flatMap { $0.value.sorted { $0.key < $1.key }.map(\.value) }
        try lines.replace(try sorted.flatMap { try StateLines.bytes(of: $0) })
      }
      known = all
      return strings.map { string in
        var string = string
        string.updatedAt = new[string.id]?.changed
        return string
      }
    }
  }

  private func read() throws -> [String: [Int: Line]] {
    var all: [String: [Int: Line]] = [:]
    for line in try lines.read(Line.self) { all[line.scope, default: [:]][line.id] = line }
    return all
  }
}

extension CrowdinScope {
  fileprivate var key: String { "\(query.name) \(query.value)" }
}
