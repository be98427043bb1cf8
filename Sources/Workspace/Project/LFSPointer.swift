import Localization

/// Detects Git LFS pointers: small text files in the repository in place of large files, whose content is on another server.
enum LFSPointer {
  private static let beginning = Array("version https://git-lfs.github.com/spec/".utf8)

  static func isPointer(_ bytes: [UInt8]) -> Bool { bytes.count < 1024 && bytes.starts(with: beginning) }

  /// Marks files of languages as unreadable if they are pointers.
  /// - Throws: an error if the catalog's main file is a pointer.
  static func refusing(_ files: CatalogFiles) throws(TreeError) -> CatalogFiles {
    func fault(_ path: TreePath) -> TreeError {
      TreeError(
        path: path, kind: .notAFile,
        detail:
          "this file is a Git LFS pointer, and its content is not in the repository. Catalogs are small: remove it from LFS "
          + "with `git lfs migrate export --include=\(path)`")
    }
    var files = files
    if let bytes = files.sourceBytes, isPointer(bytes) { throw fault(files.path) }
    for (language, path) in files.localizations {
      guard let bytes = files.bytes[path], isPointer(bytes) else { continue }
      files.bytes[path] = nil
      files.unread[language] = fault(path)
    }
    return files
  }
}
