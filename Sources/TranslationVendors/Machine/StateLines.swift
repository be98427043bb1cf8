internal import Foundation
internal import Localization

/// The part of the names of state files that identifies the vendor.
package enum VendorStateName {
  /// Returns the vendor's name with `_` in place of characters that file names should not contain. Different names can have the same result.
  package static func of(_ vendor: String) -> String {
    String(vendor.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "_" })
  }
}

/// A file of JSON lines in a vendor's state folder. New lines are appended and synced. Lines that cannot be decoded, such as an incomplete last line,
/// are ignored.
struct StateLines: Sendable {
  private let storage: DirectoryStorage
  private let file: TreePath

  /// - Parameter vendor: the vendor's name, which becomes part of the file's name (``VendorStateName``).
  init(folder: String, name: String, vendor: String) {
    storage = DirectoryStorage(root: folder, mode: 0o600)
    file = TreePath(trusted: "\(name)-\(VendorStateName.of(vendor)).jsonl")
  }

  /// Returns all files of a kind. Each file is returned with the vendor's part of the file name.
  static func all(named name: String, in folder: String) -> [(vendor: String, lines: StateLines)] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.sorted().compactMap { file in
      guard file.hasPrefix("\(name)-"), file.hasSuffix(".jsonl") else { return nil }
      let vendor = String(file.dropFirst(name.count + 1).dropLast(6))
      return (vendor, StateLines(folder: folder, name: name, vendor: vendor))
    }
  }

  func read<Line: Decodable>(_ type: Line.Type) throws -> [Line] {
    guard try storage.entry(file) != nil else { return [] }
    return try storage.read(file, limit: 1 << 30).split(separator: UInt8(ascii: "\n")).compactMap {
      try? JSONDecoder().decode(type, from: Data($0))
    }
  }

  static func bytes(of line: some Encodable) throws -> [UInt8] {
    Array(try JSONEncoder().encode(line)) + [UInt8(ascii: "\n")]
  }

  /// Appends lines and syncs the file.
  func append(_ lines: [UInt8]) throws {
    guard !lines.isEmpty else { return }
    try storage.makeFolder(.root)
    if try storage.entry(file) == nil { try storage.create(file, with: []) }
    do {
      guard let handle = FileHandle(forUpdatingAtPath: storage.fullPath(file)) else {
        throw CocoaError(.fileWriteNoPermission)
      }
      defer { try? handle.close() }
      let end = try handle.seekToEnd()
      var lines = lines
      if end > 0 {
        // If the last line is incomplete, a line break separates it from the first new line.
        try handle.seek(toOffset: end - 1)
        if try handle.read(upToCount: 1) != Data([UInt8(ascii: "\n")]) { lines.insert(UInt8(ascii: "\n"), at: 0) }
      }
      try handle.write(contentsOf: Data(lines))
      try handle.synchronize()
    } catch {
      throw VendorError(
        kind: .disk, operation: "write \(storage.fullPath(file))", detail: "check its permissions and the disk space")
    }
  }

  /// Replaces the contents of the file with these lines. If there are none, the file is deleted.
  func replace(_ lines: [UInt8]) throws {
    guard !lines.isEmpty else { return try remove() }
    try storage.makeFolder(.root)
    try storage.replace(file, with: lines)
  }

  func remove() throws { if try storage.entry(file) != nil { try storage.remove(file) } }
}
