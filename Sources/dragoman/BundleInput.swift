import CatalogFormats
import Foundation
import GitSource
import Localization
import ZipArchive

/// What the user gave `import`: an `.xcloc`, a zip with bundles or XLIFF files in it, or a bare `.xliff`.
struct BundleInput {
  var files: [ExchangeFile] = []
  var diagnostics: [Diagnostic] = []

  /// - Throws: where nothing is at the path. What is there and cannot be read is a diagnostic, so that other bundles are taken.
  static func read(_ path: String) throws -> BundleInput {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw CommandFailure(.notFound, message("read %@: no such file", path, comment: "An error: a path."))
    }
    var input = BundleInput()
    if isFolder.boolValue {
      input.readBundle(DirectoryTree(path: path), at: .root, named: path)
      return input
    }
    let bytes = try readFile(path)
    if bytes.starts(with: [0x50, 0x4B]) {
      do {
        input.readTree(InMemoryTree(try ZipArchive.read(bytes, limits: ArchiveLimits())), named: path)
      } catch {
        input.diagnostics.append(Diagnostic(path: path, severity: .error, message: error.description))
      }
    } else {
      input.readXLIFF(bytes, named: path)
    }
    return input
  }

  private mutating func readTree(_ tree: InMemoryTree, named name: String) {
    let paths = tree.walk().map(\.path)
    let bundles = Set(
      paths.compactMap { path in
        path.components.firstIndex { $0.hasSuffix(".xcloc") }.map { end in
          TreePath(trusted: path.components[...end].joined(separator: "/"))
        }
      })
    for bundle in bundles.sorted() { readBundle(tree, at: bundle, named: "\(name)/\(bundle)") }
    for path in paths where path.ending == "xliff" && !bundles.contains(where: { path.isWithin($0) }) {
      if let bytes = try? tree.read(path) { readXLIFF(bytes, named: "\(name)/\(path)") }
    }
    if files.isEmpty && diagnostics.isEmpty {
      diagnostics.append(
        Diagnostic(path: name, severity: .error, message: "holds neither an .xcloc nor an .xliff"))
    }
  }

  private mutating func readBundle(_ tree: any SourceTree, at folder: TreePath, named name: String) {
    do {
      let bundle = try XCLoc.read(tree, at: folder)
      files += bundle.files
      diagnostics += bundle.diagnostics
    } catch {
      diagnostics += error.diagnostics
    }
  }

  private mutating func readXLIFF(_ bytes: [UInt8], named name: String) {
    do {
      let document = try XLIFF.read(bytes, at: name)
      files += document.files
      diagnostics += document.diagnostics
    } catch {
      diagnostics += error.diagnostics
    }
  }
}
