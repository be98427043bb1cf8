internal import CatalogFormats
internal import Foundation
package import Localization
internal import Synchronization
internal import ZipArchive

// A shipment must not be sent twice. The process may exit after the bundle becomes visible and before the receipt is stored, and a translator may
// then move the bundle away. Therefore a push has three steps:
//
// 1. Write the bundle under a hidden name.
// 2. Write the marker.
// 3. Rename the bundle to its visible name.
//
// A repeated push that finds both the marker and the hidden bundle does step 3. If only the marker exists, the bundle was sent.
extension FolderVendor {
  /// The age in seconds at which markers are removed. A push is repeated within minutes or days, not months.
  private static let markerAge: TimeInterval = 90 * 86_400

  /// The maximum number of bundles with the same name and different numbers. Names repeat because a lost or restored ledger uses the same round
  /// numbers again.
  private static let nameLimit = 100

  package func push(_ shipment: Shipment) async throws -> ShipmentReceipt {
    try await holdClaim()
    let stem = try ShipmentName.stem(of: shipment)
    for number in 1...Self.nameLimit {
      if let receipt = try await push(shipment, as: number == 1 ? stem : "\(stem)-\(number)") { return receipt }
    }
    throw VendorError(
      kind: .exists, operation: "put \(stem).xcloc.zip into \(storage.place)",
      detail: "there are \(Self.nameLimit) bundles with this name; move away the bundles that are no longer needed")
  }

  /// Sends a shipment under the given name, unless the shipment was already sent or the name is taken. Units that are already in bundles of a lost
  /// ledger are left out.
  /// - Returns: the receipt of this push or of an earlier push; `nil` if another shipment has the name.
  private func push(_ shipment: Shipment, as stem: String) async throws -> ShipmentReceipt? {
    let path = DropNames.toTranslate.appending(stem + ".xcloc.zip")
    let temporary = path.parent.appending(".\(path.name).part")
    let marker = DropNames.markers.appending(stem + ".json")
    let digest = ShipmentMarker.digest(of: shipment)
    let listing = try await storage.list(DropNames.toTranslate)
    let names = Set(listing?.entries.map(\.path) ?? [])
    if listing == nil { try await holdClaim(anew: true) }
    let sent = try await self.marker(at: marker)
    if names.contains(path) {
      if names.contains(temporary) { try await storage.remove(temporary) }
      return try await receipt(of: shipment, at: path, isMarked: sent?.digest == digest)
    }
    if let sent {
      if sent.digest == digest {
        guard names.contains(temporary) else {
          return ShipmentReceipt(reference: path.name, units: sent.units, wasThere: true)
        }
        return try await publish(shipment, temporary, at: path)
      }
      // The marker belongs to another ledger whose rounds have the same numbers.
      try await storage.remove(marker)
    }
    let there = try await unitsOfLostLedger(shipment, names)
    if there.rest.files.isEmpty, let receipt = there.receipt { return receipt }
    if listing == nil { try await storage.makeFolder(DropNames.toTranslate) }
    if names.contains(temporary) { try await storage.remove(temporary) }
    try await storage.create(temporary, with: try Self.bundle(of: there.rest))
    let bytes = ShipmentMarker(digest: digest, units: shipment.unitIDs.count).bytes
    do { try await storage.replace(marker, with: bytes) } catch let error as VendorError where error.kind == .missing {
      try await storage.makeFolder(DropNames.markers)
      try await storage.replace(marker, with: bytes)
    }
    let receipt = try await publish(shipment, temporary, at: path)
    try await pruneMarkers()
    return receipt
  }

  package func find(_ shipment: Shipment) async throws -> ShipmentReceipt? {
    try await holdClaim()
    let stem = try ShipmentName.stem(of: shipment)
    let names = Set(try await storage.list(DropNames.toTranslate)?.entries.map(\.path) ?? [])
    for number in 1...Self.nameLimit {
      let name = number == 1 ? stem : "\(stem)-\(number)"
      let path = DropNames.toTranslate.appending(name + ".xcloc.zip")
      let sent = try await marker(at: DropNames.markers.appending(name + ".json"))
      let isMarked = sent?.digest == ShipmentMarker.digest(of: shipment)
      if names.contains(path) {
        if let receipt = try await receipt(of: shipment, at: path, isMarked: isMarked) { return receipt }
      } else if isMarked, !names.contains(path.parent.appending(".\(path.name).part")) {
        // A translator has moved the bundle away.
        return ShipmentReceipt(reference: path.name, units: sent?.units ?? 0, wasThere: true)
      } else if sent == nil {
        let there = try await unitsOfLostLedger(shipment, names)
        return there.rest.files.isEmpty ? there.receipt : nil
      }
    }
    return nil
  }

