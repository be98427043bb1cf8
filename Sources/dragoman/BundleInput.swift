import Foundation
import GitSource
import Localization
import TranslationVendors
import ZipArchive

/// What the user gave `import`: an `.xcloc`, a zip with bundles or XLIFF files in it, or a bare `.xliff`.
enum BundleInput {
  /// - Throws: where nothing is at the path. What is there and cannot be read is a diagnostic, so that other bundles are taken.
  static func read(_ path: String) throws -> BundleReader {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw CommandFailure(.notFound, message("read %@: no such file", path, comment: "An error: a path."))
    }
    var reader = BundleReader(place: TreePath(trusted: path))
    guard isFolder.boolValue else {
      reader.readFile(try readFile(path))
      return reader
    }
    let folder = DirectoryTree(path: path)
    let entries = folder.walk()
    guard entries.count <= BundleReader.limits.entries else {
      throw CommandFailure(
        .unreadableInput,
        message("read %@: it has more than %lld files", path, BundleReader.limits.entries, comment: "An error: a path.")
      )
    }
    var contents: [TreePath: [UInt8]] = [:]
    var links: Set<TreePath> = []
    for entry in entries {
      if entry.isFile { contents[entry.path] = try folder.read(entry.path) } else { links.insert(entry.path) }
    }
    reader.read(contents, links: links)
    return reader
  }
}
