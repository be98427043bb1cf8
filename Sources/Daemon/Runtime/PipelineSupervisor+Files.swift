import FoundationEssentials
import Localization
import Pipeline

/// Functions that read the pipeline files, from this machine or from a fleet's database, and update the list of pipelines.
extension PipelineSupervisor {
  func readFiles() async {
    if case .ledger = source { return }
    let source = source
    let folder = if case .folder(let path) = source { path } else { "" }
    do {
      let stamps = try await disk.run { try source.stamps() }
      guard stamps != self.stamps else { return mendFolder(folder) }
      let inForce = Set(members.values.filter { $0.inForce != nil }.map(\.path))
      let (files, isStart) = (files, members.isEmpty)
      let readings = try await disk.run {
        try source.readings(first: isStart ? files?.known(among: source.paths()) ?? [] : inForce)
      }
      if let fleet {
        let digests = try await disk.run { Self.digests(of: readings) }
        fleet.faults.setDigests(digests)
      }
      // The stamps are read before the files, so the next check detects a change that happens between the two.
      self.stamps = stamps
      mendFolder(folder)
      self.readings = readings
      if isStart { await noteRemovedWhileStopped() }
      if fleet == nil || held != nil { take(readings) }
      if readings.isEmpty, !folder.isEmpty, !isEmptyTold { actions.event(.empty(folder: folder)) }
      isEmptyTold = readings.isEmpty
    } catch let fault as InputFault {
      tell(folder, fault.diagnostics, .folder)
    } catch {
      tell(folder, [Diagnostic(path: folder, severity: .error, message: "\(error)")], .folder)
    }
  }

  /// Returns the digests of valid files, by pipeline.
  private static func digests(of readings: [PipelineReading]) -> [String: String] {
    var digests: [String: String] = [:]
    for reading in readings {
      guard let name = reading.definition?.name, let data = FileManager.default.contents(atPath: reading.path) else {
        continue
      }
      digests[name] = SharedFiles.digest(of: data)
    }
    return digests
  }

  /// Extends the worker's lease in the fleet, and updates the list of pipelines to those that the worker holds now.
  func attend() async {
    guard let fleet else { return }
    let isStored = if case .ledger = source { true } else { false }
    do {
      let now = try await fleet.turn(wanted: isStored ? nil : Set(readings.compactMap { $0.definition?.name }))
      guard now != held || isReloading else { return }
      if isStored {
        let files = try await fleet.store.pipelineFiles(of: Set(now.keys))
        readings = try await disk.run { PipelineReading.all(of: files) }
        // A worker that holds no pipeline may be a spare, so the database is checked for files.
        let isEmpty = now.isEmpty ? try await fleet.store.pipelineFiles(of: nil).isEmpty : false
        if isEmpty, !isEmptyTold { actions.event(.emptyDatabase) }
        isEmptyTold = isEmpty
      }
      held = now
      take(readings)
    } catch {
      // The worker reports an unreachable ledger. The pipelines are left unchanged.
    }
  }

  private func take(_ readings: [PipelineReading]) {
    let paths = Set(readings.map(\.path))
    for path in told.keys where !paths.contains(path) { told[path] = nil }
    var wanted: [String: PipelineReading] = [:]
    var kept: Set<String> = []
    let namesByPath = namesByPath
    let faulty = Set(readings.filter { $0.definition == nil }.map(\.path))
    for reading in readings {
      let own = namesByPath[reading.path] ?? []
      guard let definition = reading.definition else {
        kept.formUnion(own)
        tell(reading.path, reading.diagnostics, .file(keeps: own.first { members[$0]?.inForce != nil }))
        continue
      }
      if let other = members[definition.name], other.path != reading.path, faulty.contains(other.path) {
        let message = "the pipeline in \(other.path) has the name \(definition.name) too, and is still running"
        tell(
          reading.path,
          [Diagnostic(path: reading.path, severity: .error, message: message, hint: "give each pipeline its own name")],
          .file(keeps: nil))
        continue
      }
      mend(reading.path)
      if let held, held[definition.name] == nil { continue }
      wanted[definition.name] = reading
    }
    // Pipelines are stopped before other pipelines are started, because a renamed pipeline must not run under both names.
    for name in members.keys.sorted() where wanted[name] == nil && !kept.contains(name) {
      members[name]?.watcher?.cancel()
      registry.remove(name)
      removed[name] = .some(members[name]?.definition)
      members[name] = nil
      actions.event(.stopped(name))
    }
    keepRemoved(among: readings)
    for (name, reading) in wanted {
      guard let definition = reading.definition else { continue }
      var member = members[name] ?? Member(path: reading.path, definition: definition)
      member.path = reading.path
      if member.definition != definition { member.wait = .zero }
      member.definition = definition
      members[name] = member
    }
  }

  /// The names of the pipelines that were last read from each file, sorted.
  private var namesByPath: [String: [String]] {
    Dictionary(grouping: members.keys.sorted()) { members[$0]?.path ?? "" }
  }

  /// The faults of the files whose current version cannot be used, and of the folder if it cannot be read.
  var fileFaults: [FileFault] {
    let folder: String? = if case .folder(let path) = source { path } else { nil }
    guard !told.isEmpty else { return [] }
    let namesByPath = namesByPath
    let nameRead = Dictionary(readings.map { ($0.path, $0.name) }, uniquingKeysWith: { first, _ in first })
    return told.map { path, diagnostics in
      let running = namesByPath[path]?.first { members[$0]?.inForce != nil }
      return FileFault(
        path: path, pipeline: running ?? nameRead[path] ?? nil,
        effect: path == folder ? .folderUnread : running == nil ? .notInForce : .formerInForce,
        findings: diagnostics.map(\.inOneLine), since: .distantPast)
    }
  }

  /// Reports the faults of a file or of the folder. Unchanged faults are reported again only if the operator requests to read all files again.
  private func tell(_ path: String, _ diagnostics: [Diagnostic], _ place: FaultPlace) {
    guard told[path] != diagnostics || isReloading else { return }
    told[path] = diagnostics
    switch place {
    case .file(let keeps): actions.event(.faults(path: path, diagnostics, keeps: keeps))
    case .folder: actions.event(.folderFaults(diagnostics))
    }
  }

  private enum FaultPlace {
    case file(keeps: String?)
    case folder
  }

  private func mend(_ path: String) {
    if told.removeValue(forKey: path) != nil { actions.event(.mended(path: path)) }
  }

  private func mendFolder(_ folder: String) {
    if told.removeValue(forKey: folder) != nil { actions.event(.folderMended(folder)) }
  }
}
