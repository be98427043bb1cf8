internal import Localization

/// A drop folder that is never changed. Operations that would change the folder succeed without an effect.
struct ReadOnlyStorage: DropStorage {
  let storage: any DropStorage

  var place: String { storage.place }
  func place(of path: TreePath) -> String { storage.place(of: path) }

  func list(_ folder: TreePath) async throws -> DropListing? { try await storage.list(folder) }
  func probeMissingRoot() async throws -> VendorProbe { try await storage.probeMissingRoot() }
  func entry(_ path: TreePath) async throws -> DropEntry? { try await storage.entry(path) }
  func read(_ path: TreePath, limit: Int) async throws -> [UInt8] { try await storage.read(path, limit: limit) }

  func create(_ path: TreePath, with bytes: [UInt8]) async throws {}
  func replace(_ path: TreePath, with bytes: [UInt8]) async throws {}
  func move(_ path: TreePath, to new: TreePath) async throws {}
  func copy(_ path: TreePath, to new: TreePath) async throws {}
  func remove(_ path: TreePath) async throws {}
  func makeFolder(_ path: TreePath) async throws {}
}
