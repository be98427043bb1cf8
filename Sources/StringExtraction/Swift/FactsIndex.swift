import Localization

/// What linking takes for granted of each file of a project, without its facts: one small value in the cache.
struct FactsIndex {
  struct File {
    /// `EncodedFacts.interfaceDigest`
    var interface: [UInt8]
    var imports: [String]
    var firstError: SourcePlace?
  }

  var files: [BlobID: File] = [:]

  /// - Parameter bytes: as they were kept; anything else gives an empty index.
  init(_ bytes: [UInt8]?) {
    guard let bytes else { return }
    files = bytes.withUnsafeBufferPointer { try? Self.read($0) } ?? [:]
  }

  private static func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> [BlobID: File] {
    var cursor = try FactsCursor(bytes)
    var files: [BlobID: File] = [:]
    for _ in 0..<(try cursor.count()) {
      let blob = BlobID(rawValue: try cursor.string())
      var interface: [UInt8] = []
      for _ in 0..<EncodedFacts.digestBytes { interface.append(try cursor.tag()) }
      var imports: [String] = []
      for _ in 0..<(try cursor.count()) { imports.append(try cursor.string()) }
      let line = try cursor.number()
      let column = try cursor.number()
      let place = SourcePlace(line: Int32(truncatingIfNeeded: line - 1), column: Int32(truncatingIfNeeded: column))
      files[blob] = File(interface: interface, imports: imports, firstError: line == 0 ? nil : place)
    }
    return files
  }

  var encoded: [UInt8] {
    var stream = FactsStream()
    stream.list(files.sorted { $0.key.rawValue < $1.key.rawValue }) { stream, entry in
      stream.string(entry.key.rawValue)
      for byte in entry.value.interface { stream.tag(byte) }
      stream.list(entry.value.imports) { $0.string($1) }
      stream.number(Int(entry.value.firstError?.line ?? -1) + 1)
      stream.number(Int(entry.value.firstError?.column ?? 0))
    }
    return stream.finished()
  }
}
