package import ChildPrograms
package import Foundation
package import HTTPTransport
package import Localization

/// A drop folder on an SFTP server, reached through the system's `ssh` (docs/decisions/0018-sftp-and-s3.md).
///
/// The server's host key must be known. Files are never overwritten by accident: they are created exclusively, and renamed by the operation
/// that fails for an existing name. Each connection tests once whether the server follows the protocol in this respect.
package struct SFTPStorage: DropStorage {
  package let place: String
  private let address: SFTPAddress
  private let session: SFTPSession
  private let now: @Sendable () -> Date
  private let uniqueName: @Sendable () -> String

  /// - Parameters:
  ///   - address: `sftp://user@host:port/path`.
  ///   - credentials: called for each connection, so a changed secret is used without a restart.
  ///   - idleLimit: the time after which an idle connection is closed.
  ///   - uniqueName: returns unique names for temporary files.
  package init(
    address: String, credentials: @escaping @Sendable () throws -> SSHCredentials = { .agent },
    settings: SSHSettings = SSHSettings(), deadlines: Deadlines = Deadlines(), idleLimit: Duration = .seconds(60),
    now: @escaping @Sendable () -> Date = { Date() },
    uniqueName: @escaping @Sendable () -> String = { UUID().uuidString }
  ) throws {
    self.address = try SFTPAddress(address)
    place = self.address.text
    session = SFTPSession(
      self.address, credentials: credentials, settings: settings, deadlines: deadlines, idleLimit: idleLimit)
    self.now = now
    self.uniqueName = uniqueName
  }

  package func list(_ folder: TreePath) async throws -> DropListing? {
    try await session.run("list \(folder)") { channel in
      let found: [(name: [UInt8], attributes: SFTPAttributes)]
      do {
        try checkFolders(channel, to: folder)
        found = try channel.names(in: address.full(folder))
      } catch let error as VendorError where error.kind == .missing {
        return nil
      } catch let status as SFTPStatus where status.code == SFTPStatus.Code.noSuchFile {
        return nil
      }
      var listing = DropListing(entries: [])
      for (name, attributes) in found where name != [0x2E] && name != [0x2E, 0x2E] {
        guard !name.isEmpty, !name.contains(UInt8(ascii: "/")), !name.contains(0) else { continue }
        if let text = String(validating: name, as: UTF8.self) {
          let path = folder.appending(text)
          let known = attributes.kind == nil ? try channel.attributes(address.full(path)) : attributes
          if let known { listing.entries.append(known.entry(path)) }
        } else {
          listing.unreadableNames.append(String(escaping: name))
        }
      }
      listing.entries.sort { $0.path < $1.path }
      listing.unreadableNames.sort()
      guard !listing.entries.isEmpty else { return listing }
      // If the time difference is unknown, the server's times cannot be compared with ours. They are left out, so a bundle is only read after pulls
      // have seen it unchanged for long enough.
      do { listing.now = now().addingTimeInterval(try facts(channel).clockOffset) } catch is SFTPStatus {
        for index in listing.entries.indices { listing.entries[index].modified = nil }
      }
      return listing
    }
  }

  package func probeMissingRoot() -> VendorProbe {
    VendorProbe(facts: [
      "\(place) does not exist yet; the first run creates it if this account has the permission."
    ])
  }

  package func entry(_ path: TreePath) async throws -> DropEntry? {
    guard !path.isRoot else { return nil }
    return try await session.run("read the attributes of \(path)") { channel in
      do { try checkFolders(channel, to: path.parent) } catch let error as VendorError where error.kind == .missing {
        return nil
      }
      return try channel.attributes(address.full(path)).map { $0.entry(path) }
    }
  }

  package func read(_ path: TreePath, limit: Int) async throws -> [UInt8] {
    try await session.run("read \(path)") { channel in
      func tooLarge() -> VendorError {
        VendorError(kind: .tooLarge, operation: "read \(path)", detail: "it is larger than \(limit) bytes")
      }
      try checkFolders(channel, to: path.parent)
      guard let attributes = try channel.attributes(address.full(path)) else { throw missing("read \(path)") }
      guard attributes.kind == .file else {
        throw VendorError(
          kind: .notAFile, operation: "read \(path) on \(place)",
          detail: "it is a folder or a link, not a file (symbolic links are not followed)")
      }
      guard attributes.size ?? 0 <= UInt64(limit) else { throw tooLarge() }
      var bytes: [UInt8] = []
      try channel.read(address.full(path)) { piece in
        bytes += piece
        return bytes.count <= limit
      }
      guard bytes.count <= limit else { throw tooLarge() }
      return bytes
    }
  }

  package func create(_ path: TreePath, with bytes: [UInt8]) async throws {
    // A long file is first written under a temporary name, because writing it takes several requests. If the connection ends in between, only the
    // temporary file stays on the server. A short file is written directly.
    guard bytes.count <= 32 << 10 else { return try await createFirst(path, with: bytes) }
    try await session.run("write \(path)") { channel in
      try checkExclusive(channel)
      try checkFolders(channel, to: path.parent)
      let full = address.full(path)
      try exclusively("write \(path)", channel, full) { try channel.create(full, with: bytes) }
    }
  }

  package func createFirst(_ path: TreePath, with bytes: [UInt8]) async throws {
    try await session.run("write \(path)") { channel in
      try checkExclusive(channel)
      try checkFolders(channel, to: path.parent)
      let full = address.full(path)
      let temporary = address.full(path.parent.appending(".\(uniqueName()).part"))
      try channel.create(temporary, with: bytes)
      do { try exclusively("write \(path)", channel, full) { try channel.rename(temporary, to: full) } } catch {
        // After other errors, the connection cannot be used.
        if error is VendorError || error is SFTPStatus { try channel.discard(temporary) }
        throw error
      }
    }
  }

  package func replace(_ path: TreePath, with bytes: [UInt8]) async throws {
    try await session.run("write \(path)") { channel in
      try checkFolders(channel, to: path.parent)
      let temporary = address.full(path.parent.appending(".\(path.name).part"))
      if try channel.attributes(temporary) != nil { try channel.remove(temporary) }
      try channel.create(temporary, with: bytes)
      try channel.replace(address.full(path), with: temporary)
    }
  }

  package func move(_ path: TreePath, to new: TreePath) async throws {
    try await session.run("move \(path) to \(new)") { channel in
      try checkExclusive(channel)
      try checkFolders(channel, to: path.parent)
      try checkFolders(channel, to: new.parent)
      try rename(channel, path, to: new)
    }
  }

  package func copy(_ path: TreePath, to new: TreePath) async throws {
    try await session.run("copy \(path) to \(new)") { channel in
      try checkExclusive(channel)
      try checkFolders(channel, to: path.parent)
      try checkFolders(channel, to: new.parent)
      guard try channel.attributes(address.full(new)) == nil else { throw taken("copy \(path) to \(new)") }
      let temporary = new.parent.appending(".\(new.name).part")
      try SFTPTrees.remove(channel, address.full(temporary))
      try SFTPTrees.copy(channel, address.full(path), to: address.full(temporary))
      try rename(channel, temporary, to: new)
    }
  }

  package func remove(_ path: TreePath) async throws {
    try await session.run("remove \(path)") { channel in
      do { try checkFolders(channel, to: path.parent) } catch let error as VendorError where error.kind == .missing {
        return
      }
      try SFTPTrees.remove(channel, address.full(path))
    }
  }

  package func makeFolder(_ path: TreePath) async throws {
    try await session.run(path == .root ? "create the folder" : "create folder \(path)") { channel in
      if try channel.attributes([address.path], following: true)[0] == nil {
        let parts = address.path.split(separator: "/")
        for count in 1...max(1, parts.count) {
          let folder = (address.path.hasPrefix("/") ? "/" : "") + parts.prefix(count).joined(separator: "/")
          if try channel.attributes([folder], following: true)[0] == nil { try makeFolder(channel, folder) }
        }
      }
      var made = TreePath.root
      for component in path.components {
        made = made.appending(String(component))
        if try channel.attributes(address.full(made)) == nil { try makeFolder(channel, address.full(made)) }
        // This check fails for a link, so nothing is created below a link.
        try checkFolders(channel, to: made)
      }
    }
  }

  /// Creates a folder. A folder that another client created in the meantime is not an error.
  private func makeFolder(_ channel: SFTPChannel, _ path: String) throws {
    do { try channel.makeFolder(path) } catch let status as SFTPStatus {
      guard try channel.attributes(path)?.kind == .folder else { throw status }
    }
  }

  private func facts(_ channel: SFTPChannel) throws -> SFTPServerFacts {
    if let facts = channel.facts { return facts }
    let facts = try SFTPServerFacts.find(channel, in: address.full(.root), name: uniqueName(), now: now())
    channel.facts = facts
    return facts
  }

  private func checkExclusive(_ channel: SFTPChannel) throws {
    do { if try facts(channel).isExclusive { return } } catch let status as SFTPStatus
      where status.code == SFTPStatus.Code.noSuchFile
    { throw missing("use \(place)") }
    throw VendorError(
      kind: .configuration, operation: "use \(place)",
      detail:
        "this server overwrites files although SFTP forbids this, so bundles could be lost. Use another server, or "
        + "davs://")
  }

  /// Checks that a folder and all folders above it within the drop folder are folders and not links.
  private func checkFolders(_ channel: SFTPChannel, to folder: TreePath) throws {
    var paths: [String] = []
    var path = TreePath.root
    for component in folder.components {
      path = path.appending(String(component))
      paths.append(address.full(path))
    }
    guard !paths.isEmpty else { return }
    for (path, attributes) in zip(paths, try channel.attributes(paths)) {
      guard let attributes else { throw missing("open \(path)") }
      guard attributes.kind == .folder else {
        throw VendorError(
          kind: .notAFile, operation: "open \(path) on \(place)",
          detail: "it is not a folder (symbolic links are not followed)")
      }
    }
  }

  private func rename(_ channel: SFTPChannel, _ path: TreePath, to new: TreePath) throws {
    let operation = "move \(path) to \(new)"
    guard try channel.attributes(address.full(new)) == nil else { throw taken(operation) }
    try exclusively(operation, channel, address.full(new)) {
      try channel.rename(address.full(path), to: address.full(new))
    }
  }

  /// Runs an operation that creates a name. SFTP has no status code for an existing name, so the name is checked after a refusal.
  private func exclusively(_ operation: String, _ channel: SFTPChannel, _ new: String, _ body: () throws -> Void) throws
  {
    do { try body() } catch let status as SFTPStatus {
      if status.code == SFTPStatus.Code.noSuchFile { throw missing(operation) }
      if status.code == SFTPStatus.Code.failure, try channel.attributes(new) != nil { throw taken(operation) }
      throw status
    }
  }

  private func taken(_ operation: String) -> VendorError {
    VendorError(kind: .exists, operation: operation, detail: "a file with this name already exists on \(place)")
  }

  private func missing(_ operation: String) -> VendorError {
    VendorError(kind: .missing, operation: operation, detail: "no such file or folder on \(place)")
  }
}
