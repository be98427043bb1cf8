import Localization

/// A small text that Git LFS keeps in the repository in place of a large file. The content itself is on another server.
enum LFSPointer {
  private static let beginning = Array("version https://git-lfs.github.com/spec/".utf8)

  static func isPointer(_ bytes: [UInt8]) -> Bool { bytes.count < 1024 && bytes.starts(with: beginning) }

  /// Treats the files of languages that are pointers as unreadable.
  /// - Throws: if the file that names the catalog is one.
  static func refusing(_ files: CatalogFiles) throws(TreeError) -> CatalogFiles {
    func fault(_ path: TreePath) -> TreeError {
      TreeError(
        path: path, kind: .notAFile,
        detail:
          "it is a pointer of Git LFS, and its content is not in the repository. Catalogs are small texts: take it out of LFS "
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
