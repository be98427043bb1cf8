internal import Foundation
package import Localization

/// The record of a move in progress. The record is written before the move's first step and removed after the last step.
///
/// The record is needed because S3 has no rename. Records are created exclusively, so only one worker moves a path at a time. A worker that
/// finds the record of an interrupted move finishes that move.
struct S3MoveRecord: Codable, Hashable {
  var from: String
  var to: String
  /// The entity tag of the moved object; `nil` for a folder.
  var tag: String?
  /// The worker that started the move.
  var worker: String

  static func path(for path: TreePath) -> TreePath {
    TreePath(".dragoman-moves").appending(ContentDigest.hexadecimal(of: path.text.utf8, bytes: 16) + ".json")
  }
}

extension S3Storage {
  /// Objects of at most this size in bytes are copied by downloading and uploading them. Larger objects are copied on the server.
  static let passLimit = 64 << 20

  package func move(_ path: TreePath, to new: TreePath) async throws {
    try await checkExclusive()
    try await KeyedTurns.shared.run("s3 move \(place)/\(path)") {
      let record = S3MoveRecord.path(for: path)
      for _ in 0..<3 {
        let object = try await client.head(client.address.key(path))
        let isThere = if object == nil { try await isFolder(path) } else { true }
        let move = S3MoveRecord(from: path.text, to: new.text, tag: object?.tag, worker: worker)
        let isOurs = isThere ? try await begin(move, record) : false
        if isOurs {
          if object == nil, try await entry(new) != nil {
            try await client.delete(client.address.key(record))
            throw client.exists("move \(path) to \(new)")
          }
          return try await carryOut(move, record, isResumed: false)
        }
        if let earlier = try await earlierMove(record) {
          try await carryOut(earlier, record, isResumed: true)
          if earlier.to == new.text { return }
        } else if !isThere {
          break
        }
      }
      throw client.missing("move \(path)")
    }
  }

  /// Writes the record of a move.
  /// - Returns: `false` if a record exists.
  private func begin(_ move: S3MoveRecord, _ record: TreePath) async throws -> Bool {
    do {
      try await createKey(client.address.key(record), Array(try JSONEncoder().encode(move)))
      return true
    } catch let error as VendorError where error.kind == .exists { return false }
  }

  /// Reads the record of an interrupted move, so this worker can finish the move.
  /// - Returns: `nil` if there is no record, because the move has finished.
  /// - Throws: `missing` while another worker carries out the move, `protocolFault` if the record is damaged.
  private func earlierMove(_ path: TreePath) async throws -> S3MoveRecord? {
    let key = client.address.key(path)
    guard let found = try await unlessMissing({ try await client.get(key, limit: 1 << 16) }) else { return nil }
    guard let move = try? JSONDecoder().decode(S3MoveRecord.self, from: Data(found.bytes)) else {
      throw VendorError(
        kind: .protocolFault, operation: "read \(path) on \(place)",
        detail: "the record of a move is damaged. Delete it")
    }
    let age = found.object.modified.map { (found.serverNow ?? now()).timeIntervalSince($0) } ?? 0
    guard move.worker == worker || age > takeover else {
      throw VendorError(
        kind: .missing, operation: "move \(move.from) on \(place)",
        detail: "another process is moving it now")
    }
    return move
  }

  private func carryOut(_ move: S3MoveRecord, _ record: TreePath, isResumed: Bool) async throws {
    let (from, to) = (TreePath(trusted: move.from), TreePath(trusted: move.to))
    do {
      if let tag = move.tag {
        try await transfer(client.address.key(from), tag, to: client.address.key(to), isResumed: isResumed)
        try await client.delete(client.address.key(from), tag: tag)
      } else {
        let objects = try await client.list(client.address.keyPrefix(from), deep: true).objects
        for object in objects {
          let target = client.address.keyPrefix(to) + object.key.dropFirst(client.address.keyPrefix(from).count)
          try await transfer(object.key, object.tag, to: target, isResumed: isResumed)
        }
        for object in objects { try await client.delete(object.key, tag: object.tag) }
      }
    } catch let error as VendorError where error.kind == .missing || error.kind == .exists {
      // The source is missing or has changed, or the target exists. The record is removed, so the path can be moved again.
      try await client.delete(client.address.key(record))
      if isResumed, error.kind == .missing { return }
      throw error
    }
    try await client.delete(client.address.key(record))
  }

  /// Copies an object with a known entity tag to a new key. In a resumed move, an existing copy is kept.
  private func transfer(_ source: String, _ tag: String, to target: String, isResumed: Bool) async throws {
    do { try await pass(source, tag, to: target) } catch let error as VendorError
      where error.kind == .exists && isResumed
    {
      // An existing object with the same contents is the copy of the interrupted move. For objects above the limit, only the sizes are compared.
      guard let there = try await client.head(target), let here = try await client.head(source) else { throw error }
      guard there.size == here.size else { throw error }
      guard there.size <= Self.passLimit else { return }
      guard try await isSame(source, target) else { throw error }
    }
  }

  func pass(_ source: String, _ tag: String, to target: String) async throws {
    do {
      let bytes = try await client.get(source, tag: tag, limit: Self.passLimit).bytes
      try await createKey(target, bytes)
    } catch let error as VendorError where error.kind == .tooLarge {
      guard let object = try await client.head(source), object.tag == tag else {
        throw client.missing("move \(source)")
      }
      try await client.copy(object, to: target)
    }
  }

  private func isSame(_ one: String, _ other: String) async throws -> Bool {
    try await client.get(one, limit: Self.passLimit).bytes == client.get(other, limit: Self.passLimit).bytes
  }

  func unlessMissing<Result>(_ body: () async throws -> Result) async throws -> Result? {
    do { return try await body() } catch let error as VendorError where error.kind == .missing { return nil }
  }
}
