internal import Foundation
package import Localization
internal import Synchronization

extension FolderVendor {
  package func acknowledge(_ bundle: ReturnedBundle, verdict: BundleVerdict) async throws {
    let path = TreePath(trusted: bundle.reference)
    guard path.parent == DropNames.translated, isPlainName(path.name) else {
      throw VendorError(
        kind: .configuration, operation: "move “\(bundle.reference)”", detail: "it is not a bundle of this folder")
    }
    // If the bundle is missing, it was already moved. If the digest differs, a new bundle has the same name and will be pulled separately.
    guard let entry = try await storage.entry(path) else { return }
    let content = try await DropContent.load(entry, from: storage)
    guard content.digest == bundle.digest else { return }
    try await makeFolders()
    switch (verdict, content) {
    case (.held(let review), .unreadable):
      let moved = try await move(path, to: DropNames.held)
      try await storage.replace(DropNames.held.appending(moved + ".review.txt"), with: Array(review.utf8))
    case (.held(let review), _):
      let copy = try await copyToHeld(path, digest: bundle.digest)
      try await storage.replace(DropNames.held.appending(copy + ".review.txt"), with: Array(review.utf8))
      _ = try await move(path, to: DropNames.done)
    case (.taken, _): _ = try await move(path, to: DropNames.done)
    }
  }

  /// Creates `done/` and `held/`, unless this vendor has already created them. After a move failed because a path was missing, they are created
  /// again.
  private func makeFolders() async throws {
    guard !memory.state.withLock({ $0.hasFolders }) else { return }
    for folder in [DropNames.done, DropNames.held] { try await storage.makeFolder(folder) }
    memory.state.withLock { $0.hasFolders = true }
  }

  /// Moves a bundle to another folder.
  /// - Returns: the bundle's name in the new folder.
  private func move(_ path: TreePath, to folder: TreePath) async throws -> String {
    do {
      return try await placed(path, in: folder) { try await storage.move(path, to: $0) }
    } catch let error as VendorError where error.kind == .missing {
      memory.state.withLock { $0.hasFolders = false }
      throw error
    }
  }

  /// Copies a bundle to `held/`, unless an interrupted call has already copied it.
  /// - Returns: the name of the copy.
  private func copyToHeld(_ path: TreePath, digest: String) async throws -> String {
    let taken = try await takenNames(path, in: DropNames.held)
    if let last = taken.last, let entry = try await storage.entry(DropNames.held.appending(last)),
      try await DropContent.load(entry, from: storage).digest == digest
    {
      return last
    }
    return try await placed(path, in: DropNames.held) { try await storage.copy(path, to: $0) }
  }

  /// Puts a bundle into a folder under the first free name, and returns this name. The bundle's own name is tried first. The folder is listed only if
  /// this name exists, because the folder may have many bundles.
  private func placed(_ path: TreePath, in folder: TreePath, _ put: (TreePath) async throws -> Void) async throws
    -> String
  {
    var number = 1
    while true {
      let name = DropNames.numbered(path.name, number)
      do {
        try await put(folder.appending(name))
        return name
      } catch let error as VendorError where error.kind == .exists && number < 100_000 {
        number = number == 1 ? try await takenNames(path, in: folder).count + 1 : number + 1
      }
    }
  }

  /// Returns the names in the folder that derive from the bundle's name: the name itself, then the numbered names up to the first free number.
  private func takenNames(_ path: TreePath, in folder: TreePath) async throws -> [String] {
    guard try await storage.entry(folder.appending(path.name)) != nil else { return [] }
    let names = Set(try await storage.list(folder)?.entries.map(\.path.name) ?? [])
    var taken = [path.name]
    while true {
      let next = DropNames.numbered(path.name, taken.count + 1)
      guard names.contains(next) else { return taken }
      taken.append(next)
    }
  }
}
