import Localization
package import Pipeline
internal import Synchronization

/// What may be true, as far as people, vendors and the remote repositories can see it. Knows nothing of how the pipeline decides.
///
/// Texts are known by their words, since nobody in the simulation writes the same translation twice.
package final class Model: Sendable {
  /// A rule that was broken.
  package struct Violation: Hashable, Sendable, CustomStringConvertible {
    /// The number of the rule, as in the list of `Rule`.
    package var rule: Rule
    package var text: String
    package var description: String { "rule \(rule.rawValue) (\(rule)): \(text)" }
  }

  package enum Rule: Int, Hashable, Sendable, CaseIterable {
    /// Every returned translation is delivered, held with a reason, or overtaken by a newer source or a person.
    case returnsArrive = 1
    /// No person's text was replaced by anything that was made without knowing it.
    case peopleAreRespected
    /// Nothing was sent twice to one vendor for one source, unless it was withdrawn in between.
    case nothingTwice
    case booksBalance
    /// Within a bounded time after the last event nothing is owed.
    case nothingOwed
    /// No foreign commit left a branch; every changed byte belongs to a unit.
    case onlyUnits
    /// One pipeline's faults did not delay another.
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
    /// What people wrote, by its words.
    var people: Set<String> = []
    /// What vendors returned, by pipeline, in order.
    var returns: [String: [ReturnedText]] = [:]
    /// By key, language and words; the catalog may have another name by now.
    var returned: [String: [ReturnedText]] = [:]
    /// What a vendor has or had without having been told that it is not wanted.
    var sent: Set<SentName> = []
    /// What a vendor was sent at any time.
    var everSent: Set<Asked> = []
    /// The languages that were ever a vendor's.
    var routes: Set<Route> = []
    /// Commits that people made, whoever they name as the author.
    var foreignCommits: Set<CommitID> = []
    /// By repository and branch, every commit that the branch ever had.
    var had: [BranchPlace: Set<CommitID>] = [:]
    /// Rules that do not hold in a story where a ledger was replaced by an older one.
    var suspended: Set<Rule> = []
    /// What each pipeline sent and pushed, in order.
    var activity: [String: [Activity]] = [:]
  }

  /// A text that a vendor was asked for; the catalog may have another name by now.
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

  /// Something that a pipeline did and others could see.
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
  func isPersons(_ text: String) -> Bool { state.withLock { $0.people.contains(text) } }

  /// The returns with these words for the key and language.
  func returns(saying text: String, key: UnitKey, language: LocaleIdentifier) -> [ReturnedText] {
    state.withLock { $0.returned[text] ?? [] }.filter { $0.sent.unit.key == key && $0.sent.language == language }
  }

  /// A pipeline did something that others can see.
  func acted(_ pipeline: String, at instant: Duration, _ what: String) {
    state.withLock { $0.activity[pipeline, default: []].append(Activity(at: instant, what: what)) }
  }

  func activity(of pipeline: String) -> [Activity] { state.withLock { $0.activity[pipeline] ?? [] } }

  // MARK: Branches

  /// A branch stands at another commit, whoever moved it there.
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

  /// The branches that a repository ever had.
  func branches(everIn repository: String) -> [String] {
    state.withLock { $0.had.keys.filter { $0.repository == repository }.map(\.branch).sorted() }
  }

  // MARK: Vendors

  /// The pipeline file says who translates which language.
  func languagesGo(to routes: [LocaleIdentifier: String]) {
    state.withLock { state in
      for (language, vendor) in routes { state.routes.insert(Route(vendor: vendor, language: language)) }
    }
  }

  /// Whether a return may stand in the place of a text: what the vendor was asked for may, and anything in a language of the vendor's
  /// may fill an empty place.
  func may(_ text: ReturnedText, replace old: String?) -> Bool {
    state.withLock { state in
      if state.everSent.contains(Asked(text.sent, vendor: text.vendor)) { return true }
      return (old ?? "").isEmpty
        && state.routes.contains(Route(vendor: text.vendor, language: text.sent.language))
    }
  }

  package func vendorEvent(_ event: VendorServer.Event) {
    switch event {
    case .sent(let pipeline, let vendor, let texts):
      for text in texts {
        var text = text
        // Who sends the same text twice may send it with another translation beside it.
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
