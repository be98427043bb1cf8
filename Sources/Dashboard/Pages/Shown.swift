internal import Foundation
internal import Localization

/// Functions that make texts from repositories, vendors and people safe for a page. They make control characters and direction marks visible, because
/// such characters could make a page look different from its actual content. The functions also cut long texts. The templates escape HTML.
enum Shown {
  /// Returns a text, such as a path or a name, on one line.
  static func line(_ text: String, limit: Int = 300) -> String { cut(text, limit).withVisibleControls }

  /// Returns a key on one line. An empty key is shown as two quotation marks, because a link needs a text.
  static func key(_ text: String) -> String { text.isEmpty ? "\"\"" : line(text) }

  /// Returns a text that may have several lines.
  static func text(_ text: String, limit: Int = 2000) -> String { cut(text, limit).withVisibleControlsInLines }

  private static func cut(_ text: String, _ limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    let start = String(text.unicodeScalars.prefix(limit))
    return start.utf8.count == text.utf8.count ? text : start + " … (\(text.utf8.count) bytes)"
  }

  /// Percent-encodes a part of a path or a value of a query.
  static func url(_ text: String) -> String {
    var url: [UInt8] = []
    url.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: url.append(byte)
      default: url += [0x25, hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
      }
    }
    return String(decoding: url, as: UTF8.self)
  }

  private static let hexadecimal = Array("0123456789ABCDEF".utf8)
}
