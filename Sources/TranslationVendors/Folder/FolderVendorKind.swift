internal import ChildPrograms
internal import Foundation
internal import HTTPTransport
package import Localization

/// The vendor that pipeline files call `folder`. It exchanges bundles through a folder on this machine, on a WebDAV or SFTP server, or in S3.
package enum FolderVendorKind: VendorKind {
  package static let name = "folder"
  package static let summary = "Puts .xcloc bundles into a folder and reads returned bundles from it."
  package static let capabilities = VendorCapabilities(
    exchange: .files, plurals: true, comments: true, screenshots: true)
  package static let options = [
    VendorOption(
      "path", .place(schemes: ["dav", "davs", "sftp", "s3"]),
      "A directory, a WebDAV address with `dav://` or `davs://`, `sftp://user@host/path`, or "
        + "`s3://bucket/prefix`.", isRequired: true),
    .credentials(
      "WebDAV: `user:password` or a token. SFTP: a private key without passphrase, or a password; `none` uses the ssh "
        + "agent and the account's own keys. S3: `ACCESS_KEY:SECRET` or `ACCESS_KEY:SECRET:SESSION_TOKEN`."),
    VendorOption(
      "known_hosts", .text, "SFTP: the file with the server's host key.", default: "~/.ssh/known_hosts"),
    VendorOption(
      "endpoint", .url, "S3: the URL of a server that is not AWS. Buckets are addressed by path.", default: "AWS"),
    VendorOption("region", .text, "S3: the region of the bucket.", default: "us-east-1"),
    VendorOption(
      "single_writer", .flag,
      "S3: for servers without conditional writes. Set it if only this installation writes to the folder.",
      default: "false"),
    VendorOption(
      "settle", .duration, "The time for which a bundle must stay unchanged before it is read.", default: "2s"),
  ]

  package static func place(of settings: VendorSettings) -> String? {
    guard let path = settings.options.text("path").map(CanonicalPlace.address) else { return nil }
    // Buckets on different servers may have the same name, so the place also contains the server.
    guard path.hasPrefix("s3://"), let endpoint = settings.options.text("endpoint") else { return path }
    return "\(path)?endpoint=\(CanonicalPlace.address(endpoint))"
  }

  package static func vendorName(of settings: VendorSettings) -> String? {
    settings.givenName ?? place(of: settings).map { "folder:\($0)" }
  }

  package static func outerPlaces(of place: String) -> [String] {
    let parts = place.split(separator: "/", omittingEmptySubsequences: false)
    return parts.indices.filter { DropNames.folders.contains(String(parts[$0])) }.map {
      parts[..<$0].joined(separator: "/")
    }
  }

  /// Returns the default names that earlier versions of Dragoman gave to the vendor.
  package static func formerNames(of settings: VendorSettings) -> [String] {
    guard let path = settings.options.text("path") else { return [] }
    return ["folder:\(CanonicalPlace.address(path))", "folder:\(path.contains("://") ? path : absolute(path))"]
  }

  package static func vendor(
    _ settings: VendorSettings, in environment: VendorEnvironment
  ) throws -> any TranslationVendor {
    guard let place = place(of: settings) else {
      throw VendorError(kind: .configuration, at: "vendor folder", detail: "the key path is missing")
    }
    try check(settings)
    let name = vendorName(of: settings) ?? "folder:\(place)"
    let storage = try storage(at: place, settings, environment)
    return FolderVendor(
      storage: environment.isReadOnly ? ReadOnlyStorage(storage: storage) : storage, name: name,
      settle: settings.options.duration("settle") ?? .seconds(2),
      owner: FolderOwner(
        installation: environment.installation, pipeline: environment.pipeline, formerly: environment.formerly),
      hasWorkOut: { try await environment.hasWorkOut(name) }, now: environment.now)
  }

  package static func check(_ settings: VendorSettings) throws(VendorError) {
    guard let place = place(of: settings) else { return }
    for (option, scheme) in [("known_hosts", "sftp"), ("endpoint", "s3"), ("region", "s3"), ("single_writer", "s3")]
    where settings.options[option] != nil && !place.hasPrefix(scheme + "://") {
      throw VendorError(
        kind: .configuration, operation: "use path \(place)",
        detail: "`\(option)` is only for \(scheme)://. Remove it, or correct `path`")
    }
  }

  private static func storage(
    at place: String, _ settings: VendorSettings, _ environment: VendorEnvironment
  ) throws -> any DropStorage {
    guard place.contains("://") else { return DirectoryStorage(root: place) }
    if place.hasPrefix("sftp://") {
      let knownHosts = settings.options.text("known_hosts").map(file)
      return try SFTPStorage(
        address: place, credentials: { try environment.secret().map(SSHCredentials.init) ?? .agent },
        settings: SSHSettings(knownHosts: knownHosts), now: environment.now)
    }
    if place.hasPrefix("s3://") {
      return try S3Storage(
        address: String(place.prefix { $0 != "?" }), endpoint: settings.options.text("endpoint"),
        region: settings.options.text("region"), isSingleWriter: settings.options.flag("single_writer") ?? false,
        credentials: {
          guard let secret = try environment.secret() else {
            throw VendorError(
              kind: .configuration, operation: "use \(place)",
              detail: "S3 needs `credentials`: a reference to ACCESS_KEY:SECRET")
          }
          return try S3Credentials(secret)
        }, transport: environment.transport, now: environment.now, worker: worker(environment))
    }
    return try WebDAVStorage(
      address: place, credentials: { try environment.secret().map(credentials) ?? .none },
      transport: environment.transport)
  }

  /// Returns the worker's identity for moves in S3. Installation and pipeline are enough to identify a worker, because only one process of an
  /// installation runs a pipeline at a time: the process that locks the SQLite ledger, or the pipeline's holder if the ledger is in PostgreSQL.
  private static func worker(_ environment: VendorEnvironment) -> String {
    ContentDigest.hexadecimal(of: "\(environment.installation)/\(environment.pipeline)".utf8, bytes: 8)
  }

  /// Returns the credentials in a secret: `user:password`, or a token.
  private static func credentials(_ secret: Secret) -> HTTPCredentials {
    let text = secret.reveal()
    guard let colon = text.firstIndex(of: ":") else { return .bearer(secret) }
    return .basic(user: String(text[..<colon]), password: Secret(String(text[text.index(after: colon)...])))
  }

  /// Returns the absolute path of a file. `~/` is the home of the account that runs Dragoman. Other relative paths are relative to the working
  /// directory.
  private static func file(_ path: String) -> String {
    path.hasPrefix("~/") ? NSHomeDirectory() + path.dropFirst() : absolute(path)
  }

  private static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }
}
