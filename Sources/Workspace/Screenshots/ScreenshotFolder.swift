package import Localization

/// The pictures of a folder, each with clues to the strings that it shows. The folder is untrusted: sizes, numbers and depth are limited, symbolic
/// links are skipped, and pictures are not decoded.
package struct ScreenshotFolder: Sendable {
  package struct Picture: Sendable {
    /// The path relative to the folder.
    package var path: TreePath
    package var format: Screenshot.Format
    package var bytes: [UInt8]
    var clues: [ScreenshotClue]
  }

  package struct Limits: Sendable {
    package var pictures = 500
    /// The maximum size of one picture in bytes.
    package var bytes = 10 << 20
    /// The maximum total size of all pictures in bytes.
    package var allBytes = 64 << 20
    package var entries = 10_000
    package var depth = 8

    package init() {}
  }

  package private(set) var pictures: [Picture] = []
  /// Diagnostics about skipped files, with the reasons; at most ten.
  package private(set) var diagnostics: [Diagnostic] = []

  private let place: String
  private let limits: Limits
  private var entries = 0
  private var size = 0

  /// Reads the pictures of a folder.
  /// - Parameters:
  ///   - folder: the path of the folder in the tree.
  ///   - place: the name of the folder in messages.
  package init(_ folder: TreePath, in tree: any SourceTree, place: String, limits: Limits = Limits()) {
    self.place = place
    self.limits = limits
    do throws(TreeError) {
      guard try tree.entry(at: folder)?.kind == .folder else {
        throw TreeError(path: folder, kind: .notFound, detail: "no such folder")
      }
      try read(folder, below: folder, in: tree, depth: 0)
    } catch {
      if error.kind == .notFound {
        report("", "the folder of screenshots does not exist", hint: "change `screenshots`, or create the folder")
      } else {
        report("", "screenshots cannot be read: \(error.detail)", hint: nil)
      }
    }
  }

  /// Reads one picture of a folder again.
  /// - Parameter path: the path relative to the folder.
  /// - Returns: the picture; `nil` if the file was deleted, is no longer a picture, or is too large.
  package static func picture(
    at path: TreePath, of folder: TreePath, in tree: any SourceTree, limits: Limits = Limits()
  ) -> (format: Screenshot.Format, bytes: [UInt8])? {
    let place = folder.appending(path)
    guard let bytes = try? tree.read(place), bytes.count <= limits.bytes, let format = Screenshot.Format(bytes) else {
      return nil
    }
    return (format, bytes)
  }

  private mutating func read(
    _ folder: TreePath, below root: TreePath, in tree: any SourceTree, depth: Int
  ) throws(TreeError) {
    let listed = try tree.list(folder)
    let names = Set(listed.map(\.path))
    for entry in listed {
      entries += 1
      guard entries <= limits.entries, let path = entry.path.relative(to: root) else {
        if entries == limits.entries + 1 {
          report(
            "", "more than \(limits.entries) files; the rest is skipped", hint: "remove files that are not screenshots"
          )
        }
        return
      }
      guard !entry.path.name.hasPrefix(".") else { continue }
      if entry.kind == .folder {
        if depth < limits.depth { try read(entry.path, below: root, in: tree, depth: depth + 1) }
      } else if entry.isFile, ["png", "jpg", "jpeg"].contains(entry.path.ending.lowercased()) {
        try add(entry.path, path, names, in: tree)
      }
    }
  }

  private mutating func add(
    _ place: TreePath, _ path: TreePath, _ siblings: Set<TreePath>, in tree: any SourceTree
  ) throws(TreeError) {
    let bytes: [UInt8]
    do { bytes = try tree.read(place) } catch {
      return report(path.text, "this screenshot cannot be read: \(error.detail)", hint: nil)
    }
    guard let format = Screenshot.Format(bytes) else {
      return report(path.text, "this is neither a PNG nor a JPEG file", hint: "remove it, or save it as PNG")
    }
    guard bytes.count <= limits.bytes else {
      return report(path.text, "this screenshot is larger than \(limits.bytes >> 20) MiB", hint: "reduce its size")
    }
    guard pictures.count < limits.pictures, size + bytes.count <= limits.allBytes else {
      return report(
        path.text, "the folder has more than \(limits.pictures) screenshots or \(limits.allBytes >> 20) MiB",
        hint: "remove some, or reduce their size")
    }
    var clues = Self.names(of: path)
    if format == .png {
      let lines = PNGTexts.read(bytes).flatMap { $0.split(whereSeparator: \.isNewline).map(String.init) }
      clues += lines.prefix(AccessibilityDump.mostElements).map { .any($0) }
    }
    let dump = TreePath(trusted: String(place.text.dropLast(place.ending.count)) + "json")
    if siblings.contains(dump) {
      if let bytes = try? tree.read(dump), let found = AccessibilityDump.read(bytes) {
        clues += found
      } else {
        report(
          path.text, "the accessibility dump next to this screenshot cannot be read",
          hint: "its format is in docs/reference/pipelines.md, section Screenshots; at most 1 MiB")
      }
    }
    size += bytes.count
    pictures.append(Picture(path: path, format: format, bytes: bytes, clues: clues))
  }

  /// Returns the names of the file and its folders as clues, without the suffixes that tools add, as in `Settings_0_6F8D…-….png` and
  /// `Settings@2x.png`.
  private static func names(of path: TreePath) -> [ScreenshotClue] {
    var names = path.components
    guard var stem = names.popLast()?.dropLast(path.ending.count + 1) else { return [] }
    if let scale = stem.firstIndex(of: "@") { stem = stem[..<scale] }
    let parts = stem.split(separator: "_", omittingEmptySubsequences: false)
    // `xcresulttool export attachments` adds such suffixes.
    if parts.count > 2, parts[parts.count - 1].count == 36, parts[parts.count - 2].allSatisfy(\.isNumber) {
      stem = stem.dropLast(parts[parts.count - 1].count + parts[parts.count - 2].count + 2)
    }
    return (names + [stem]).map { .name(String($0)) }
  }

  private mutating func report(_ path: String, _ message: String, hint: String?) {
    guard diagnostics.count < 10 else { return }
    diagnostics.append(
      Diagnostic(
        path: path.isEmpty ? place : "\(place)/\(path)", severity: .warning, message: message, hint: hint))
  }
}
