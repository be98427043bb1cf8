internal import Foundation

/// Operations on whole folders. SFTP itself has no such operations.
enum SFTPTrees {
  /// The maximum size of a copied file in bytes. Bundles are smaller.
  private static let sizeLimit = 512 << 20
  /// The maximum depth of nested folders. Bundles have fewer levels.
  private static let depthLimit = 64

  /// Removes a file, or a folder with its contents. A missing path is not an error.
  static func remove(_ channel: SFTPChannel, _ path: String, depth: Int = 0) throws {
    guard let attributes = try channel.attributes(path) else { return }
    guard attributes.kind == .folder else { return try channel.remove(path) }
    for child in try children(channel, path, depth) { try remove(channel, child.path, depth: depth + 1) }
    try channel.removeFolder(path)
  }

  /// Copies a file or a folder. Other entries are skipped.
  static func copy(_ channel: SFTPChannel, _ path: String, to new: String, depth: Int = 0) throws {
    guard let attributes = try channel.attributes(path) else {
      throw SFTPStatus(code: SFTPStatus.Code.noSuchFile, message: "")
    }
    switch attributes.kind {
    case .file:
      // The whole file is read before it is written, because a copy in pieces would have to read and write at the same time. Bundles fit into memory.
      var bytes: [UInt8] = []
      try channel.read(path) { piece in
        bytes += piece
        return bytes.count <= sizeLimit
      }
      guard bytes.count <= sizeLimit else {
        throw VendorError(
          kind: .tooLarge, operation: "copy \(path)",
          detail: "it is larger than \(sizeLimit) bytes")
      }
      try channel.create(new, with: bytes)
    case .folder:
      try channel.makeFolder(new)
      for child in try children(channel, path, depth) {
        try copy(channel, child.path, to: new + "/" + child.name, depth: depth + 1)
      }
    default: break
    }
  }

  private static func children(
    _ channel: SFTPChannel, _ path: String, _ depth: Int
  ) throws -> [(path: String, name: String)] {
    guard depth < depthLimit else {
      throw VendorError(
        kind: .tooLarge, operation: "use \(path)", detail: "it is nested more than \(depthLimit) folders deep")
    }
    return try channel.names(in: path).compactMap { entry in
      guard let name = String(validating: entry.name, as: UTF8.self), name != ".", name != "..", !name.isEmpty,
        !entry.name.contains(UInt8(ascii: "/"))
      else { return nil }
      return (path + "/" + name, name)
    }
  }
}
