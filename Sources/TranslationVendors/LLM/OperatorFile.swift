internal import Foundation
internal import Localization

/// A reader of files that the operator wrote and whose paths are in a pipeline file.
///
/// Files in Git repositories are refused, because authors of a repository must not be able to give instructions to the model.
enum OperatorFile {
  /// Returns the contents of a file.
  /// - Parameters:
  ///   - path: an absolute path.
  ///   - key: the key of the pipeline file, for messages.
  ///   - limit: the maximum size of the file in bytes.
  static func bytes(of path: String, key: String, limit: Int) throws(VendorError) -> [UInt8] {
    func fault(_ detail: String) -> VendorError { LLMSettings.fault(key, detail) }
    guard path.hasPrefix("/") else { throw fault("“\(path)” is not an absolute path") }
    let real = CanonicalPlace.path(path)
    if let repository = repository(around: real) {
      throw fault("\(path) is in the Git repository \(repository). Move the file outside any repository")
    }
    let file = TreePath(trusted: String(real.dropFirst()))
    do { return try DirectoryStorage(root: "/").read(file, limit: limit) } catch let error as VendorError {
      throw fault("\(path) cannot be read: \(error.detail)")
    } catch {
      throw fault("\(path) cannot be read")
    }
  }

  /// Returns the work tree or bare repository that contains a path; `nil` if there is none.
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
}
