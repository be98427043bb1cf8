internal import Localization
internal import Synchronization

/// The times when strings got their current texts, stored in a file in the vendor's state folder. They are needed because Crowdin's time of a
/// string's last change is also updated when the context, length limit or visibility changes, and translations stay valid after such a change.
///
/// If a string is not in the file, or its text differs from the stored one, Crowdin's time is used and stored.
final class CrowdinTextTimes: Sendable {
  private struct Line: Codable {
    var scope: String
    var id: Int
    /// The digest of the text.
    var text: String
    /// Crowdin's time of the string's last change when this text was first read; `nil` if the string had never changed.
    var changed: String?
  }

  private let lines: StateLines
  private let isReadOnly: Bool
  /// The lines by the key of the scope and the ID of the string; `nil` before the file is read.
  private let known = Mutex<[String: [Int: Line]]?>(nil)

  init(folder: String, vendor: String, isReadOnly: Bool) {
    lines = StateLines(folder: folder, name: "texts", vendor: vendor)
    self.isReadOnly = isReadOnly
  }

  /// Returns the strings, each with the time when its text last changed, and stores the times unless the vendor is read-only.
  /// - Parameter strings: all strings of the scope.
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
