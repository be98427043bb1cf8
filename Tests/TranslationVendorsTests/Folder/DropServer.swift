import Foundation
import HTTPTransport
import Localization
import TestSupport
import Testing
import TranslationVendors

/// The places where a drop folder can be, each with a real server.
enum DropServer: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case directory, webDAV, openSSH, asyncSSH

  var testDescription: String { rawValue }

  /// A server with an empty folder.
  struct Running: Sendable {
    /// Keeps the server.
    var server: any Sendable
    /// Makes a storage of its own, as another process would.
    var storage: @Sendable () throws -> any DropStorage
    /// Whether names may hold control characters.
    var takesControlCharacters = true
  }

  /// - Returns: `nil` if the server is not installed; the reason is printed.
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
    }
  }
}

extension SSHServer {
  func storage(url: String? = nil, knownHosts: String? = nil, credentials: SSHCredentials? = nil) throws -> SFTPStorage
  {
    let credentials = credentials ?? .privateKey(Secret(key))
    return try SFTPStorage(
      address: url ?? self.url, credentials: { credentials },
      settings: SSHSettings(knownHosts: knownHosts ?? self.knownHosts))
  }
}

extension PasswordSFTPServer {
  func storage(password: String = PasswordSFTPServer.password) throws -> SFTPStorage {
    try SFTPStorage(
      address: url, credentials: { .password(Secret(password)) }, settings: SSHSettings(knownHosts: knownHosts))
  }
}
