internal import Foundation
package import Localization
internal import Synchronization
internal import ZipArchive

extension FolderVendor {
  /// The total size of the read bundles, in bytes, at which a pull reads no further bundles into memory.
  private static let byteLimit = 256 << 20
  /// The number of listed folders at which a pull reads no further bundles. The number is limited because listing a folder on a server takes a
  /// request.
  private static let scanLimit = 2000

  private struct Candidate {
    var entry: DropEntry
    /// The entry and all entries below it, as listed before the contents were read.
    var seen: [DropEntry]
    var content: DropContent
  }

  package func pull(_ outstanding: OutstandingWork) async throws -> PullResult {
    try await holdClaim()
    guard let listing = try await storage.list(DropNames.translated) else {
      try await holdClaim(anew: true)
      for folder in [DropNames.toTranslate, DropNames.translated, DropNames.done, DropNames.held] {
        try await storage.makeFolder(folder)
      }
      return PullResult(bundles: [])
    }
    var result = PullResult(bundles: [])
    func wait(_ duration: Duration) { result.settlesIn = min(result.settlesIn ?? duration, duration) }
    let candidates = listing.entries.filter { DropNames.isCandidate($0.path.name) && foreignPipeline($0) == nil }
    (result.diagnostics, result.lasting) = notTaken(listing)
    forget(allBut: Set(candidates.map(\.path)))
    let ordered = candidates.sorted {
      (DropNames.rank($0, pipeline: owner?.pipeline), $0.path)
        < (DropNames.rank($1, pipeline: owner?.pipeline), $1.path)
    }
    var found: [Candidate] = []
    var bytes = 0
    var scanned = 0
    for entry in ordered {
      guard found.count < bundleLimit, bytes < Self.byteLimit, scanned < Self.scanLimit else {
        result.hasMore = true
        break
      }
      let seen = try await everything(in: entry, counting: &scanned)
      let left = looks.wait(entry.path, seen, settle: settle, now: now(), storageNow: listing.now)
      let arrival = left == nil ? nil : memory.state.withLock { $0.arrivals[entry.path.name] }
      // An entry that was moved in is complete. A file that was written in place and closed is read at once only if it is a complete archive. All
      // other entries must first stay unchanged for the time `settle`.
      if let left, arrival != .moved, arrival != .closed || entry.kind != .file {
        wait(left)
        continue
      }
      guard let content = try await unlessMissing({ try await DropContent.load(entry, from: storage) }) else {
        continue
      }
      if let left, arrival == .closed, !content.isWholeArchive {
        wait(left)
        continue
      }
      bytes += content.size
      found.append(Candidate(entry: entry, seen: seen, content: content))
    }
    let later = Dictionary(
      found.isEmpty ? [] : try await storage.list(DropNames.translated)?.entries.map { ($0.path, $0) } ?? [],
      uniquingKeysWith: { first, _ in first })
    for candidate in found {
      let same = later[candidate.entry.path]
      var seen = same.map { [$0] } ?? []
      if let same, same.kind == .folder { seen = try await everything(in: same, counting: &scanned) }
      // If the bundle changed during reading, the contents may be a mixture of both versions.
      guard seen == candidate.seen else {
        wait(max(settle, .milliseconds(50)))
        continue
      }
      result.bundles.append(candidate.content.bundle(named: candidate.entry.path))
    }
    // Bundles with readable XLIFF files come first; both groups are sorted by name.
    result.bundles.sort { ($0.files.isEmpty ? 1 : 0, $0.reference) < ($1.files.isEmpty ? 1 : 0, $1.reference) }
    return result
  }

  /// Returns the pipeline that the bundle's name contains; `nil` if it contains none, or the current or a former name of the owner's pipeline. If the
  /// vendor has no owner, the result is `nil`.
  private func foreignPipeline(_ entry: DropEntry) -> String? {
    guard let owner, let pipeline = DropNames.pipeline(of: entry.path.name) else { return nil }
    return pipeline == owner.pipeline || owner.formerly.contains(pipeline) ? nil : pipeline
  }

  /// Returns diagnostics for entries that are never read because their names cannot be read, or are names of another pipeline's bundles.
  /// - Returns: the diagnostics for entries that the previous pull did not report, and the diagnostics for all such entries.
  private func notTaken(_ listing: DropListing) -> (news: [Diagnostic], all: [Diagnostic]) {
    var found: [(name: String, diagnostic: Diagnostic)] = listing.unreadableNames.map { name in
      let path = DropNames.translated.text + "/" + name
      return (
        name,
        Diagnostic(
          path: path, severity: .warning, message: "skipped: its name is not UTF-8, or has control characters",
          hint: "rename it; use a UTF-8 name without control characters")
      )
    }
    for entry in listing.entries {
      guard DropNames.isCandidate(entry.path.name), let other = foreignPipeline(entry) else { continue }
      let diagnostic = Diagnostic(
        path: entry.path.text, severity: .warning,
        message: "skipped: its name is that of a bundle of another pipeline, \(other)",
        hint: owner.map {
          "if it belongs to \($0.pipeline), rename it so that it begins with \($0.pipeline)-; otherwise move it to the folder of \(other)"
        })
      found.append((entry.path.name, diagnostic))
    }
    return memory.state.withLock { state in
      let new = found.filter { !state.told.contains($0.name) }
      state.told = Set(found.map(\.name))
      return (new.map(\.diagnostic), found.map(\.diagnostic))
    }
  }

  private func forget(allBut paths: Set<TreePath>) {
    looks.keep(only: paths)
    let names = Set(paths.map(\.name))
    memory.state.withLock { state in
      if !state.arrivals.isEmpty { state.arrivals = state.arrivals.filter { names.contains($0.key) } }
    }
  }

  /// Returns the entry and, for a folder, all entries below it within the limits of a bundle.
  private func everything(in entry: DropEntry, counting scanned: inout Int) async throws -> [DropEntry] {
    var found = [entry]
    var pending = entry.kind == .folder ? [(entry.path, 1)] : []
    var folders = 0
    while let (folder, depth) = pending.popLast(), found.count <= DropContent.limits.entries,
      folders <= DropContent.folderLimit
    {
      folders += 1
      scanned += 1
      for child in try await storage.list(folder)?.entries ?? [] {
        found.append(child)
        if child.kind == .folder, depth <= DropContent.limits.depth { pending.append((child.path, depth + 1)) }
      }
    }
    return found
  }
}
