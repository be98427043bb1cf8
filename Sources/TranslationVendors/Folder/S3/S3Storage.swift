package import Foundation
package import HTTPTransport
package import Localization
internal import Synchronization

/// A drop folder in a bucket of S3 or a compatible server (docs/decisions/0018-sftp-and-s3.md).
///
/// A folder is a prefix. An empty folder is an object whose key ends with a slash. Conditional writes (`If-None-Match: *`) prevent overwriting. The
/// storage tests once whether the server supports conditional writes.
package struct S3Storage: DropStorage {
  package let place: String
  let client: S3Client
  let now: @Sendable () -> Date
  /// The age in seconds at which another worker's move counts as interrupted.
  let takeover: TimeInterval
  /// The identifier of the worker that uses this storage.
  let worker: String
  private let isSingleWriter: Bool
  private let memory = Memory()

  /// The result of the test for conditional writes.
  private final class Memory: Sendable {
    let isExclusive = Mutex(false)
  }

  /// - Parameters:
  ///   - address: `s3://bucket/prefix`.
  ///   - endpoint: the URL of a server other than AWS.
  ///   - isSingleWriter: whether to check for an existing object before a new object is written, for servers without conditional writes. No other
  ///     client may write at the same time.
  ///   - credentials: called for each request, so a changed secret is used without a restart.
  ///   - takeover: the age at which another worker's move counts as interrupted.
  ///   - worker: the identifier of the worker among all workers that may move files concurrently. A worker that has the same identifier after a
  ///     restart finishes its interrupted moves at once.
  package init(
    address: String, endpoint: String? = nil, region: String? = nil, isSingleWriter: Bool = false,
    credentials: @escaping @Sendable () throws -> S3Credentials, transport: HTTPTransport,
    // After its record is written, moving an object of at most `passLimit` bytes takes four requests of at most 5 minutes each, so the move ends
    // within 20 minutes. Moves of larger objects and of folders take more requests.
    deadlines: Deadlines = Deadlines(), takeover: Duration = .seconds(1500),
    now: @escaping @Sendable () -> Date = { Date() }, worker: String = UUID().uuidString
  ) throws {
    let address = try S3Address(address, endpoint: endpoint, region: region)
    client = S3Client(address: address, credentials: credentials, transport: transport, deadlines: deadlines, now: now)
    place = address.text
    self.now = now
    self.takeover = TimeInterval(takeover.components.seconds)
    self.worker = worker
    self.isSingleWriter = isSingleWriter
  }

  package func place(of path: TreePath) -> String { client.address.text(of: path) }

  package func list(_ folder: TreePath) async throws -> DropListing? {
    let prefix = client.address.keyPrefix(folder)
    let found = try await client.list(prefix, deep: false)
    guard folder.isRoot || !found.objects.isEmpty || !found.folders.isEmpty else { return nil }
    var entries: [TreePath: DropEntry] = [:]
    for key in found.folders {
      guard let name = Self.name(key.dropFirst(prefix.count).dropLast()) else { continue }
      // A prefix has no time of its own, so a fixed time is used.
      let path = folder.appending(name)
      entries[path] = DropEntry(path: path, kind: .folder, modified: Date(timeIntervalSince1970: 0), tag: "")
    }
    // A file hides a folder of the same name until the file is moved away.
    for object in found.objects {
      guard let name = Self.name(object.key.dropFirst(prefix.count)) else { continue }
      let path = folder.appending(name)
      entries[path] = DropEntry(path: path, kind: .file, modified: object.modified, tag: object.tag)
    }
    return DropListing(entries: entries.values.sorted { $0.path < $1.path }, now: found.now)
  }

  package func entry(_ path: TreePath) async throws -> DropEntry? {
    guard !path.isRoot else { return nil }
    if let object = try await client.head(client.address.key(path)) {
      return DropEntry(path: path, kind: .file, modified: object.modified, tag: object.tag)
    }
    guard try await isFolder(path) else { return nil }
    return DropEntry(path: path, kind: .folder, modified: Date(timeIntervalSince1970: 0), tag: "")
  }

  package func read(_ path: TreePath, limit: Int) async throws -> [UInt8] {
    try await client.get(client.address.key(path), limit: limit).bytes
  }

  package func create(_ path: TreePath, with bytes: [UInt8]) async throws {
    try await checkExclusive()
    try await createKey(client.address.key(path), bytes)
  }

  package func replace(_ path: TreePath, with bytes: [UInt8]) async throws {
    try await client.put(client.address.key(path), bytes, .always)
  }

  package func copy(_ path: TreePath, to new: TreePath) async throws {
    try await checkExclusive()
    guard try await entry(new) == nil else { throw client.exists("copy \(path) to \(new)") }
    if let object = try await client.head(client.address.key(path)) {
      return try await pass(object.key, object.tag, to: client.address.key(new))
    }
    let objects = try await client.list(client.address.keyPrefix(path), deep: true).objects
    guard !objects.isEmpty else { throw client.missing("copy \(path)") }
    for object in objects {
      let target = client.address.keyPrefix(new) + object.key.dropFirst(client.address.keyPrefix(path).count)
      try await pass(object.key, object.tag, to: target)
    }
  }

  package func remove(_ path: TreePath) async throws {
    for object in try await client.list(client.address.keyPrefix(path), deep: true).objects {
      try await client.delete(object.key)
    }
    try await client.delete(client.address.key(path))
  }

  package func makeFolder(_ path: TreePath) async throws {
    if !path.isRoot { try await client.put(client.address.keyPrefix(path), [], .always) }
  }

  func isFolder(_ path: TreePath) async throws -> Bool {
    let found = try await client.list(client.address.keyPrefix(path), deep: true, count: 1)
    return !found.objects.isEmpty
  }

  /// Writes a new object.
  /// - Throws: `exists` if the object exists.
  func createKey(_ key: String, _ bytes: [UInt8]) async throws {
    if isSingleWriter, try await client.head(key) != nil { throw client.exists("write \(key)") }
    try await client.put(key, bytes, isSingleWriter ? .always : .ifNew)
  }

  /// Tests with a temporary object whether the server supports conditional writes, and throws `configuration` if it does not. The test is skipped if
  /// there is a single writer, or after it has succeeded once.
  func checkExclusive() async throws {
    guard !isSingleWriter, !memory.isExclusive.withLock({ $0 }) else { return }
    let key = client.address.prefix + ".dragoman-\(worker).tmp"
    var isExclusive = false
    do {
      try await client.put(key, [], .ifNew)
      try await client.put(key, [], .ifNew)
    } catch let error as VendorError where error.kind == .exists {
      isExclusive = true
    } catch let error as TransportError where error.kind == .status(501) || error.kind == .status(400) {
      isExclusive = false
    }
    try await client.delete(key)
    guard isExclusive else {
      throw VendorError(
        kind: .configuration, operation: "use \(place)",
        detail: "this server has no conditional writes (If-None-Match), so two writers could overwrite each other. Use "
          + "another server or a newer version of it. If only this installation writes to the folder, set "
          + "`single_writer: true`")
    }
    memory.isExclusive.withLock { $0 = true }
  }

  /// Returns a component of a key as a file name; `nil` for the object that marks a folder and for invalid names.
  private static func name(_ text: Substring) -> String? {
    guard !text.isEmpty, text != ".", text != "..", !text.utf8.contains(UInt8(ascii: "/")), !text.utf8.contains(0)
    else {
      return nil
    }
    return String(text)
  }
}
