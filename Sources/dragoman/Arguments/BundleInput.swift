import CatalogFormats
import Foundation
import GitSource
import Localization
import TranslationVendors
import ZipArchive

/// A reader of the argument of `import`: an `.xcloc`, another folder with bundles or XLIFF files, a zip of them, or a bare `.xliff`.
enum BundleInput {
  /// Reads the bundles at a path.
  /// - Throws: an error if nothing exists at the path, if a file cannot be read from the disk, or if there are too many files or bytes. A file with
  ///   faulty content is only reported, and the other bundles are still imported.
  static func read(_ path: String) throws -> BundleReader {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw CommandFailure(.notFound, message("%@: no such file", path, comment: "An error: a path."))
    }
    var reader = BundleReader(place: TreePath(trusted: path))
    let limits = BundleReader.limits
    guard isFolder.boolValue else {
      guard size(of: path) <= limits.totalBytes else { throw tooLarge(path, limits.totalBytes) }
      reader.readFile(try readFile(path))
      return reader
    }
    let folder = DirectoryTree(path: path)
    let entries = try folder.wholeWalk()
    guard entries.count <= limits.entries else {
      throw CommandFailure(
        .unreadableInput,
        message(
          "%@ has more than %lld files, the limit", path, limits.entries, comment: "An error: a path and a limit.")
      )
    }
    var contents: [TreePath: [UInt8]] = [:]
    var links: Set<TreePath> = []
    var bytes = 0
    for entry in entries {
      guard entry.isFile else {
        links.insert(entry.path)
        continue
      }
      // Source texts and screenshots are only sent, never imported.
      let isWanted =
        XCLoc.isXLIFF(entry.path) || entry.path.name == "contents.json"
        || entry.path.components.contains("Localized Contents")
      guard isWanted else { continue }
      bytes += size(of: path + "/" + entry.path.text)
      guard bytes <= limits.totalBytes else { throw tooLarge(path, limits.totalBytes) }
      contents[entry.path] = try folder.read(entry.path)
    }
    reader.read(contents, links: links)
    return reader
  }

  private static func size(of path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? Int) ?? (attributes?[.size] as? UInt64).map(Int.init(clamping:)) ?? 0
  }

  private static func tooLarge(_ path: String, _ bytes: Int) -> CommandFailure {
    CommandFailure(
      .unreadableInput,
      message("%@ has more than %lld bytes, the limit", path, bytes, comment: "An error: a path and a limit."))
  }
}
