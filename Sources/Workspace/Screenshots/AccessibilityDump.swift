internal import Foundation

/// The keys and texts of a screenshot, from the JSON file next to it (docs/reference/pipelines.md). The file is untrusted, so its size and the number
/// and length of its texts are limited.
struct AccessibilityDump: Decodable {
  struct Element: Decodable {
    /// The key of the element's string.
    var key: String?
    var identifier: String?
    /// A text that people see or hear.
    var label: String?
    var value: String?
    var title: String?
    var placeholder: String?
  }

  /// The elements of the screen. Other members of the file are ignored.
  var elements: [Element]

  static let mostBytes = 1 << 20
  static let mostElements = 5000
  /// The maximum length of a text or key in UTF-8 bytes. Longer ones are skipped.
  static let mostText = 2000

  /// Returns the clues in a file; `nil` if the file is too large or not an accessibility dump.
  static func read(_ bytes: [UInt8]) -> [ScreenshotClue]? {
    guard bytes.count <= mostBytes, let dump = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else {
      return nil
    }
    return dump.elements.prefix(mostElements).flatMap { element -> [ScreenshotClue] in
      let keys = [element.key, element.identifier].compactMap(\.self).map { ScreenshotClue.key($0) }
      let texts = [element.label, element.value, element.title, element.placeholder].compactMap(\.self)
      return keys + texts.map { .text($0) }
    }.filter { $0.content.utf8.count <= mostText }
  }
}

/// A clue to the string that a screenshot shows.
enum ScreenshotClue: Hashable, Sendable {
  /// The name of a file or folder.
  case name(String)
  case key(String)
  /// A text of the source language, as it appears on the screen.
  case text(String)
  /// A text that may be a key or a text of the source language.
  case any(String)

  var content: String {
    switch self {
    case .name(let text), .key(let text), .text(let text), .any(let text): text
    }
  }
}
