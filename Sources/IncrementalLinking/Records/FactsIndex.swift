import Localization
import SwiftFacts

/// The properties of a project's files that linking needs even if it does not load the files' facts. They are stored as one small value in the cache.
struct FactsIndex {
  /// The version of the encoding. Increase it when the encoding changes.
  static let version = 2

  struct File {
    /// The value of `EncodedFacts.interfaceDigest`.
    var interface: FactsDigest
    var imports: [String]
    var firstError: SourcePlace?
  }

  var files: [BlobID: File] = [:]

  /// - Parameter bytes: the encoded index. For invalid bytes, the index is empty.
  init(_ bytes: [UInt8]?) {
    guard let bytes else { return }
    files = bytes.withUnsafeBufferPointer { try? Self.read($0) } ?? [:]
  }

  private static func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> [BlobID: File] {
    var cursor = try FactsCursor(bytes)
    let count = try cursor.count()
    var files: [BlobID: File] = [:]
    files.reserveCapacity(count)
    for _ in 0..<count {
      let blob = BlobID(rawValue: try cursor.single())
      let interface = try cursor.digest()
      var imports: [String] = []
      for _ in 0..<(try cursor.count()) { imports.append(try cursor.string()) }
      let place = try cursor.tag() == 0 ? nil : try cursor.place()
      files[blob] = File(interface: interface, imports: imports, firstError: place)
    }
    guard cursor.left == 0 else { throw FactsCursor.Malformed() }
    return files
  }

  var encoded: [UInt8] {
    var stream = FactsStream()
    stream.list(Array(files)) { stream, entry in
      stream.single(entry.key.rawValue)
      stream.digest(entry.value.interface)
      stream.list(entry.value.imports) { $0.string($1) }
      stream.tag(entry.value.firstError == nil ? 0 : 1)
      if let place = entry.value.firstError { stream.place(place) }
    }
    return stream.finished()
  }
}
