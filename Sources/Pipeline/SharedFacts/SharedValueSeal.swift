import Localization

/// Seals shared values: puts the HMAC of the name and content in front of the content.
///
/// The seal shows that a worker of this fleet stored the content under this name. A value that was damaged, written by somebody else, or
/// stored under another name is rejected.
struct SharedValueSeal: Sendable {
  private static let bytes = 32
  private let key: [UInt8]

  init(key: [UInt8]) { self.key = key }

  func sealed(_ content: [UInt8], as name: String) -> [UInt8] { mark(name, content) + content }

  /// Checks the seal of a value.
  /// - Returns: the content; `nil` if the seal is invalid.
  func opened(_ sealed: [UInt8], named name: String) -> [UInt8]? {
    guard sealed.count >= Self.bytes else { return nil }
    let content = Array(sealed[Self.bytes...])
    return mark(name, content) == Array(sealed[..<Self.bytes]) ? content : nil
  }

  private func mark(_ name: String, _ content: [UInt8]) -> [UInt8] {
    ContentDigest.authentication(of: Array(name.utf8), [0], content, key: key)
  }
}

/// The names of shared values. All names have the same length, and reveal nothing about the project.
enum SharedName {
  static func facts(of blob: BlobID, version: String) -> String { digest(["facts", version, blob.rawValue]) }

  static func value(for key: String) -> String { digest(["value", key]) }

  private static func digest(_ parts: [String]) -> String {
    var digest = ContentDigest()
    for part in parts { digest.update(text: part) }
    return Array(digest.finish().prefix(20)).hexadecimal
  }
}
