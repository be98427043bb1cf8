import Localization
import Synchronization
import TranslationVendors

/// The process died at this call.
struct Death: Error {}

/// A directory that counts what is asked of it, and dies at a change.
final class CountingStorage: DropStorage {
  enum End: CaseIterable, Sendable {
    /// Nothing of the call happened, all of it, or a file was written half.
    case before, after, half
  }

  private let base: DirectoryStorage
  private let death: (change: Int, end: End)?
  private let changes = Mutex(0)
  let lists = Mutex(0)

  init(_ base: DirectoryStorage, death: (change: Int, end: End)? = nil) {
    self.base = base
    self.death = death
  }

  var place: String { base.place }
  /// Whether it died.
  var isDead: Bool { death.map { death in changes.withLock { $0 >= death.change } } ?? false }

  func list(_ folder: TreePath) throws -> DropListing? {
    lists.withLock { $0 += 1 }
    return try base.list(folder)
  }

  func entry(_ path: TreePath) throws -> DropEntry? { try base.entry(path) }
  func read(_ path: TreePath, limit: Int) throws -> [UInt8] { try base.read(path, limit: limit) }

  func create(_ path: TreePath, with bytes: [UInt8]) throws {
    try change({ try base.create(path, with: bytes) }, half: { try base.create(path, with: Array(bytes.prefix(30))) })
  }
  func replace(_ path: TreePath, with bytes: [UInt8]) throws {
    try change(
      { try base.replace(path, with: bytes) },
      half: { try base.create(path.parent.appending(".\(path.name).part"), with: Array(bytes.prefix(9))) })
  }
  func move(_ path: TreePath, to new: TreePath) throws { try change { try base.move(path, to: new) } }
  func copy(_ path: TreePath, to new: TreePath) throws { try change { try base.copy(path, to: new) } }
  func remove(_ path: TreePath) throws { try change { try base.remove(path) } }
  func makeFolder(_ path: TreePath) throws { try change { try base.makeFolder(path) } }

  private func change(_ body: () throws -> Void, half: () throws -> Void = {}) throws {
    let number = changes.withLock { count in
      count += 1
      return count
    }
    guard let death, number >= death.change else { return try body() }
    if number == death.change {
      switch death.end {
      case .before: break
      case .after: try body()
      case .half: try half()
      }
    }
    throw Death()
  }
}
