package import Localization

/// One repository, its branches, and its vendors: the content of a pipeline file (pipelines.md).
package struct PipelineDefinition: Hashable, Sendable {
  package var name: String
  /// The former names of the pipeline. Ledger entries under these names belong to this pipeline.
  package var formerly: [String]
  package var repository: RepositorySettings
  /// The submodules that are read with the repository.
  package var submodules: [SubmoduleSettings]
  package var extract: ExtractSettings
  package var catalogs: CatalogPolicy
  /// The target languages; `nil` for the languages of the project, except the source language.
  package var languages: [LocaleIdentifier]?
  package var vendors: [VendorDefinition]
  /// The translation memory; `nil` if texts that were already translated are sent like all others.
  package var memory: MemorySettings?
  /// The glossary; `nil` if returned texts are not compared with a glossary.
  package var glossary: GlossarySettings?
  /// The screenshots; `nil` if vendors get no screenshots.
  package var screenshots: ScreenshotSettings?
  package var rounds: RoundSettings
  package var deliver: DeliverSettings
  /// The completion that a gate requires on every branch; empty if it requires none.
  package var require: [CompletionRequirement]
  /// Additional requirements of a gate on some branches.
  package var requireOnBranches: [BranchRequirement]
  package var notify: [NotificationSettings]
  /// Fallback languages, whose translations count in completion and gates.
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

/// A translation memory. It fills in texts that were already translated, so they are not sent.
package struct MemorySettings: Hashable, Sendable {
  /// The TMX files that are used in addition to the catalogs of the watched branches and the vendors' returns.
  package var files: [String]
  /// Whether texts from the memory get the state `translated`; otherwise they get `needs_review`.
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

/// The repository with the watched branches, and the settings for reading it.
package struct RepositorySettings: Hashable, Sendable {
  package var url: String
  /// The patterns of the watched branches; empty for the default branch of the remote.
  package var branches: [BranchPattern]
  package var credentials: CredentialReference
  /// The poll interval; `nil` for an adaptive interval from 15 s to 15 min.
  package var poll: Duration?
  /// The secret of the repository's webhook; `none` if its events are refused.
  package var webhook: CredentialReference
  /// The only file with the host keys of ssh servers; `nil` for ssh's own files.
  package var knownHosts: String?
  /// The file with the certificates that are trusted for https; `nil` for the system's certificates.
  package var certificates: String?
  /// The client certificate for https, and its key. If the key is `none`, the certificate's secret contains the key too.
  package var clientCertificate: CredentialReference
  package var clientKey: CredentialReference
  /// The proxy for HTTP and HTTPS.
  package var proxy: ProxySettings

  package enum ProxySettings: Hashable, Sendable {
    /// The proxies in the environment variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
    case environment
    case none
    /// The URL of a proxy. The credentials are `user:password`.
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
  /// The number of commits of each branch that the history lists; 0 for no history.
  package var history: Int
  /// Patterns of the paths of the pipeline's catalogs; empty for all catalogs. Code outside these paths is read too.
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
  /// Synced catalogs are committed in a separate commit before the translations.
  case commit
  /// Only entries that receive a translation are changed or added.
  case leave
}

/// A vendor, with its settings in the pipeline file.
package struct VendorDefinition: Hashable, Sendable {
  package static let standardPatience = Duration.seconds(6 * 3600)

  package enum Units: String, Hashable, Sendable, CaseIterable {
    /// Units without a finished translation of their current source text.
    case round
    /// Every unit, as in an export from Xcode.
    case all
  }

  /// What happens to a returned bundle if most of its targets equal their source.
  package enum Unchanged: String, Hashable, Sendable, CaseIterable {
    /// Accept the bundle and report it.
    case report
    /// Hold the units that equal their source, and report the bundle.
    case hold
  }

  /// What happens to a returned bundle if most of its targets are in another language.
  package enum OtherLanguage: String, Hashable, Sendable, CaseIterable {
    /// Hold the units that are in another language, and report the bundle.
    case hold
    /// Accept the bundle and report it.
    case report
    /// Accept the bundle.
    case take
  }

  package var kind: String
  /// The name that identifies the vendor in the pipeline and in the ledger; `nil` if the kind identifies the vendor, together with its project or
  /// canonical place, or with its number among the vendors of this kind.
  package var name: String?
  /// The former names of the vendor, either set by the user or defaults such as `folder:/srv/drop`.
  package var formerly: [String]
  /// The languages of the vendor; `nil` for every language. In a language, vendors that list it come before vendors that list none.
  package var languages: [LocaleIdentifier]?
  package var scope: CatalogScope
  package var units: Units
  package var credentials: CredentialReference
  /// The place of the secret of the vendor's webhook.
  package var webhook: CredentialReference
  package var unchanged: Unchanged
  package var otherLanguage = OtherLanguage.hold
  /// Whether returned texts are compared with their source for damage; `false` for pseudo-localization.
  package var checksTexts = true
  /// The kinds of damage in returned texts that are repaired. Units with other damage are held.
  package var repair: Set<TransferCheck.Repair> = []
  /// The name of the vendor that gets the units that this vendor cannot translate; `nil` if there is none.
  package var fallback: String?
  /// The time for which this vendor must fail continuously before its fallback gets its units.
  package var patience: Duration
  /// The name of the vendor that gets each unit after this vendor translated it; `nil` if there is none.
  package var then: String?
  /// The price of a word, only for estimates; `nil` if it is unknown.
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
  /// The patterns of frozen branches, on which new strings are reported.
  package var freeze: [BranchPattern]
  /// A vendor is overdue if it has had units of a round for longer than this time.
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
  /// Whether people's pull requests are reviewed.
  package var reviewsPullRequests: Bool {
    deliver.comments || (deliver.statuses.contains(.freeze) && !rounds.freeze.isEmpty)
  }

  /// Whether a gate requires anything, on any branch.
  package var hasRequirements: Bool { !require.isEmpty || !requireOnBranches.isEmpty }

  /// Returns the completion that a gate requires on a branch: the requirements of all branches, and then those of each matching pattern, in
  /// the order of the file. If several requirements name the same language, the last of them counts. A percentage that a pattern requires
  /// for all languages in all catalogs is also the minimum in each earlier requirement for one language in all catalogs.
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
}
