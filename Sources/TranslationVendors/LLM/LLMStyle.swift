internal import Foundation

/// A reader of the value of `style` in a pipeline file: either the style guide itself, or `file:` and the absolute path of a file that contains it.
enum LLMStyle {
  static let largest = 32 << 10

  static func text(_ value: String) throws(VendorError) -> String {
    let text: String
    if value.hasPrefix("file:") {
      text = try content(of: value.dropFirst(5).trimmingCharacters(in: .whitespaces))
    } else {
      guard !isPath(value) else {
        throw fault("“\(value)” looks like a path. Write file: and an absolute path, or the text itself")
      }
      text = value
    }
    guard text.utf8.count <= largest else { throw fault("the style guide is larger than \(largest) bytes") }
    return text
  }

  private static func isPath(_ value: String) -> Bool {
    !value.contains(where: \.isWhitespace)
      && (value.contains("/") || [".md", ".txt"].contains { value.lowercased().hasSuffix($0) })
  }

  private static func content(of path: String) throws(VendorError) -> String {
    let bytes = try OperatorFile.bytes(of: path, key: "style", limit: largest)
    guard let text = String(validating: bytes, as: UTF8.self), !text.contains("\0") else {
      throw fault("\(path) is not a text in UTF-8")
    }
    return text
  }

  private static func fault(_ detail: String) -> VendorError { LLMSettings.fault("style", detail) }
}
