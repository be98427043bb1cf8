internal import Foundation
internal import HTTPTransport
package import Localization

extension WebDAVStorage {
  private static let attempts = 50
  /// The age in seconds after which a guard was left by a process that ended.
  private static let guardAge: TimeInterval = 600

  /// Protected by a guard: a folder that is created before and removed afterwards. Apache checks whether a file exists before it reads the
  /// body, and whether a lock exists before it writes one, so two simultaneous writers both succeed. Only creating a folder is atomic.
  package func createFirst(_ path: TreePath, with bytes: [UInt8]) async throws {
    let guardian = path.parent.appending(path.name + ".lock")
    func exists() -> VendorError {
      VendorError(kind: .exists, operation: "write \(path)", detail: "a file with this name already exists on \(place)")
    }
    var refusals = 0
    for _ in 0..<Self.attempts {
      guard try await entry(path) == nil else { throw exists() }
      let response = try await send("MKCOL", url(guardian, folder: true), isRepeatable: false)
      // It exists. Apache answers 403 if two create it at the same moment; if it keeps answering 403, it is a refusal.
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
    // By the server's clock.
    let age = listing?.now.flatMap { now in left.modified.map { now.timeIntervalSince($0) } } ?? 0
    throw VendorError(
      kind: age > Self.guardAge ? .claimed : .missing, operation: "write \(path)",
      detail: "another process is creating it. If there is none, delete \(place)/\(guardian)")
  }
}
