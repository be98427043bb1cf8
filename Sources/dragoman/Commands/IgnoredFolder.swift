import Foundation
import GitSource
import Localization
import ProjectLayout

/// The change of a repository's `.gitignore` that keeps a folder out of commits.
struct IgnoredFolder {
  /// The path of the `.gitignore`.
  let file: String
  /// The file's name in messages.
  let name: String
  /// The new text of the file.
  let text: String
  let isNew: Bool

  /// Determines how `.gitignore` must change so that git ignores a folder.
  /// - Parameters:
  ///   - folder: the folder to ignore, relative to the current directory.
  ///   - path: a folder of the repository.
  /// - Returns: `nil` if the repository is bare, if the current directory is outside the repository, if the `.gitignore` files of the repository
  ///   already ignore the folder, or if the file is a symbolic link or not UTF-8. Git's other lists of ignored files do not count, because other
  ///   clones of the repository do not have them.
  /// - Throws: `GitError` if there is no repository at the path.
  init?(_ folder: String, from path: String) throws {
    let repository = try GitRepository(path: path, searchingUpwards: true)
    let root = URL(filePath: repository.root).resolvingSymlinksInPath().path
    let current = URL(filePath: FileManager.default.currentDirectoryPath).resolvingSymlinksInPath().path
    guard !repository.isBare, (current + "/").hasPrefix(root + "/") else { return nil }
    let parts = (current.dropFirst(root.count) + "/" + folder).split(separator: "/").map(String.init)
    file = root + "/.gitignore"
    name = current == root ? ".gitignore" : file
    let data = FileManager.default.contents(atPath: file)
    let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: file)) != nil
    guard !isLink, let old = data.map({ String(validating: $0, as: UTF8.self) }) ?? "" else { return nil }
    isNew = data == nil
    let place = parts.joined(separator: "/")
    let ignored = IgnoredFiles(DirectoryTree(path: root))
    if let path = TreePath(checking: place), ignored.contains(path, isFolder: true) { return nil }
    let end = old.contains("\r\n") ? "\r\n" : "\n"
    let separator = old.isEmpty || old.last?.isNewline == true ? "" : end
    text = old + separator + "/" + Self.escaped(place) + "/" + end
  }

  /// Escapes the characters that have a special meaning in patterns.
  private static func escaped(_ path: String) -> String {
    path.map { "\\*?[".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}
