internal import Foundation

/// The texts that a picture shows, from the JSON file beside it (docs/reference/pipelines.md). The file is untrusted: it has a limited
/// size, and the number and length of its texts are limited.
struct AccessibilityDump: Decodable {
  struct Element: Decodable {
    /// Keys of strings.
    var key: String?
    var identifier: String?
    /// Texts that people see or hear.
    var label: String?
    var value: String?
    var title: String?
    var placeholder: String?
  }

  /// Further members are ignored.
  var elements: [Element]

  static let mostBytes = 1 << 20
  static let mostElements = 5000
  /// Longer texts are left out.
  static let mostText = 2000

  /// - Returns: the contents of the file; `nil` if it is too large or not such a file.
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

/// A clue to which string a picture shows.
enum ScreenshotClue: Hashable, Sendable {
  /// A file's or folder's name.
  case name(String)
  case key(String)
  /// A text of the source language, as it is shown.
  case text(String)
  /// A key or a text.
  case any(String)

  var content: String {
    switch self {
    case .name(let text), .key(let text), .text(let text), .any(let text): text
    }
  }
}
