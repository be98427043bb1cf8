import Localization
package import Pipeline
internal import Synchronization

/// The rules of the simulation. The model checks them by what people, vendors and the remote repositories can see, and by the books and held units
/// that the ledger reports. It does not use the logic of the pipeline's stages.
///
/// Translations are identified by their text, because the simulation never creates the same translation twice, except for unchanged source texts.
package final class Model: Sendable {
  /// A violation of a rule.
  package struct Violation: Hashable, Sendable, CustomStringConvertible {
    /// The rule that was broken.
    package var rule: Rule
    package var text: String
    package var description: String { "rule \(rule.rawValue) (\(rule)): \(text)" }
  }

  package enum Rule: Int, Hashable, Sendable, CaseIterable {
    /// Every returned translation is delivered, held with a reason, or replaced by a newer source or a person.
    case returnsArrive = 1
    /// A person's text is never replaced by a text that was made without knowledge of it.
    case peopleAreRespected
    /// No text is sent twice to the same vendor for the same source, unless it was withdrawn in between.
    case nothingTwice
    case booksBalance
    /// Within a limited time after the last event, no work is left to do.
    case nothingOwed
    /// No push of a pipeline removes a person's commit from a branch, and each byte that it changes is part of a unit.
    case onlyUnits
    /// Faults of one pipeline do not delay other pipelines.
    case faultsStay
  }

  struct TextName: Hashable {
    var unit: UnitID
    var language: LocaleIdentifier
    var text: String
  }

  struct SentName: Hashable {
    var pipeline: String
    var vendor: String
    var text: SentText
  }

  struct State {
    var violations: [Violation] = []
    /// All texts that people wrote.
    var people: Set<String> = []
    /// All returns of vendors, by pipeline, in order.
    var returns: [String: [ReturnedText]] = [:]
    /// All returns by their text. Their catalogs may have been renamed since.
    var returned: [String: [ReturnedText]] = [:]
    /// The texts that were sent to a vendor and not withdrawn.
    var sent: Set<SentName> = []
    /// All texts that were ever sent to a vendor.
    var everSent: Set<Asked> = []
    /// The languages for which each vendor was ever responsible.
    var routes: Set<Route> = []
    /// The first vendors of all routes with more than one step. The translations of these vendors are drafts.
    var drafting: Set<String> = []
    /// The texts whose return a pipeline committed as translated. A return in the wrong language counts, because the pipeline cannot detect the wrong
    /// language.
    var taken: Set<Asked> = []
    /// The commits and catalogs in which people dropped each text of a vendor.
    var dropped: [DroppedText: [Drop]] = [:]
    /// The catalogs that people renamed, in order.
    var renames: [Rename] = []
    /// The commits that people made, even if they name another author.
    var foreignCommits: Set<CommitID> = []
    /// All commits that each branch ever had.
    var had: [BranchPlace: Set<CommitID>] = [:]
    /// The rules that do not apply in this story because an older ledger replaced the current one.
    var suspended: Set<Rule> = []
    /// The texts that each pipeline sent, and its pushes, in order.
    var activity: [String: [Activity]] = [:]
  }

  /// A text that a vendor was asked to translate, without its catalog, because the catalog may be renamed later.
  struct Asked: Hashable {
    var vendor: String
    var key: UnitKey
    var language: LocaleIdentifier
    var source: String

    init(_ text: SentText, vendor: String) {
      self.vendor = vendor
      key = text.unit.key
      language = text.language
      source = text.source
    }
  }

  struct Route: Hashable {
    var vendor: String
    var language: LocaleIdentifier
  }

  struct BranchPlace: Hashable {
    var repository: String
    var branch: String
  }

  /// A vendor's text that a person removed from a branch, or marked as needing review. It has no catalog, because the catalog may be renamed later.
  struct DroppedText: Hashable {
    var key: UnitKey
    var language: LocaleIdentifier
    var text: String
    /// The source text at that time.
    var source: String
  }

  /// The commit and the catalog in which a person dropped a text.
  struct Drop {
    var commit: CommitID
    var catalog: TreePath
  }

  struct Rename {
    var old: TreePath
    var new: TreePath
    var commit: CommitID
  }

  /// An action of a pipeline that is visible from outside.
  struct Activity: Hashable, Sendable {
    var at: Duration
    var what: String
  }

  let state = Mutex(State())
  let history: GitHistory

  package init(history: GitHistory) { self.history = history }

  package var violations: [Violation] { state.withLock { $0.violations } }

  func violate(_ rule: Rule, _ text: String) {
    state.withLock { state in
      guard !state.suspended.contains(rule) else { return }
      let violation = Violation(rule: rule, text: text)
      if !state.violations.contains(violation) { state.violations.append(violation) }
    }
  }

  package func suspend(_ rule: Rule) { state.withLock { $0.suspended.formUnion([rule]) } }

  // MARK: People

  package func personWrote(_ text: String) { state.withLock { $0.people.formUnion([text]) } }
  package func personCommitted(_ commit: CommitID) { state.withLock { $0.foreignCommits.formUnion([commit]) } }
  func personDropped(_ text: DroppedText, _ drop: Drop) {
    state.withLock { $0.dropped[text, default: []].append(drop) }
  }

  /// Returns the commits and catalogs in which people dropped a text while it was the translation of this source text.
  func drops(of text: DroppedText) -> [Drop] { state.withLock { $0.dropped[text] ?? [] } }

  func personRenamed(_ rename: Rename) { state.withLock { $0.renames.append(rename) } }

  /// Returns whether a person dropped the text from this catalog before the commit. Dropping a text from one catalog does not drop it from
  /// another, unless the second catalog is the first one after a rename that the person's commit does not contain.
  func wasDropped(_ text: DroppedText, from catalog: TreePath, before commit: CommitID) -> Bool {
    let renames = state.withLock { $0.renames }
    return drops(of: text).contains { drop in
      guard history.isAncestor(drop.commit, of: commit) else { return false }
      var names: Set = [drop.catalog]
      for rename in renames where names.contains(rename.old) && !history.isAncestor(rename.commit, of: drop.commit) {
        names.insert(rename.new)
      }
      return names.contains(catalog)
    }
  }

  /// Returns whether people dropped a vendor's translation of this source text.
  func isDropped(_ key: UnitKey, _ language: LocaleIdentifier, source: String) -> Bool {
    state.withLock { state in
      state.dropped.keys.contains { $0.key == key && $0.language == language && $0.source == source }
    }
  }

  func isPersons(_ text: String) -> Bool { state.withLock { $0.people.contains(text) } }

  /// Returns the returns with this text for a key and language.
  func returns(saying text: String, key: UnitKey, language: LocaleIdentifier) -> [ReturnedText] {
    state.withLock { $0.returned[text] ?? [] }.filter { $0.sent.unit.key == key && $0.sent.language == language }
  }

  /// Records an action that is visible from outside.
  func acted(_ pipeline: String, at instant: Duration, _ what: String) {
    state.withLock { $0.activity[pipeline, default: []].append(Activity(at: instant, what: what)) }
  }

  func activity(of pipeline: String) -> [Activity] { state.withLock { $0.activity[pipeline] ?? [] } }

  // MARK: Branches

  /// Records that a person or a pipeline moved a branch.
  func branchMoved(_ move: RemoteRepository.Move) {
    guard let new = move.new else { return }
    let place = BranchPlace(repository: move.repository, branch: move.branch)
    let commits = history.reachable(from: [new])
    state.withLock { $0.had[place, default: []].formUnion(commits) }
  }

  /// Returns all commits that these branches ever had.
  func commits(everOn branches: [String], of repository: String) -> Set<CommitID> {
    state.withLock { state in
      branches.reduce(into: []) { $0.formUnion(state.had[BranchPlace(repository: repository, branch: $1)] ?? []) }
    }
  }

  /// Returns all branches that a repository ever had.
  func branches(everIn repository: String) -> [String] {
    state.withLock { $0.had.keys.filter { $0.repository == repository }.map(\.branch).sorted() }
  }

  // MARK: Vendors

  /// Records the vendors of each language, as in the pipeline file.
  func languagesGo(to routes: [LocaleIdentifier: VendorRoute]) {
    state.withLock { state in
      for (language, route) in routes {
        for vendor in route.steps.joined() { state.routes.insert(Route(vendor: vendor, language: language)) }
        if let first = route.first, route.steps.count > 1 { state.drafting.insert(first) }
      }
    }
  }

  /// Returns whether a return may replace a text. It may if the vendor was asked to translate the text. In addition, any text in a language
  /// of the vendor may fill a missing translation.
  func may(_ text: ReturnedText, replace old: String?) -> Bool {
    state.withLock { state in
      if state.everSent.contains(Asked(text.sent, vendor: text.vendor)) { return true }
      return (old ?? "").isEmpty
        && state.routes.contains(Route(vendor: text.vendor, language: text.sent.language))
    }
  }

  /// Records that a pipeline committed one of these returns as translated.
  func took(_ texts: [ReturnedText]) {
    state.withLock { state in state.taken.formUnion(texts.map { Asked($0.sent, vendor: $0.vendor) }) }
  }

  /// Returns whether a text was returned by the first vendor of a route with more than one step.
  func isDraft(_ text: ReturnedText) -> Bool { state.withLock { $0.drafting.contains(text.vendor) } }

  package func vendorEvent(_ event: VendorServer.Event) {
    switch event {
    case .sent(let pipeline, let vendor, let texts):
      for text in texts {
        var text = text
        // If the same text is sent twice, the translation that is sent with it may differ.
        text.baseline = nil
        let name = SentName(pipeline: pipeline, vendor: vendor, text: text)
        let isNew = state.withLock { state in
          state.everSent.insert(Asked(text, vendor: vendor))
          return state.sent.insert(name).inserted
        }
        if !isNew {
          violate(.nothingTwice, "\(vendor) got \(text.unit) (\(text.language), “\(text.source)”) again")
        }
      }
    case .withdrawn(let pipeline, let vendor, let texts):
      state.withLock { state in
        for var text in texts {
          text.baseline = nil
          state.sent.remove(SentName(pipeline: pipeline, vendor: vendor, text: text))
        }
      }
    case .returned(let pipeline, let texts):
      state.withLock { state in
        state.returns[pipeline, default: []] += texts
        for text in texts { state.returned[text.text, default: []].append(text) }
      }
    }
  }
}
