internal import Foundation
internal import Localization

/// The style guide that a pipeline file gives: a text, or a file that the operator wrote.
///
/// The watched repository's authors must not be able to write instructions to the model, so no file of a repository is read.
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
    guard path.hasPrefix("/") else { throw fault("“\(path)” is not an absolute path") }
    let real = CanonicalPlace.path(path)
    if let repository = repository(around: real) {
      throw fault(
        "\(path) belongs to the Git repository \(repository). Put the file outside of any repository, or write the text itself"
      )
    }
    let file = TreePath(trusted: String(real.dropFirst()))
    let bytes: [UInt8]
    do { bytes = try DirectoryStorage(root: "/").read(file, limit: largest) } catch let error as VendorError {
      throw fault("\(path) cannot be read: \(error.detail)")
    } catch {
      throw fault("\(path) cannot be read")
    }
    guard let text = String(validating: bytes, as: UTF8.self), !text.contains("\0") else {
      throw fault("\(path) is not a text in UTF-8")
    }
    return text
  }

  /// The work tree or bare repository that a path is in.
  private static func repository(around path: String) -> String? {
    let files = FileManager.default
    var folder = path
    while let slash = folder.lastIndex(of: "/") {
      folder = String(folder[..<slash])
      let isBare = ["HEAD", "objects", "refs"].allSatisfy { files.fileExists(atPath: "\(folder)/\($0)") }
      if isBare || files.fileExists(atPath: "\(folder)/.git") { return folder.isEmpty ? "/" : folder }
    }
    return nil
  }

  private static func fault(_ detail: String) -> VendorError { LLMSettings.fault("style", detail) }
}
