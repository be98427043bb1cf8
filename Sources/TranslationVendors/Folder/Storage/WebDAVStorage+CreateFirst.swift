internal import Foundation
internal import HTTPTransport
package import Localization

extension WebDAVStorage {
  private static let attempts = 50
  /// The age of a guard, in seconds, at which the process that created it is assumed to have exited.
  private static let guardAge: TimeInterval = 600

  /// Creates a guard next to the file, writes the file, and removes the guard. The guard is a folder, because only the creation of a folder is atomic
  /// in Apache. Apache checks whether the file or a lock exists, but this check and the write are not one atomic step. Without a guard, two
  /// simultaneous writers could both succeed.
  package func createFirst(_ path: TreePath, with bytes: [UInt8]) async throws {
    let guardian = path.parent.appending(path.name + ".lock")
    func exists() -> VendorError {
      VendorError(kind: .exists, operation: "write \(path)", detail: "a file with this name already exists on \(place)")
    }
    var refusals = 0
    for _ in 0..<Self.attempts {
      guard try await entry(path) == nil else { throw exists() }
      let response = try await send("MKCOL", url(guardian, folder: true), isRepeatable: false)
      // 405 means that the guard exists. Apache returns 403 if two processes create the guard at the same moment. The fourth 403 counts as a refusal.
      if response.status == 403 { refusals += 1 }
      if response.status == 405 || response.status == 403 && refusals < 4 { continue }
      try await done("create folder \(guardian)", response)
      let result: Result<Void, any Error>
      do { result = .success(try await create(path, with: bytes)) } catch { result = .failure(error) }
      try await remove(guardian)
      return try result.get()
    }
    let listing = try await list(path.parent)
    guard let left = listing?.entries.first(where: { $0.path == guardian }) else { throw missing("write \(path)") }
    // The age of the guard by the server's clock.
    let age = listing?.now.flatMap { now in left.modified.map { now.timeIntervalSince($0) } } ?? 0
    throw VendorError(
      kind: age > Self.guardAge ? .claimed : .missing, operation: "write \(path)",
      detail: "another process is creating it. If no other process is running, delete \(place)/\(guardian)")
  }
}
