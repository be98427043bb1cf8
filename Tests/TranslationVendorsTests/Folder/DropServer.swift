import ChildPrograms
import Foundation
import HTTPTransport
import Localization
import TestSupport
import Testing
import TranslationVendors

/// The kinds of storage for a drop folder, each with a real directory or server.
enum DropServer: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case directory, webDAV, openSSH, asyncSSH, s3

  var testDescription: String { rawValue }

  /// A running server with an empty folder.
  struct Running: Sendable {
    /// A reference that keeps the server alive.
    var server: any Sendable
    /// A function that makes a separate storage, as another process would.
    var storage: @Sendable () throws -> any DropStorage
    /// Whether names can contain control characters.
    var takesControlCharacters = true
    /// Whether a file can be created only in a folder that exists.
    var hasFolders = true
  }

  /// Starts the server, or creates the directory.
  /// - Returns: `nil` if the server is not installed, after printing the reason.
  func start() async throws -> Running? {
    switch self {
    case .directory:
      let folder = try TemporaryFolder()
      return Running(server: folder) { DirectoryStorage(root: folder.path) }
    case .webDAV:
      guard let apache = try await ApacheServer.start() else { return nil }
      return Running(server: apache, storage: { try apache.storage() }, takesControlCharacters: false)
    case .openSSH:
      guard let server = try await SSHServer.start() else { return nil }
      return Running(server: server) { try server.storage() }
    case .asyncSSH:
      guard let server = try await PasswordSFTPServer.start() else { return nil }
      return Running(server: server) { try server.storage() }
    case .s3:
      guard let server = try await S3Server.start() else { return nil }
      return Running(
        server: server, storage: { try server.storage() }, takesControlCharacters: false, hasFolders: false)
    }
  }
}

extension S3Server {
  func storage(
    path: String = "birds/drop", credentials: String? = nil, region: String = S3Server.region,
    isSingleWriter: Bool = false,
    certificateAuthorities: String? = nil, takeover: Duration = .seconds(360),
    now: @escaping @Sendable () -> Date = { Date() }, worker: String = UUID().uuidString
  ) throws -> S3Storage {
    let keys = try S3Credentials(Secret(credentials ?? self.credentials))
    return try S3Storage(
      address: "s3://\(Self.bucket)/\(path)", endpoint: url, region: region, isSingleWriter: isSingleWriter,
      credentials: { keys },
      transport: HTTPTransport(
        TransportSettings(certificateAuthorities: certificateAuthorities, usesEnvironmentProxy: false)),
      deadlines: patience, takeover: takeover, now: now, worker: worker)
  }
}

/// Long deadlines, because many servers run at the same time and no test depends on speed.
let patience = Deadlines(connect: .seconds(240), stall: .seconds(240), whole: .seconds(500))

extension SSHServer {
  func storage(url: String? = nil, knownHosts: String? = nil, credentials: SSHCredentials? = nil) throws -> SFTPStorage
  {
    let credentials = credentials ?? .privateKey(Secret(key))
    return try SFTPStorage(
      address: url ?? self.url, credentials: { credentials },
      settings: SSHSettings(knownHosts: knownHosts ?? self.knownHosts), deadlines: patience)
  }
}

extension PasswordSFTPServer {
  func storage(password: String = PasswordSFTPServer.password) throws -> SFTPStorage {
    try SFTPStorage(
      address: url, credentials: { .password(Secret(password)) }, settings: SSHSettings(knownHosts: knownHosts),
      deadlines: patience)
  }
}
