/// The keys of one mapping in a pipeline file. All other keys are reported as unknown. A test compares the cases of each such enumeration with the
/// schema.
protocol SectionKey: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// The key path of the mapping in the schema, with `[]` for each list; empty for the file itself.
  static var keyPath: String { get }
  /// The keys that must be present.
  static var required: [Self] { get }
}

extension SectionKey {
  static var required: [Self] { [] }
}

enum RootKey: String, SectionKey {
  case pipeline, repository, submodules, extract, catalogs, languages, vendors, memory, glossary, screenshots, rounds,
    deliver,
    require, fallbacks, notify, formerly
  static var keyPath: String { "" }
  static var required: [Self] { [.pipeline, .repository, .vendors] }
}

enum RepositoryKey: String, SectionKey {
  case url, branches, credentials, poll, webhook
  case knownHosts = "known_hosts"
  case certificates
  case clientCertificate = "client_certificate"
  case clientKey = "client_key"
  case proxy
  case proxyCredentials = "proxy_credentials"
  static var keyPath: String { "repository" }
  static var required: [Self] { [.url] }
}

enum SubmoduleKey: String, SectionKey {
  case path, url, credentials
  static var keyPath: String { "submodules[]" }
  static var required: [Self] { [.path] }
}

enum ExtractKey: String, SectionKey {
  case macros, exclude, history, paths
  static var keyPath: String { "extract" }
}

/// The keys that every vendor has. `VendorRegistry` has the additional keys of each kind.
enum VendorKey: String, SectionKey {
  case vendor, name, formerly, languages, catalogs, tables, units, unchanged, repair, fallback, patience, then
  case otherLanguage = "other_language"
  case wordPrice = "word_price"
  static var keyPath: String { "vendors[]" }
  static var required: [Self] { [.vendor] }
}

enum MemoryKey: String, SectionKey {
  case files, state
  static var keyPath: String { "memory" }
}

enum GlossaryKey: String, SectionKey {
  case file, missing
  static var keyPath: String { "glossary" }
  static var required: [Self] { [.file] }
}

enum ScreenshotsKey: String, SectionKey {
  case repository, folder
  static var keyPath: String { "screenshots" }
}

enum RoundsKey: String, SectionKey {
  case quiet, latest, freeze, overdue
  static var keyPath: String { "rounds" }
}

enum DeliverKey: String, SectionKey {
  case mode, branch, forge, api, token, draft, credentials, author, when, sign, subject, statuses, annotations, comments
  case labels, reviewers, app
  case appKey = "app_key"
  case oauthClient = "oauth_client"
  case oauthSecret = "oauth_secret"
  case oauthRefreshToken = "oauth_refresh_token"
  case autoMerge = "auto_merge"
  case signOff = "sign_off"
  case coAuthors = "co_authors"
  case addresses
  static var keyPath: String { "deliver" }
}

enum NotifyKey: String, SectionKey {
  case on, webhook, format, secret, mail, server, from, credentials, quiet, zone, digest
  static var keyPath: String { "notify[]" }
}

/// All mappings with a fixed set of keys.
enum PipelineKeys {
  static let sections: [any SectionKey.Type] = [
    RootKey.self, RepositoryKey.self, SubmoduleKey.self, ExtractKey.self, VendorKey.self, MemoryKey.self,
    GlossaryKey.self,
    ScreenshotsKey.self, RoundsKey.self, DeliverKey.self, NotifyKey.self,
  ]
}
