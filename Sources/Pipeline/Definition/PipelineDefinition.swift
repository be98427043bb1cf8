package import Localization

/// One repository, its branches, and where its strings go: what a pipeline file says (pipelines.md).
package struct PipelineDefinition: Hashable, Sendable {
  package var name: String
  /// Names that the pipeline had before: what the ledger holds under them belongs to this pipeline.
  package var formerly: [String]
  package var repository: RepositorySettings
  package var extract: ExtractSettings
  package var catalogs: CatalogPolicy
  /// `nil`: those that the project has, without the source language.
  package var languages: [LocaleIdentifier]?
  package var vendors: [VendorDefinition]
  package var rounds: RoundSettings
  package var deliver: DeliverSettings
  /// What a gate asks of the languages; nothing where it is empty. No stage looks at it.
  package var require: [CompletionRequirement]
  package var notify: [NotificationSettings]

  package init(
    name: String, repository: RepositorySettings, extract: ExtractSettings = ExtractSettings(),
    catalogs: CatalogPolicy = .leave, languages: [LocaleIdentifier]? = nil, vendors: [VendorDefinition],
    rounds: RoundSettings = RoundSettings(), deliver: DeliverSettings = DeliverSettings(),
    require: [CompletionRequirement] = [], notify: [NotificationSettings] = [], formerly: [String] = []
  ) {
    self.name = name
    self.formerly = formerly
    self.repository = repository
    self.extract = extract
    self.catalogs = catalogs
    self.languages = languages
    self.vendors = vendors
    self.rounds = rounds
    self.deliver = deliver
    self.require = require
    self.notify = notify
  }
}

/// Where the commits come from.
package struct RepositorySettings: Hashable, Sendable {
  package var url: String
  /// Empty: the remote's default branch.
  package var branches: [BranchPattern]
  package var credentials: CredentialReference
  /// `nil`: adaptive, 15 s to 15 min.
  package var poll: Duration?

  package init(
    url: String, branches: [BranchPattern] = [], credentials: CredentialReference = .none, poll: Duration? = nil
  ) {
    self.url = url
    self.branches = branches
    self.credentials = credentials
    self.poll = poll
  }
}

package struct ExtractSettings: Hashable, Sendable {
  package var macros: [String]
  /// Path patterns that are left out.
  package var exclude: [String]

  package init(macros: [String] = [], exclude: [String] = []) {
    self.macros = macros
    self.exclude = exclude
  }
}

/// Whether catalogs that were brought in step with the code are committed.
package enum CatalogPolicy: String, Hashable, Sendable, CaseIterable {
  /// As a commit of their own, before the translations' one.
  case commit
  /// Only entries that receive a translation are touched or added.
  case leave
}

/// Someone who translates some of the languages.
package struct VendorDefinition: Hashable, Sendable {
  package enum Units: String, Hashable, Sendable, CaseIterable {
    /// What is not translated yet.
    case round
    /// Every unit, as Xcode exports.
    case all
  }

  /// What to do with a returned bundle of which most targets equal their source.
  package enum Unchanged: String, Hashable, Sendable, CaseIterable {
    /// Take it, and say so.
    case report
    /// Hold the units whose target equals the source, and say so.
    case hold
  }

  package var kind: String
  /// Tells the vendor from others of the pipeline, in the ledger too. `nil`: its kind and its canonical place.
  package var name: String?
  /// Names that the vendor had before, given ones or defaults such as `folder:/srv/drop`.
  package var formerly: [String]
  /// `nil`: every language that no other vendor of the pipeline names.
  package var languages: [LocaleIdentifier]?
  package var units: Units
  package var credentials: CredentialReference
  package var unchanged: Unchanged
  /// What only this kind of vendor understands, by key.
  package var options: [String: VendorOptionValue]

  package init(
    kind: String, languages: [LocaleIdentifier]? = nil, units: Units = .round,
    credentials: CredentialReference = .none, name: String? = nil, formerly: [String] = [],
    unchanged: Unchanged = .report, options: [String: VendorOptionValue] = [:]
  ) {
    self.kind = kind
    self.name = name
    self.formerly = formerly
    self.unchanged = unchanged
    self.languages = languages
    self.units = units
    self.credentials = credentials
    self.options = options
  }
}

/// When a round goes out. `run --once` ignores `quiet` and `latest`.
package struct RoundSettings: Hashable, Sendable {
  package var quiet: Duration
  package var latest: Duration
  /// Branches where a new string is a finding.
  package var freeze: [BranchPattern]

  package init(quiet: Duration = .seconds(600), latest: Duration = .seconds(7200), freeze: [BranchPattern] = []) {
    self.quiet = quiet
    self.latest = latest
    self.freeze = freeze
  }
}

/// Where translations go.
package struct DeliverSettings: Hashable, Sendable {
  package enum Mode: String, Hashable, Sendable, CaseIterable {
    /// The watched branch itself.
    case push
    /// A branch of its own.
    case branch
    case pullRequest = "pull-request"
  }

  package enum When: String, Hashable, Sendable, CaseIterable {
    case any, complete
  }

  package var mode: Mode
  /// `{branch}` stands for the watched branch.
  package var branch: String
  package var forge: String?
  package var credentials: CredentialReference
  package var authorName: String
  package var authorEmail: String
  package var when: When
  package var sign: String?

  package init(
    mode: Mode = .branch, branch: String = "l10n/{branch}", forge: String? = nil,
    credentials: CredentialReference = .none, authorName: String = "Dragoman",
    authorEmail: String = "dragoman@localhost", when: When = .any, sign: String? = nil
  ) {
    self.mode = mode
    self.branch = branch
    self.forge = forge
    self.credentials = credentials
    self.authorName = authorName
    self.authorEmail = authorEmail
    self.when = when
    self.sign = sign
  }

  /// The branch that receives the translations of a watched branch.
  package func target(for branch: String) -> String {
    mode == .push ? branch : self.branch.replacing("{branch}", with: branch)
  }
}

/// Whom to tell what.
package struct NotificationSettings: Hashable, Sendable {
  package var events: [String]
  package var webhook: CredentialReference
  package var format: String?

  package init(events: [String], webhook: CredentialReference, format: String? = nil) {
    self.events = events
    self.webhook = webhook
    self.format = format
  }
}

extension PipelineDefinition {
  /// Whether a branch of the remote is watched. Branches that deliveries go to never are, nor is `l10n/**`.
  package func watches(_ branch: String, defaultBranch: String?) -> Bool {
    guard !BranchPattern("l10n/**").matches(branch) else { return false }
    if deliver.mode != .push, BranchPattern(deliver.branch.replacing("{branch}", with: "**")).matches(branch) {
      return false
    }
    guard !repository.branches.isEmpty else { return branch == defaultBranch }
    return repository.branches.contains { $0.matches(branch) }
  }
}
