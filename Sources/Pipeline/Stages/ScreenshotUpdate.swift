import Localization
import Workspace

/// Sends new screenshots of strings that a vendor already has, whether outstanding or translated.
enum ScreenshotUpdate {
  /// Gives the vendor the screenshots of all units that it has. This happens once after a start, when a watched branch has a new commit, and
  /// also every ten minutes if the pipeline has a screenshot folder on this machine, because such a folder changes without commits.
  /// - Returns: findings. Screenshots that cannot be sent now are sent at the next poll.
  static func run(at vendor: ConfiguredVendor, _ context: PipelineContext) async throws -> [Diagnostic] {
    guard vendor.vendor.takesScreenshots, let read = context.readScreenshots else { return [] }
    let heads = Set(try await context.store.heads(of: context.name).map(\.commit))
    let now = try await context.store.now()
    guard
      context.toldScreenshots.isDue(
        heads, readsFolder: context.definition.screenshots?.folder != nil, at: now, for: vendor.name)
    else { return [] }
    var findings: [Diagnostic] = []
    for (commit, files) in try await context.files(of: context.units(at: vendor.name)) {
      try Task.checkCancellation()
      let folders = try await read(commit)
      findings += folders.flatMap(\.diagnostics).filter { !findings.contains($0) }
      let screenshots = ScreenshotMatch(files).screenshots(folders.flatMap(\.pictures))
      guard !screenshots.isEmpty else { continue }
      let failure = try await vendor.finding(
        "new screenshots could not be sent to the vendor", hint: "strings are not affected; the next poll tries again"
      ) {
        findings += try await vendor.vendor.attach(screenshots, to: files).map {
          Diagnostic(path: vendor.name, severity: .warning, message: "a screenshot was refused: \($0)")
        }
      }
      if let failure { return findings + [failure] }
    }
    context.toldScreenshots.note(heads, at: now, for: vendor.name)
    return findings
  }
}

extension PipelineContext {
  /// Returns the units as exchange files, by the commit from which they were read. The files have the catalogs' names at the vendor. Each
  /// unit comes from the first watched branch that has it.
  fileprivate func files(of units: Set<UnitID>) async throws -> [(CommitID, [ExchangeFile])] {
    guard !units.isEmpty else { return [] }
    let renames = try await store.renames(of: name)
    var rest = Dictionary(grouping: units, by: \.catalog).mapValues { Set($0.map(\.key)) }
    var found: [(CommitID, [ExchangeFile])] = []
    for head in try await WatchedHeads.load(self) {
      guard let snapshot = head.snapshot else { continue }
      var files: [ExchangeFile] = []
      for (catalog, keys) in rest.sorted(by: { $0.key < $1.key }) where !keys.isEmpty {
        let names = renames.allNames(of: catalog)
        guard let standing = names.lazy.compactMap({ snapshot.synced[$0] }).first else { continue }
        // The choice of the language has no effect: screenshots are attached to strings in all languages.
        let language = definition.languages?.first ?? standing.sourceLanguage
        let own = standing.units(keys, for: language)
        rest[catalog] = keys.subtracting(own.map(\.key))
        guard !own.isEmpty else { continue }
        files.append(
          ExchangeFile(
            original: catalog.text, sourceLanguage: standing.sourceLanguage, targetLanguage: language, units: own))
      }
      if !files.isEmpty { found.append((head.run.commit, files)) }
    }
    return found
  }
}
