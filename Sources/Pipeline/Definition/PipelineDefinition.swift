package import Localization

/// One repository, its branches, and its vendors: the content of a pipeline file (pipelines.md).
package struct PipelineDefinition: Hashable, Sendable {
  package var name: String
  /// Former names of the pipeline: ledger entries under these names belong to this pipeline.
  package var formerly: [String]
  package var repository: RepositorySettings
  /// The submodules that are read with the repository.
  package var submodules: [SubmoduleSettings]
  package var extract: ExtractSettings
  package var catalogs: CatalogPolicy
  /// `nil`: the languages of the project, except the source language.
  package var languages: [LocaleIdentifier]?
  package var vendors: [VendorDefinition]
  /// `nil`: texts that were translated before are sent like all others.
  package var memory: MemorySettings?
  /// `nil`: returned texts are not compared with a glossary.
  package var glossary: GlossarySettings?
  /// `nil`: vendors get no screenshots.
  package var screenshots: ScreenshotSettings?
  package var rounds: RoundSettings
  package var deliver: DeliverSettings
  /// The completion that a gate requires on every branch. Empty: none. No stage uses this.
  package var require: [CompletionRequirement]
  /// Additional requirements of the gate on some branches.
  package var requireOnBranches: [BranchRequirement]
  package var notify: [NotificationSettings]
  /// Fallback languages, which count in gates. No stage uses this.
  package var fallbacks: LanguageFallbacks

  package init(
    name: String, repository: RepositorySettings, extract: ExtractSettings = ExtractSettings(),
    catalogs: CatalogPolicy = .leave, languages: [LocaleIdentifier]? = nil, vendors: [VendorDefinition],
    rounds: RoundSettings = RoundSettings(), deliver: DeliverSettings = DeliverSettings(),
    require: [CompletionRequirement] = [], requireOnBranches: [BranchRequirement] = [],
    notify: [NotificationSettings] = [], formerly: [String] = [], fallbacks: LanguageFallbacks = LanguageFallbacks(),
    memory: MemorySettings? = nil, glossary: GlossarySettings? = nil, screenshots: ScreenshotSettings? = nil,
    submodules: [SubmoduleSettings] = []
  ) {
    self.submodules = submodules
    self.screenshots = screenshots
    self.glossary = glossary
    self.memory = memory
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
    self.requireOnBranches = requireOnBranches
    self.notify = notify
    self.fallbacks = fallbacks
  }
}

/// A translation memory that fills texts that were translated before, so that they are not sent.
package struct MemorySettings: Hashable, Sendable {
  /// TMX files, besides the catalogs of the watched branches and what vendors returned.
  package var files: [String]
  /// Whether filled texts count as translated; otherwise they are `needs_review`.
  package var arrivesTranslated: Bool

  package init(files: [String] = [], arrivesTranslated: Bool = false) {
    self.files = files
    self.arrivesTranslated = arrivesTranslated
  }
}

/// The completion that a gate requires on the branches that match a pattern.
package struct BranchRequirement: Hashable, Sendable {
  package var branches: BranchPattern
  package var requirements: [CompletionRequirement]

  package init(branches: BranchPattern, requirements: [CompletionRequirement]) {
    self.branches = branches
    self.requirements = requirements
  }
}

/// The source of the commits.
package struct RepositorySettings: Hashable, Sendable {
  package var url: String
  /// Empty: the default branch of the remote.
  package var branches: [BranchPattern]
  package var credentials: CredentialReference
  /// `nil`: adaptive, from 15 s to 15 min.
  package var poll: Duration?
  /// The secret of the repository's webhook; `none`: its events are refused.
  package var webhook: CredentialReference
  /// The only file with the keys of ssh servers; `nil`: ssh's own files.
  package var knownHosts: String?
  /// A file with the certificates to trust for https instead of the system's.
  package var certificates: String?
  /// The client certificate for https, and its key; if the key is `none`, the certificate's secret contains it, too.
  package var clientCertificate: CredentialReference
  package var clientKey: CredentialReference
  /// The proxy for http(s).
  package var proxy: ProxySettings

  package enum ProxySettings: Hashable, Sendable {
    /// The proxies of `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
    case environment
    case none
    /// Credentials are `user:password`.
    case server(String, credentials: CredentialReference)
  }

  package init(
    url: String, branches: [BranchPattern] = [], credentials: CredentialReference = .none, poll: Duration? = nil,
    webhook: CredentialReference = .none, knownHosts: String? = nil, certificates: String? = nil,
    clientCertificate: CredentialReference = .none, clientKey: CredentialReference = .none,
    proxy: ProxySettings = .environment
  ) {
    self.clientCertificate = clientCertificate
    self.clientKey = clientKey
    self.proxy = proxy
    self.url = url
    self.branches = branches
    self.credentials = credentials
    self.poll = poll
    self.webhook = webhook
    self.knownHosts = knownHosts
    self.certificates = certificates
  }
}

package struct ExtractSettings: Hashable, Sendable {
  package var macros: [String]
  /// Patterns of paths to exclude.
  package var exclude: [String]
  /// The number of commits of each branch that the history lists; 0: none.
  package var history: Int
  /// Patterns of the paths of the pipeline's catalogs; empty: all. Code outside them is read, too.
  package var paths: [String]

  package init(macros: [String] = [], exclude: [String] = [], history: Int = 1000, paths: [String] = []) {
    self.macros = macros
    self.exclude = exclude
    self.history = history
    self.paths = paths
  }

  /// The patterns of `paths`.
  package var pathPatterns: [PathPattern] { paths.compactMap { PathPattern($0) } }
}

