internal import Localization
internal import Logging

/// Handling of strings that a platform refuses. All other strings are still sent.
extension PlatformVendor {
  /// A string that must be added to the platform or changed there.
  private struct Lacking {
    var string: PlatformString
    var isNew: Bool
  }

  /// Adds the strings that the platform lacks, and updates strings that differ.
  /// - Parameters:
  ///   - former: names of strings that may still be at the platform and are no longer needed.
  ///   - again: whether the platform refused all `strings` before.
  /// - Returns: the numbers of added and changed strings, the refused strings with the platform's reasons, and the `former` strings that the
  ///   platform still shows.
  func deliver(
    _ strings: [PlatformString], former: Set<PlatformID> = [], again: Bool = false
  ) async throws -> (new: Int, changed: Int, refused: [PlatformID: String], former: Set<PlatformID>) {
    let known = try await platform.strings(former.union(strings.map(\.id)))
    let lacking = lacking(strings, known)
    try await noteAnswers(
      before: lacking.map(\.string).filter { string in
        known[string.id].map { Self.sourceDiffers($0.source, string.source) } ?? false
      })
    try Task.checkCancellation()
    var search = RefusalSearch<Lacking>(id: { $0.string.id }) { items in
      let strings = items.map(\.string)
      return self.lacking(strings, try await platform.strings(Set(strings.map(\.id))))
    } send: { items in
      try await self.send(items)
    }
    if again { search.mostAtFirst = .max }
    defer { warn(search.reasons) }
    do { try await search.run(lacking) } catch {
      // Refusals found so far are recorded even if the rest fails, so the refused strings are not sent again.
      let refused = strings.filter { search.reasons[$0.id] != nil }
      try refusals.note(refused, refused: search.reasons, at: environment.now())
      throw error
    }
    try refusals.note(strings, refused: search.reasons, at: environment.now())
    let sent = lacking.filter { search.reasons[$0.string.id] == nil }
    return (
      sent.count(where: \.isNew), sent.count { !$0.isNew }, search.reasons,
      former.filter { known[$0]?.isArchived == false }
    )
  }

  private func lacking(_ strings: [PlatformString], _ known: [PlatformID: StoredString]) -> [Lacking] {
    strings.compactMap { string in
      var string = string
      let stored = known[string.id]
      prepare(&string, over: stored)
      if let stored, !Self.differs(stored, from: string) { return nil }
      return Lacking(string: string, isNew: stored == nil)
    }
  }

  private func send(_ items: [Lacking]) async throws {
    let new = items.filter(\.isNew).map(\.string)
    let changed = items.filter { !$0.isNew }.map(\.string)
    var refused: [PlatformID: String] = [:]
    do { if !new.isEmpty { try await platform.add(new) } } catch let error as StringsRefused {
      refused = error.reasons
    }
    do { if !changed.isEmpty { try await platform.change(changed) } } catch let error as StringsRefused {
      refused.merge(error.reasons) { $1 }
    }
    if !refused.isEmpty { throw StringsRefused(reasons: refused) }
  }

  /// Enters existing translations. Refusals are logged.
  func seed(_ seeds: [PlatformTranslation], code: String) async throws {
    var search = RefusalSearch<PlatformTranslation>(id: \.id) { try await platform.seed($0, code: code) }
    defer { warn(search.reasons, of: "the existing translation into \(code) of ") }
    try await search.run(seeds)
  }

  /// Sends changed comments or source texts of existing strings. Refusals are logged.
  /// - Parameter what: the beginning of the log message, such as “the comment of ”.
  func describe(_ strings: [PlatformString], as what: String = "the comment of ") async throws {
    var search = RefusalSearch<PlatformString>(id: \.id) { try await platform.change($0) }
    defer { warn(search.reasons, of: what) }
    try await search.run(strings)
  }

  func warn(_ refused: [PlatformID: String], of what: String = "") {
    for (id, reason) in refused.sorted(by: { $0.key < $1.key }) {
      environment.logger.warning(
        "\(what)\(Self.shown(id)) was refused",
        metadata: ["vendor": "\(name)", "reason": "\(reason.withVisibleControls)"])
    }
  }

  /// Sends refused strings again if the platform may accept them now, and reports the strings that are still refused. A read-only vendor sends
  /// nothing.
  func refused(
    of parts: [OutstandingWork.Part], _ result: inout PullResult
  ) async throws {
    let now = environment.now()
    let entries = try refusals.all()
    guard !entries.isEmpty else { return }
    let all = parts.map { (part: $0, strings: strings(of: $0)) }
    var due: [PlatformID: PlatformString] = [:]
    var standing: [PlatformID: String] = [:]
    for var string in all.flatMap(\.strings) {
      guard let entry = entries[string.id], refusals.concerns(entry, string) else { continue }
      // The comment in the entry may be newer than the comment in the shipment.
      string.comment = entry.comment
      standing[string.id] = entry.reason
      if !refusals.stands(entry, for: string, at: now), !environment.isReadOnly { due[string.id] = string }
    }
    if !due.isEmpty {
      do {
        let refused = try await deliver(due.sorted { $0.key < $1.key }.map(\.value), again: true).refused
        for id in due.keys { standing[id] = refused[id] }
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        // The pull continues, because translations of the other strings can still be returned.
        result.diagnostics.append(
          Diagnostic(
            path: name, severity: .warning, message: "refused strings could not be sent again: \(error)",
            hint: "the next poll tries again"))
      }
    }
    for (part, strings) in all {
      let units = strings.compactMap { string in
        standing[string.id].map { (UnitID(catalog: string.catalog, key: string.unit), $0) }
      }
      guard !units.isEmpty else { continue }
      result.refusals.append(
        VendorRefusal(reference: part.receipt.reference, units: Dictionary(units) { first, _ in first }))
    }
    for (id, reason) in standing.sorted(by: { $0.key < $1.key }) where refusals.isNews(id) {
      result.diagnostics.append(
        Diagnostic(
          path: name, severity: .warning,
          message: "\(Self.shown(id)) was refused: \(reason)".withVisibleControls,
          hint: "the string is sent again when the string or the vendor's settings change, and once a day"))
    }
    guard !environment.isReadOnly else { return }
    try refusals.retain(Set(all.flatMap(\.strings).map(\.id)), at: now)
  }

  private static func shown(_ id: PlatformID) -> String {
    "“\(id.name.prefix(80))” of \(id.catalog)".withVisibleControls
  }
}
