internal import CatalogFormats
package import Foundation
package import Localization
internal import ZipArchive

/// A folder in which bundles are put and picked up (pipelines.md): `to-translate/`, `translated/`, `done/`, `held/`.
package struct FolderVendor: TranslationVendor {
  package let kind = "folder"
  package var name: String { "folder:\(storage.place)" }
  private let storage: any DropStorage
  private let settle: Duration
  private let now: @Sendable () -> Date
  private let looks = SettleTracker()

  /// - Parameter settle: how long a bundle in `translated/` must have been left alone; 0 takes it at once.
  package init(
    storage: any DropStorage, settle: Duration = .seconds(2), now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.storage = storage
    self.settle = settle
    self.now = now
  }

  // MARK: to-translate/

  package func push(_ shipment: Shipment) async throws -> ShipmentReceipt {
    let file = try ShipmentName.stem(of: shipment) + ".xcloc.zip"
    let path = DropNames.toTranslate.appending(file)
    guard let listing = try await storage.list(DropNames.toTranslate) else {
      try await storage.makeFolder(DropNames.toTranslate)
      return try await put(shipment, at: path)
    }
    if listing.entries.contains(where: { $0.path == path }) { return try await receipt(of: shipment, at: path) }
    return try await put(shipment, at: path)
  }

  package func withdraw(_ units: [UnitID], of shipment: ShipmentReceipt, language: LocaleIdentifier) async throws {
    guard !units.isEmpty else { return }
    guard isPlainName(shipment.reference) else {
      throw VendorError(
        kind: .configuration, operation: "withdraw units",
        detail: "“\(shipment.reference)” names no bundle of this folder")
    }
    let path = DropNames.toTranslate.appending(shipment.reference + ".withdrawn.txt")
    try await storage.makeFolder(DropNames.toTranslate)
    let isThere = try await storage.list(DropNames.toTranslate)?.entries.contains {
      $0.path == path && $0.kind == .file
    }
    let old = isThere == true ? try await storage.read(path, limit: 16 << 20) : []
    let new = WithdrawalNote.adding(units, language: language, bundle: shipment.reference, to: old)
    if new != old { try await storage.replace(path, with: new) }
  }

  private func put(_ shipment: Shipment, at path: TreePath) async throws -> ShipmentReceipt {
    let temporary = path.parent.appending(".\(path.name).part")
    let bytes = try Self.bundle(of: shipment)
    do { try await storage.create(temporary, with: bytes) } catch let error as VendorError where error.kind == .exists {
      // Left by one who was interrupted.
      try await storage.remove(temporary)
      try await storage.create(temporary, with: bytes)
    }
    do { try await storage.move(temporary, to: path) } catch let error as VendorError where error.kind == .exists {
      try await storage.remove(temporary)
      return try await receipt(of: shipment, at: path)
    }
    return ShipmentReceipt(reference: path.name, units: shipment.unitIDs.count, wasThere: false)
  }

  /// Reads back which of the units a bundle that is there already holds.
  private func receipt(of shipment: Shipment, at path: TreePath) async throws -> ShipmentReceipt {
    let bundle = DropContent.file(try await storage.read(path, limit: DropContent.limits.archiveBytes)).bundle(
      named: path)
    let units = bundle.files.filter { $0.targetLanguage == shipment.language }.unitIDs.intersection(shipment.unitIDs)
    guard !units.isEmpty || shipment.unitIDs.isEmpty else {
      throw VendorError(
        kind: .exists, operation: "put \(path) into \(storage.place)",
        detail: "another file has that name and holds none of the round's texts; move it away")
    }
    return ShipmentReceipt(reference: path.name, units: units.count, wasThere: true)
  }

  /// The zip of a shipment: the same bytes for the same shipment.
  static func bundle(of shipment: Shipment) throws -> [UInt8] {
    let folder = XCLoc.name(of: shipment.language)
    let bundle = XCLocBundle(
      targetLanguage: shipment.language, developmentRegion: shipment.sourceLanguage, project: shipment.pipeline,
      files: shipment.files, sourceContents: shipment.sourceContents)
    let files = XCLoc.files(of: bundle).map { (folder.appending($0.key), $0.value) }
    return try ZipArchive.write(files, modified: Date(timeIntervalSince1970: 946_684_800))
  }

  // MARK: translated/

  package func pull() async throws -> PullResult {
    guard let listing = try await storage.list(DropNames.translated) else {
      for folder in [DropNames.toTranslate, DropNames.translated, DropNames.done, DropNames.held] {
        try await storage.makeFolder(folder)
      }
      return PullResult(bundles: [])
    }
    var result = PullResult(bundles: [])
    func wait(_ duration: Duration) { result.settlesIn = min(result.settlesIn ?? duration, duration) }
    let candidates = listing.entries.filter { DropNames.isCandidate($0.path.name) }
    looks.keep(only: Set(candidates.map(\.path)))
    for entry in candidates {
      let before = try await everything(in: entry)
      if let left = looks.wait(entry.path, before, settle: settle, now: now(), storageNow: listing.now) {
        wait(left)
        continue
      }
      guard let content = try await unlessMissing({ try await DropContent.load(entry, from: storage) }) else {
        continue
      }
      // Changed while it was read: what was read may be half of each.
      guard let same = try await find(entry.path), try await everything(in: same) == before else {
        wait(max(settle, .milliseconds(50)))
        continue
      }
      result.bundles.append(content.bundle(named: entry.path))
    }
    return result
  }

  package func acknowledge(_ bundle: ReturnedBundle, verdict: BundleVerdict) async throws {
    let path = TreePath(trusted: bundle.reference)
    guard path.parent == DropNames.translated, isPlainName(path.name) else {
      throw VendorError(
        kind: .configuration, operation: "put away “\(bundle.reference)”", detail: "it is no bundle of this folder")
    }
    // Put away already, or another one under that name, which is read on its own.
    guard let entry = try await find(path) else { return }
    let content = try await DropContent.load(entry, from: storage)
    guard content.digest == bundle.digest else { return }
    for folder in [DropNames.done, DropNames.held] { try await storage.makeFolder(folder) }
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

  /// - Returns: the name it got.
  private func move(_ path: TreePath, to folder: TreePath) async throws -> String {
    let taken = Set(try await storage.list(folder)?.entries.map(\.path.name) ?? [])
    var number = 1
    while true {
      let name = DropNames.numbered(path.name, number)
      number += 1
      if taken.contains(name) { continue }
      do {
        try await storage.move(path, to: folder.appending(name))
        return name
      } catch let error as VendorError where error.kind == .exists && number < 10_000 {}
    }
  }

  /// - Returns: the name of the copy, which is there already if we were interrupted after making it.
  private func copyToHeld(_ path: TreePath, digest: String) async throws -> String {
    let entries = try await storage.list(DropNames.held)?.entries ?? []
    var number = 1
    while true {
      let name = DropNames.numbered(path.name, number)
      let place = DropNames.held.appending(name)
      number += 1
      if let entry = entries.first(where: { $0.path == place }) {
        if try await DropContent.load(entry, from: storage).digest == digest { return name }
        continue
      }
      do {
        try await storage.copy(path, to: place)
        return name
      } catch let error as VendorError where error.kind == .exists && number < 10_000 {}
    }
  }

  private func find(_ path: TreePath) async throws -> DropEntry? {
    try await storage.list(path.parent)?.entries.first { $0.path == path }
  }

  /// The entry and, of a folder, everything below it, as far as the limits of a bundle go.
  private func everything(in entry: DropEntry) async throws -> [DropEntry] {
    var found = [entry]
    var pending = entry.kind == .folder ? [entry.path] : []
    while let folder = pending.popLast(), found.count <= DropContent.limits.entries {
      for child in try await storage.list(folder)?.entries ?? [] {
        found.append(child)
        if child.kind == .folder { pending.append(child.path) }
      }
    }
    return found
  }

  private func unlessMissing<Result>(_ body: () async throws -> Result) async throws -> Result? {
    do { return try await body() } catch let error as VendorError where error.kind == .missing { return nil }
  }

  private func isPlainName(_ name: String) -> Bool {
    !name.isEmpty && name != "." && name != ".." && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
  }
}