/// Whether synced catalogs are committed.
package enum CatalogPolicy: String, Hashable, Sendable, CaseIterable {
  /// In a separate commit before the translations.
  case commit
  /// Only entries that receive a translation are changed or added.
  case leave
}

/// A vendor that translates some of the languages.
package struct VendorDefinition: Hashable, Sendable {
  package static let standardPatience = Duration.seconds(6 * 3600)

  package enum Units: String, Hashable, Sendable, CaseIterable {
    /// Units that are not translated yet.
    case round
    /// Every unit, as in an export from Xcode.
    case all
  }

  /// The reaction to a returned bundle if most of its targets equal their source.
  package enum Unchanged: String, Hashable, Sendable, CaseIterable {
    /// Accept the bundle and report it.
    case report
    /// Hold the units that equal their source, and report it.
    case hold
  }

  /// The reaction to a returned bundle if most of its targets are in another language.
  package enum OtherLanguage: String, Hashable, Sendable, CaseIterable {
    /// Hold the units that are in another language, and report it.
    case hold
    /// Accept the bundle and report it.
    case report
    /// Accept the bundle.
    case take
  }

  package var kind: String
  /// Identifies the vendor within the pipeline and in the ledger. `nil`: its kind and its canonical place.
  package var name: String?
  /// Former names of the vendor, either set by the user or defaults such as `folder:/srv/drop`.
  package var formerly: [String]
  /// `nil`: every language that no other vendor lists.
  package var languages: [LocaleIdentifier]?
  package var scope: CatalogScope
  package var units: Units
  package var credentials: CredentialReference
  /// The place of its webhook's secret.
  package var webhook: CredentialReference
  package var unchanged: Unchanged
  package var otherLanguage = OtherLanguage.hold
  /// Whether returned texts are compared with their source for damage. Pseudo-localized texts are not.
  package var checksTexts = true
  /// The repairs of returned texts. Units with other faults of this kind are held.
  package var repair: Set<TransferCheck.Repair> = []
  /// The name of the vendor that gets the units that this one cannot translate; `nil`: none.
  package var fallback: String?
  /// How long this vendor must fail before its fallback gets its units.
  package var patience: Duration
  /// The name of the vendor that gets each unit after this one translated it; `nil`: nobody.
  package var then: String?
  /// For estimates only; `nil`: unknown.
  package var wordPrice: WordPrice?
  /// The options of this kind of vendor, by key.
  package var options: [String: VendorOptionValue]

  package init(
    kind: String, languages: [LocaleIdentifier]? = nil, units: Units = .round,
    credentials: CredentialReference = .none, name: String? = nil, formerly: [String] = [],
    unchanged: Unchanged = .report, scope: CatalogScope = CatalogScope(), fallback: String? = nil,
    patience: Duration = Self.standardPatience, then: String? = nil, options: [String: VendorOptionValue] = [:],
    webhook: CredentialReference = .none
  ) {
    self.fallback = fallback
    self.patience = patience
    self.then = then
    self.webhook = webhook
    self.scope = scope
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

/// The settings for sending rounds. `run --once` ignores `quiet` and `latest`.
package struct RoundSettings: Hashable, Sendable {
  package var quiet: Duration
  package var latest: Duration
  /// Branches on which new strings are reported.
  package var freeze: [BranchPattern]
  /// A vendor is overdue if it has had units of a round for longer than this.
  package var overdue: Duration

  package init(
    quiet: Duration = .seconds(600), latest: Duration = .seconds(7200), freeze: [BranchPattern] = [],
    overdue: Duration = .seconds(7 * 24 * 3600)
  ) {
    self.quiet = quiet
    self.latest = latest
    self.freeze = freeze
    self.overdue = overdue
  }
}

extension PipelineDefinition {
  /// Whether the pull requests of others are reviewed.
  package var reviewsPullRequests: Bool {
    deliver.comments || (deliver.statuses.contains(.freeze) && !rounds.freeze.isEmpty)
  }

  /// Whether a gate requires anything, on any branch.
  package var hasRequirements: Bool { !require.isEmpty || !requireOnBranches.isEmpty }

  /// Returns the completion that a gate requires on a branch: that of every branch, and then that of each pattern that matches, in the
  /// order of the file. If several name a language, the last one counts. A percentage that a pattern requires of all languages is also the
  /// minimum for the languages that were named before it.
  package func requirements(on branch: String) -> [CompletionRequirement] {
    var required = require
    for pattern in requireOnBranches where pattern.branches.matches(branch) {
      let general = pattern.requirements.last { $0.language == nil && $0.catalogs == nil }?.needed
      if let general {
        for index in required.indices where required[index].language != nil && required[index].catalogs == nil {
          if general.millionths > required[index].needed.millionths { required[index].needed = general }
        }
      }
      required += pattern.requirements
    }
    return required
  }

  /// Whether a branch of the remote is watched. Delivery branches and `l10n/**` are never watched.
  package func watches(_ branch: String, defaultBranch: String?) -> Bool {
    guard !BranchPattern("l10n/**").matches(branch) else { return false }
    if deliver.mode != .push, BranchPattern(deliver.branch.replacing("{branch}", with: "**")).matches(branch) {
      return false
    }
    guard !repository.branches.isEmpty else { return branch == defaultBranch }
    return repository.branches.contains { $0.matches(branch) }
  }
}
