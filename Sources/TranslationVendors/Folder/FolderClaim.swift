internal import Foundation
internal import Localization
internal import Synchronization

/// The file in a drop folder that records which installation and pipeline use the folder.
struct FolderClaim: Codable, Hashable {
  var installation: String
  var pipeline: String
  var host: String
  /// The time when the claim was last written, as `2026-11-22T12:00:00Z`.
  var renewed: String
}

extension FolderVendor {
  /// The minimum time between two checks of the claim, in seconds.
  private static let checkInterval: TimeInterval = 300
  /// The age in seconds at which the claim is written again.
  private static let renewalInterval: TimeInterval = 86_400

  /// Checks that the folder belongs to this pipeline, and claims the folder if it is free. An old claim, or a claim with a former name of the
  /// pipeline, is written again. If the vendor has no owner, or if the last check was recent, nothing is checked.
  /// - Parameter anew: whether to check even if the last check was recent. This is necessary when one of the vendor's folders is missing.
  /// - Throws: `claimed` if the folder belongs to another installation or pipeline or has a damaged claim, or if an unclaimed folder lacks
  ///   `to-translate/` although bundles are outstanding.
  func holdClaim(anew: Bool = false) async throws {
    guard let owner else { return }
    let now = now()
    let checked = anew ? nil : memory.state.withLock { $0.claimChecked }
    if let checked, (0..<Self.checkInterval).contains(now.timeIntervalSince(checked)) { return }
    let own = FolderClaim(
      installation: owner.installation, pipeline: owner.pipeline, host: ProcessInfo.processInfo.hostName,
      renewed: Self.text(of: now))
    if let bytes = try await unlessMissing({ try await storage.read(DropNames.claim, limit: 1 << 16) }) {
      let there = try claim(in: bytes)
      try check(there, owner)
      if there.pipeline != own.pipeline || Self.needsRenewal(there, now: now) {
        try await storage.replace(DropNames.claim, with: try Self.bytes(of: own))
      }
    } else {
      try await checkPresence()
      try await storage.makeFolder(.root)
      do { try await storage.createFirst(DropNames.claim, with: try Self.bytes(of: own)) } catch let error
        as VendorError
        where error.kind == .exists
      {
        // Another process has claimed the folder in the meantime.
        try check(try claim(in: try await storage.read(DropNames.claim, limit: 1 << 16)), owner)
      }
    }
    memory.state.withLock { $0.claimChecked = now }
  }

  /// Checks that the folder does not belong to another installation or pipeline. The folder is not claimed.
  /// - Throws: `claimed` if the folder belongs to another installation or pipeline or has a damaged claim.
  func checkClaim() async throws {
    // If the identity of this installation is unknown, it cannot be compared with the claim.
    guard let owner, !owner.installation.isEmpty,
      let bytes = try await unlessMissing({ try await storage.read(DropNames.claim, limit: 1 << 16) })
    else { return }
    try check(try claim(in: bytes), owner)
  }

  /// Checks that an unclaimed folder contains `to-translate/` if bundles are outstanding. If `to-translate/` is missing, the folder is probably the
  /// wrong one, because a disk is not mounted or the right folder was moved.
  private func checkPresence() async throws {
    guard try await storage.list(DropNames.toTranslate) == nil, try await hasWorkOut() else { return }
    throw VendorError(
      kind: .claimed, operation: "use \(storage.place)",
      detail: "the folder to-translate is missing, although bundles are outstanding. \(stepForMissingWork)")
  }

  private func claim(in bytes: [UInt8]) throws -> FolderClaim {
    if let claim = try? JSONDecoder().decode(FolderClaim.self, from: Data(bytes)) { return claim }
    throw VendorError(
      kind: .claimed, operation: "use \(storage.place)",
      detail: "\(DropNames.claim) is damaged, so Dragoman cannot tell which installation uses the folder; "
        + "delete the file if no other installation uses the folder")
  }

  private func check(_ there: FolderClaim, _ owner: FolderOwner) throws {
    let file = storage.place(of: DropNames.claim)
    guard there.installation == owner.installation else {
      throw VendorError(
        kind: .claimed, operation: "use \(storage.place)",
        detail: "another installation of dragoman (\(there.installation.prefix(8)) on \(there.host), pipeline "
          + "\(there.pipeline), last seen \(there.renewed)) uses this folder; give each installation its own folder. "
          + "If that installation is gone, delete \(file)")
    }
    guard there.pipeline == owner.pipeline || owner.formerly.contains(there.pipeline) else {
      throw VendorError(
        kind: .claimed, operation: "use \(storage.place)",
        detail: "the pipeline \(there.pipeline) uses this folder (last seen \(there.renewed)); give each pipeline its "
          + "own folder. If \(owner.pipeline) was called \(there.pipeline) before, write "
          + "`formerly: \(there.pipeline)`; if that pipeline no longer exists, delete \(file)")
    }
  }

  private static func needsRenewal(_ claim: FolderClaim, now: Date) -> Bool {
    guard let renewed = try? Date(claim.renewed, strategy: .iso8601) else { return true }
    return abs(now.timeIntervalSince(renewed)) >= renewalInterval
  }

  private static func text(of date: Date) -> String { date.formatted(.iso8601) }

  private static func bytes(of claim: FolderClaim) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(claim)) + [10]
  }
}
