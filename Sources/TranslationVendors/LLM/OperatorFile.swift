internal import Foundation
internal import Localization

/// A file that the operator wrote and a pipeline file names.
///
/// The watched repository's authors must not be able to write instructions to the model, so no file of a repository is read.
enum OperatorFile {
  /// - Parameters:
  ///   - path: an absolute path.
  ///   - key: of the pipeline file, for messages.
  ///   - limit: the largest file that is read, in bytes.
  static func bytes(of path: String, key: String, limit: Int) throws(VendorError) -> [UInt8] {
    func fault(_ detail: String) -> VendorError { LLMSettings.fault(key, detail) }
    guard path.hasPrefix("/") else { throw fault("“\(path)” is not an absolute path") }
    let real = CanonicalPlace.path(path)
    if let repository = repository(around: real) {
      throw fault("\(path) belongs to the Git repository \(repository). Put the file outside of any repository")
    }
    let file = TreePath(trusted: String(real.dropFirst()))
    do { return try DirectoryStorage(root: "/").read(file, limit: limit) } catch let error as VendorError {
      throw fault("\(path) cannot be read: \(error.detail)")
    } catch {
      throw fault("\(path) cannot be read")
    }
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
}
