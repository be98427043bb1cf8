import Localization
package import Pipeline
internal import Synchronization

/// The rules of the simulation, as far as people, vendors and the remote repositories can check them. The model does not know how the
/// pipeline decides.
///
/// Texts are identified by their words, because no translation is written twice in the simulation.
package final class Model: Sendable {
  /// A rule that was broken.
  package struct Violation: Hashable, Sendable, CustomStringConvertible {
    /// The rule, with the number that it has in `Rule`.
    package var rule: Rule
    package var text: String
    package var description: String { "rule \(rule.rawValue) (\(rule)): \(text)" }
  }

  package enum Rule: Int, Hashable, Sendable, CaseIterable {
    /// Every returned translation is delivered, held with a reason, or replaced by a newer source or a person.
    case returnsArrive = 1
    /// A person's text is never replaced by a text that was made without knowing it.
    case peopleAreRespected
    /// Nothing is sent twice to one vendor for one source, unless it was withdrawn in between.
    case nothingTwice
    case booksBalance
    /// Within a limited time after the last event, no work is left to do.
    case nothingOwed
    /// No foreign commit is removed from a branch; every changed byte belongs to a unit.
    case onlyUnits
    /// Faults of one pipeline do not delay another.
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
    /// The words of all texts that people wrote.
    var people: Set<String> = []
    /// All returns of vendors, by pipeline, in order.
    var returns: [String: [ReturnedText]] = [:]
    /// All returns by their words. The catalog may have another name by now.
    var returned: [String: [ReturnedText]] = [:]
    /// Texts that a vendor was sent, and that were not withdrawn.
    var sent: Set<SentName> = []
    /// All texts that a vendor was ever sent.
    var everSent: Set<Asked> = []
    /// All languages that a vendor was ever responsible for.
    var routes: Set<Route> = []
    /// Vendors whose translations are passed on to another vendor.
    var drafting: Set<String> = []
    /// Texts whose return a pipeline committed as translated. A return in the wrong language counts, because the pipeline cannot detect it.
    var taken: Set<Asked> = []
    /// The commits in which people dropped a vendor's text.
    var dropped: [DroppedText: [Drop]] = [:]
    /// The catalogs that people renamed, in order.
    var renames: [Rename] = []
    /// Commits that people made, also if they name another author.
    var foreignCommits: Set<CommitID> = []
    /// All commits that each branch ever had.
    var had: [BranchPlace: Set<CommitID>] = [:]
    /// Rules that do not hold in a story in which an older ledger replaced the current one.
    var suspended: Set<Rule> = []
    /// What each pipeline sent and pushed, in order.
    var activity: [String: [Activity]] = [:]
  }

  /// A text that a vendor was asked to translate. The catalog may have another name by now.
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

  /// A vendor's text that a person removed from a branch, or marked as needing review. The catalog may have another name by now.
  struct DroppedText: Hashable {
    var key: UnitKey
    var language: LocaleIdentifier
    var text: String
    /// The source text at that time.
    var source: String
  }

  /// When and where a person dropped a text.
  struct Drop {
    var commit: CommitID
    var catalog: TreePath
  }

  struct Rename {
    var old: TreePath
    var new: TreePath
    var commit: CommitID
  }

  /// An action of a pipeline that others could see.
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

  /// Where people dropped a text while it answered this source text.
  func drops(of text: DroppedText) -> [Drop] { state.withLock { $0.dropped[text] ?? [] } }

  func personRenamed(_ rename: Rename) { state.withLock { $0.renames.append(rename) } }

  /// Whether a person dropped the text from this catalog, before the commit. A text that was dropped from one catalog was not dropped from
  /// another, unless one of them is the other renamed, and the person did not know that.
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

  /// Whether people dropped a vendor's text that answered this source text.
  func isDropped(_ key: UnitKey, _ language: LocaleIdentifier, source: String) -> Bool {
    state.withLock { state in
      state.dropped.keys.contains { $0.key == key && $0.language == language && $0.source == source }
    }
  }

  func isPersons(_ text: String) -> Bool { state.withLock { $0.people.contains(text) } }

  /// The returns with these words for a key and language.
  func returns(saying text: String, key: UnitKey, language: LocaleIdentifier) -> [ReturnedText] {
    state.withLock { $0.returned[text] ?? [] }.filter { $0.sent.unit.key == key && $0.sent.language == language }
  }

  /// Records an action that others can see.
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

  /// Every commit that these branches ever had.
  func commits(everOn branches: [String], of repository: String) -> Set<CommitID> {
    state.withLock { state in
      branches.reduce(into: []) { $0.formUnion(state.had[BranchPlace(repository: repository, branch: $1)] ?? []) }
    }
  }

  /// All branches that a repository ever had.
  func branches(everIn repository: String) -> [String] {
    state.withLock { $0.had.keys.filter { $0.repository == repository }.map(\.branch).sorted() }
  }

  // MARK: Vendors

  /// Records the vendors of each language, as the pipeline file names them.
  func languagesGo(to routes: [LocaleIdentifier: VendorRoute]) {
    state.withLock { state in
      for (language, route) in routes {
        for vendor in route.steps.joined() { state.routes.insert(Route(vendor: vendor, language: language)) }
        if let first = route.first, route.steps.count > 1 { state.drafting.insert(first) }
      }
    }
  }

  /// Whether a return may replace a text. A text that the vendor was asked for may; any text in one of the vendor's languages may fill an
  /// empty place.
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

  /// Whether a text was returned by a vendor whose translations are passed on to another one.
  func isDraft(_ text: ReturnedText) -> Bool { state.withLock { $0.drafting.contains(text.vendor) } }

  package func vendorEvent(_ event: VendorServer.Event) {
    switch event {
    case .sent(let pipeline, let vendor, let texts):
      for text in texts {
        var text = text
        // If the same text is sent twice, the translation beside it may differ.
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
