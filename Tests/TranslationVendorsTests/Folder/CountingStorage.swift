import Localization
import Synchronization
import TranslationVendors

/// An error that simulates the death of the process during a call.
struct Death: Error {}

/// A storage that counts the calls that change it. A given one of these calls fails, and all later ones fail too, as after the death of the process.
final class CountingStorage: DropStorage {
  enum End: CaseIterable, Sendable {
    /// The progress of the failing call: not begun, completed, or half of a file written.
    case before, after, half
  }

  private let base: any DropStorage
  private let death: (change: Int, end: End)?
  private let changes = Mutex(0)
  let lists = Mutex(0)

  init(_ base: any DropStorage, death: (change: Int, end: End)? = nil) {
    self.base = base
    self.death = death
  }

  var place: String { base.place }
  /// Whether the storage has failed.
  var isDead: Bool { death.map { death in changes.withLock { $0 >= death.change } } ?? false }

  func list(_ folder: TreePath) async throws -> DropListing? {
    lists.withLock { $0 += 1 }
    return try await base.list(folder)
  }

  func entry(_ path: TreePath) async throws -> DropEntry? { try await base.entry(path) }
  func read(_ path: TreePath, limit: Int) async throws -> [UInt8] { try await base.read(path, limit: limit) }

  func create(_ path: TreePath, with bytes: [UInt8]) async throws {
    try await change(
      { try await base.create(path, with: bytes) }, half: { try await base.create(path, with: Array(bytes.prefix(30))) }
    )
  }
  func replace(_ path: TreePath, with bytes: [UInt8]) async throws {
    try await change(
      { try await base.replace(path, with: bytes) },
      half: { try await base.create(path.parent.appending(".\(path.name).part"), with: Array(bytes.prefix(9))) })
  }
  func move(_ path: TreePath, to new: TreePath) async throws { try await change { try await base.move(path, to: new) } }
  func copy(_ path: TreePath, to new: TreePath) async throws { try await change { try await base.copy(path, to: new) } }
  func remove(_ path: TreePath) async throws { try await change { try await base.remove(path) } }
  func makeFolder(_ path: TreePath) async throws { try await change { try await base.makeFolder(path) } }

  private func change(_ body: () async throws -> Void, half: () async throws -> Void = {}) async throws {
    let number = changes.withLock { count in
      count += 1
      return count
    }
    guard let death, number >= death.change else { return try await body() }
    if number == death.change {
      switch death.end {
      case .before: break
      case .after: try await body()
      case .half: try await half()
      }
    }
    throw Death()
  }
}