  package func withdraw(_ units: [UnitID], of shipment: ShipmentReceipt, language: LocaleIdentifier) async throws {
    guard !units.isEmpty else { return }
    try await holdClaim()
    guard isPlainName(shipment.reference) else {
      throw VendorError(
        kind: .configuration, operation: "withdraw units",
        detail: "“\(shipment.reference)” is not a bundle of this folder")
    }
    let path = DropNames.withdrawalNote(of: shipment.reference)
    try await storage.makeFolder(DropNames.toTranslate)
    let isThere = try await storage.entry(path)?.kind == .file
    let old = isThere ? try await storage.read(path, limit: 16 << 20) : []
    let new = WithdrawalNote.adding(units, language: language, bundle: shipment.reference, to: old)
    if new != old { try await storage.replace(path, with: new) }
  }

  private func publish(_ shipment: Shipment, _ temporary: TreePath, at path: TreePath) async throws
    -> ShipmentReceipt?
  {
    do { try await storage.move(temporary, to: path) } catch let error as VendorError where error.kind == .exists {
      try await storage.remove(temporary)
      return try await receipt(of: shipment, at: path, isMarked: false)
    }
    return ShipmentReceipt(reference: path.name, units: shipment.unitIDs.count, wasThere: false)
  }

  private func marker(at path: TreePath) async throws -> ShipmentMarker? {
    try await unlessMissing { try await storage.read(path, limit: 1 << 16) }.flatMap(ShipmentMarker.init(bytes:))
  }

  /// Removes old markers at the first call, and does nothing at later calls.
  private func pruneMarkers() async throws {
    let isFirst = memory.state.withLock { state in
      defer { state.isPruned = true }
      return !state.isPruned
    }
    guard isFirst, let listing = try await storage.list(DropNames.markers) else { return }
    let now = listing.now ?? now()
    for entry in listing.entries {
      if let modified = entry.modified, now.timeIntervalSince(modified) > Self.markerAge {
        try await storage.remove(entry.path)
      }
    }
  }

  /// Returns the receipt for a shipment whose bundle name already exists.
  /// - Parameter isMarked: whether the marker for this name belongs to this shipment. If not, for example after the loss of a ledger, the bundle is
  ///   read and must contain all units with their current source texts.
  /// - Returns: `nil` if the bundle belongs to another shipment.
  private func receipt(of shipment: Shipment, at path: TreePath, isMarked: Bool) async throws -> ShipmentReceipt? {
    if !isMarked {
      guard try await units(of: shipment, in: path) == shipment.unitIDs else { return nil }
    }
    return ShipmentReceipt(reference: path.name, units: shipment.unitIDs.count, wasThere: true)
  }

  /// Returns the zip of a shipment. Equal shipments have equal bytes.
  static func bundle(of shipment: Shipment) throws -> [UInt8] {
    let folder = XCLoc.name(of: shipment.language)
    let bundle = XCLocBundle(
      targetLanguage: shipment.language, developmentRegion: shipment.sourceLanguage, project: shipment.pipeline,
      files: shipment.files, sourceContents: shipment.sourceContents,
      notes: ScreenshotNotes.files(of: shipment.screenshots))
    let files = XCLoc.files(of: bundle).map { (folder.appending($0.key), $0.value) }
    return try ZipArchive.write(files, modified: Date(timeIntervalSince1970: 946_684_800))
  }
}

/// A file that records that a shipment was sent or was about to be sent.
struct ShipmentMarker: Codable {
  /// A digest of the pipeline, the language, the units and their source texts. The digest stays the same if the shipment is packed again from another
  /// commit.
  var digest: String
  var units: Int

  init(digest: String, units: Int) {
    self.digest = digest
    self.units = units
  }

  init?(bytes: [UInt8]) {
    guard let marker = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else { return nil }
    self = marker
  }

  var bytes: [UInt8] { Array("{\"digest\":\"\(digest)\",\"units\":\(units)}\n".utf8) }

  static func digest(of shipment: Shipment) -> String {
    var parts = [shipment.pipeline, shipment.language.rawValue]
    for file in shipment.files.sorted(by: { $0.original < $1.original }) {
      for unit in file.units {
        parts += [file.original, unit.key.text]
        switch unit.source {
        case .text(let text): parts.append(text)
        case .phrases(let phrases): parts += phrases
        case nil: break
        }
      }
    }
    return ContentDigest.hexadecimal(of: parts.flatMap { Array("\($0.utf8.count)\n\($0)".utf8) })
  }
}
