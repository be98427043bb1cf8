import FoundationEssentials
package import Localization
package import Pipeline

/// The decisions that people make. A decision is recorded in the audit log before it takes effect, and the decision's result is recorded afterwards.
/// A daemon that uses the store applies decisions within seconds.
package struct Decisions: Sendable {
  /// The part of a daemon that a decision changes.
  package enum Effect: Sendable {
    case pauses
    case jobs(pipeline: String)
  }

  private let model: ReadModel
  private let actor: Actor
  private let made: @Sendable (AuditAction) -> Void
  private let apply: @Sendable (Effect) async throws -> Void
  private var store: any Store { model.store }
  private var people: any PeopleStore { model.people }

  /// - Parameters:
  ///   - made: receives each decision after it was made, except the decisions of ``applyFiles(_:_:)``.
  ///   - apply: makes a decision take effect immediately in the process that runs the pipelines.
  package init(
    model: ReadModel, actor: Actor, made: @escaping @Sendable (AuditAction) -> Void = { _ in },
    apply: @escaping @Sendable (Effect) async throws -> Void = { _ in }
  ) {
    self.model = model
    self.actor = actor
    self.made = made
    self.apply = apply
  }

  /// The codes of the reasons for holding a unit that a person may overrule. With these reasons, the texts can be written to the catalog, and a
  /// person can judge whether they are correct.
  package static let overrulable = ImportChoices.overrulable.union([
    "neverSent", "notRouted", "mostlyUnchanged", "altered", "otherLanguage", "removed",
  ])

  /// The codes of the reasons that do not concern the text of a translation. These reasons no longer apply when a person edits the text, because this
  /// person has seen the current source text.
  private static let circumstances: Set<String> = [
    "sourceChanged", "sourceMissing", "changedInRepository", "neverSent", "notRouted", "mostlyUnchanged",
    "removed",
  ]

  /// Records an action in the audit log, performs it, and records its result.
  private func audited<Value: Sendable>(
    _ action: String, of pipeline: String?, _ subject: String, detail: String? = nil,
    _ body: () async throws -> Value
  ) async throws -> Value {
    let decision = AuditAction(actor: actor, action: action, pipeline: pipeline, subject: subject, detail: detail)
    let id = try await people.beginAudit(decision)
    do {
      let value = try await body()
      made(decision)
      try await people.settleAudit(id, outcome: AuditEntry.done)
      return value
    } catch {
      // The error itself is more important than a failure to record it.
      try? await people.settleAudit(id, outcome: String(describing: error))
      throw error
    }
  }

  // MARK: Rounds

  /// Requests that a round's held units are reviewed again, except those that a person removed from a branch, and that the units that were withdrawn
  /// when the round was cancelled are sent again if they are still needed.
  /// - Returns: the round before the change, and the number of its held units.
  @discardableResult
  package func retry(_ id: RoundID) async throws -> (round: Round, held: Int) {
    let round = try await model.round(id)
    let held = try await model.held(in: round).count
    try await audited("round retry", of: round.pipeline, "\(round.pipeline)#\(round.number)") {
      try await store.retryRound(id)
    }
    try await apply(.jobs(pipeline: round.pipeline))
    return (round, held)
  }

  /// Withdraws the outstanding units of a round.
  /// - Returns: the round before the change.
  @discardableResult
  package func cancel(_ id: RoundID) async throws -> Round {
    let round = try await model.round(id)
    try await audited("round cancel", of: round.pipeline, "\(round.pipeline)#\(round.number)") {
      try await store.cancelRound(id)
    }
    try await apply(.jobs(pipeline: round.pipeline))
    return round
  }

  // MARK: Held units

  /// Accepts a held unit despite the reason for which it is held. If another reason applies, the unit is held again.
  /// - Returns: the unit before the change.
  /// - Throws: `PipelineError` if the unit is not held, or if its reason cannot be overruled.
  @discardableResult
  package func take(_ id: ReturnedUnitID, on branch: String) async throws -> HeldUnit {
    let details = try await model.held(id, on: branch)
    let reason = details.unit.reason
    guard let reason, details.mayBeTaken else {
      throw PipelineError(
        .refused, operation: "take held unit \(id.rawValue)",
        detail: "it cannot be taken as it is: \(reason?.sentence ?? "the reason is unknown to this version"). "
          + "Edit it, or drop it", disposition: .askPerson)
    }
    try await audited("held take", of: details.unit.pipeline, Self.subject(details.unit), detail: reason.code) {
      try await people.overrule(reason.code, for: id, on: branch)
    }
    try await apply(.jobs(pipeline: details.unit.pipeline))
    return details.unit
  }

  /// Discards a held unit, and the earlier returns of its vendor that are held on the branch for the same string and language. The string is sent
  /// again if the string is still not translated.
  /// - Returns: the units before the change, starting with the given unit.
  @discardableResult
  package func drop(_ id: ReturnedUnitID, on branch: String) async throws -> [HeldUnit] {
    let unit = try await model.held(id, on: branch).unit
    let earlier = try await model.held(of: unit.pipeline).filter {
      $0.branch == branch && $0.unit == unit.unit && $0.language == unit.language && $0.vendor == unit.vendor
        && $0.id < id
    }
    let all = [unit] + earlier.sorted { $0.id > $1.id }
    for unit in all {
      try await audited("held drop", of: unit.pipeline, Self.subject(unit), detail: unit.reason?.code) {
        try await people.drop(unit.id, on: branch)
      }
    }
    try await apply(.jobs(pipeline: unit.pipeline))
    return all
  }

  /// Stores a person's version of a held unit as if the vendor had returned it. The version is reviewed like every returned unit, and replaces the
  /// held unit on all branches.
  /// - Parameter texts: the texts of all forms, in the order of `HeldDetails.forms`.
  /// - Returns: the unit before the change.
  @discardableResult
  package func edit(_ id: ReturnedUnitID, on branch: String, texts: [String]) async throws -> HeldUnit {
    let held = try await model.held(id, on: branch).unit
    guard var stored = try await people.returnedUnit(id) else { throw PipelineError.notHeld(id, on: branch) }
    guard texts.count == stored.unit.units.count else {
      throw PipelineError(
        .unreadableInput, operation: "edit held unit \(id.rawValue)",
        detail: "it has \(stored.unit.units.count) forms, but \(texts.count) texts were given", disposition: .permanent)
    }
    for (index, text) in texts.enumerated() {
      let isPhrases = if case .phrases? = stored.unit.units[index].target?.text { true } else { false }
      stored.unit.units[index].target = ExchangeTarget(
        isPhrases ? .phrases(text.split(separator: "\n").map(String.init)) : .text(text), state: "translated")
    }
    let now = try await store.now()
    var digest = ContentDigest()
    for part in ["edited", String(id.rawValue), branch, actor.name, String(now.timeIntervalSince1970)] + texts {
      digest.update(text: part)
    }
    let bundle = NewBundle(
      vendor: stored.vendor, reference: NewBundle.editedBy + actor.name, digest: digest.finishHexadecimal(),
      received: now, review: nil, returnedUnits: [stored.unit])
    try await audited("held edit", of: stored.pipeline, Self.subject(held), detail: held.reason?.code) {
      // The edit is recorded as a decision, so a running merge cannot hold the replaced unit again.
      try await store.record(
        [.receive(bundle), .acknowledged(vendor: bundle.vendor, digest: bundle.digest)]
          + (try await replacing(id, of: stored.pipeline)) + [.planAgain], of: stored.pipeline)
      if let code = held.reason?.code, Self.circumstances.contains(code),
        let new = try await store.returnedUnits(of: stored.pipeline, branch: branch)
          .last(where: { $0.bundle == bundle.digest })
      {
        try await people.overrule(code, for: new.id, on: branch)
      }
      try await people.requestLook(at: stored.pipeline)
    }
    try await apply(.jobs(pipeline: held.pipeline))
    return held
  }

  /// Returns the changes that pass over a held unit on the branches where it is held.
  private func replacing(_ id: ReturnedUnitID, of pipeline: String) async throws -> [LedgerChange] {
    var changes: [LedgerChange] = []
    for branch in try await model.held(of: pipeline).filter({ $0.id == id }).map(\.branch) {
      let unit = try await store.returnedUnits(of: pipeline, branch: branch).first { $0.id == id }
      if let outcome = unit?.outcome { changes.append(.outcomes([outcome.replaced], branch: branch)) }
    }
    return changes
  }

  private static func subject(_ unit: HeldUnit) -> String {
    "\(unit.pipeline) \(unit.id.rawValue) \(unit.branch) \(unit.language) \(unit.unit.catalog): \(unit.unit.key.text.prefix(200))"
  }

  // MARK: Pipelines

  package func pause(_ pipeline: String, reason: String?) async throws {
    try await checkPipeline(pipeline)
    let pause = PipelinePause(since: try await store.now(), by: actor.name, reason: reason)
    try await audited("pipeline pause", of: pipeline, pipeline, detail: reason) {
      try await people.setPause(pause, of: pipeline)
    }
    try await apply(.pauses)
  }

  package func resume(_ pipeline: String) async throws {
    try await checkPipeline(pipeline)
    try await audited("pipeline resume", of: pipeline, pipeline) { try await people.setPause(nil, of: pipeline) }
    try await apply(.pauses)
  }

  /// Requests an immediate check of the repository, which also retries failed jobs.
  /// - Throws: `PipelineError` if the pipeline is paused.
  package func look(at pipeline: String) async throws {
    try await checkPipeline(pipeline)
    if let pause = try await people.controls(of: pipeline)[pipeline]?.pause {
      throw PipelineError(
        .refused, operation: "look at \(pipeline)",
        detail: "\(pause.by) paused it. Resume it first", disposition: .askPerson)
    }
    try await audited("pipeline look", of: pipeline, pipeline) { try await people.requestLook(at: pipeline) }
  }

  /// Records in the audit log which pipeline files are stored or removed, calls `body`, which stores or removes these files, and records the result.
  /// - Parameter changes: the change of each pipeline's file: `added`, `changed` or `removed`.
  package func applyFiles<Value: Sendable>(
    _ changes: [String: String], _ body: () async throws -> Value
  ) async throws -> Value {
    var ids: [AuditID] = []
    for (pipeline, change) in changes.sorted(by: { $0.key < $1.key }) {
      let action = AuditAction(
        actor: actor, action: "pipeline apply", pipeline: pipeline, subject: pipeline, detail: change)
      ids.append(try await people.beginAudit(action))
    }
    let result: Result<Value, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    for id in ids {
      switch result {
      case .success: try await people.settleAudit(id, outcome: AuditEntry.done)
      case .failure(let error): try? await people.settleAudit(id, outcome: String(describing: error))
      }
    }
    return try result.get()
  }

  private func checkPipeline(_ name: String) async throws { try await model.checkPipeline(name) }

  // MARK: Tokens

  package static let tokenNameRule =
    "a name has 1 to 64 ASCII letters, digits or punctuation marks, without spaces and without / ? # %"

  /// Returns whether the name is allowed for a token.
  package static func isTokenName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/?#%".utf8.contains($0) }
  }

  /// Adds a token of the API.
  /// - Returns: the token, which is not stored and cannot be shown again.
  /// - Throws: `PipelineError` if the name is not allowed or is already used.
  package func addToken(named name: String, role: Role) async throws -> Secret {
    guard Self.isTokenName(name) else {
      throw PipelineError(
        .unreadableInput, operation: "add token", detail: Self.tokenNameRule, disposition: .permanent)
    }
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    let token = "dgm_" + bytes.hexadecimal
    let entry = APIToken(name: name, role: role, hash: APIToken.hash(of: token), created: try await store.now())
    try await audited("token add", of: nil, name, detail: role.rawValue) {
      guard try await people.addToken(entry) else {
        throw PipelineError(
          .refused, operation: "add token \(name)",
          detail: "a token with this name exists. Remove it first, or choose another name", disposition: .askPerson)
      }
    }
    return Secret(token)
  }

  /// Removes a token of the API.
  /// - Throws: `PipelineError` if no token has this name.
  package func removeToken(named name: String) async throws {
    let names = try await people.tokens().map(\.name)
    guard names.contains(name) else {
      throw PipelineError(
        .notFound, operation: "remove token \(name)", detail: "no such token" + NearestName.suffix(name, names),
        disposition: .permanent)
    }
    try await audited("token remove", of: nil, name) { _ = try await people.removeToken(named: name) }
  }
}
