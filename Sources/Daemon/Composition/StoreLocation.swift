import FoundationEssentials
import GitSource
import Localization
package import Pipeline
package import PostgreSQLClient

/// The location of the store, as given with `--store`.
package struct StoreLocation: Hashable, Sendable {
  package enum Ledger: Hashable, Sendable {
    /// A SQLite file in the folder.
    case sqlite
    /// A database that several workers share.
    case postgreSQL(PostgreSQLAddress, password: CredentialReference)
  }

  /// The folder of the mirrors, the cache, renewed tokens and the state of vendors. It also contains the ledger if the ledger is in SQLite.
  package let folder: String
  package let ledger: Ledger

  /// The default location: the folder `.dragoman` in the current folder. Git ignores this folder.
  package static let standard = StoreLocation(folder: ".dragoman")

  package init(folder: String) {
    self.folder = folder
    ledger = .sqlite
  }

  /// - Parameters:
  ///   - text: `sqlite:FOLDER`, a folder, or the URL of a PostgreSQL database. The URL must not contain a password, only a reference to a password:
  ///     `password=env:NAME`, `password=file:PATH` or `password=credential:NAME`.
  ///   - folder: the folder of the mirrors and the cache of a PostgreSQL ledger; if `nil`, the folder in `DRAGOMAN_FOLDER`, or else `.dragoman`.
  ///   - environment: the environment variables; if `nil`, the environment variables of the process.
  /// - Throws: `SettingsFault` if the text is not a valid location, or if the URL contains a password.
  package init(
    _ text: String, folder: String? = nil, environment: [String: String]? = nil
  ) throws {
    if text.hasPrefix("postgresql:") || text.hasPrefix("postgres:") {
      do {
        let address = try PostgreSQLAddress(url: text)
        let variables = environment ?? ProcessInfo.processInfo.environment
        self.folder = folder ?? variables["DRAGOMAN_FOLDER"].flatMap { $0.isEmpty ? nil : $0 } ?? Self.standard.folder
        ledger = .postgreSQL(address, password: try Self.password(address))
      } catch let error as PostgreSQLError {
        throw Self.fault(error.detail)
      }
      return
    }
    let path = text.hasPrefix("sqlite:") ? String(text.dropFirst(7)) : text
    guard !path.isEmpty else { throw Self.fault("'\(text)' has no folder. Use sqlite:FOLDER") }
    self.folder = path
    ledger = .sqlite
  }

  private static func password(_ address: PostgreSQLAddress) throws -> CredentialReference {
    guard let text = address.passwordText else { return .none }
    guard let reference = CredentialReference(text), reference != .agent else {
      throw fault(
        "the address of the database contains a password, which other users of this machine could see. "
          + "Give a reference instead, as ?password=REFERENCE: \(CredentialReference.notations)")
    }
    return reference
  }

  private static func fault(_ detail: String) -> SettingsFault { SettingsFault(faults: [detail]) }

  /// Whether the ledger is in a folder of this machine.
  package var isLocal: Bool { ledger == .sqlite }

  /// The folder of the newest tokens of OAuth applications, which the server replaces at each renewal.
  var tokens: String { "\(folder)/tokens" }

  func mirror(of url: String) -> String { "\(folder)/mirrors/\(Self.name(url)).git" }

  /// Returns the folder of the mirrors of a repository's submodules. These mirrors are never shared with other repositories: a submodule may only be
  /// read if its server accepts the credentials that the pipeline has for it, and a shared mirror would bypass this check.
  func submodules(of repository: String) -> String { "\(folder)/mirrors/\(Self.name(repository)).submodules" }

  func mirror(of submodule: SubmoduleLocation, in repository: String) -> String {
    "\(submodules(of: repository))/\(Self.name("\(submodule.url) \(submodule.access)")).git"
  }

  private static func name(_ text: String) -> String { ContentDigest.hexadecimal(of: Array(text.utf8), bytes: 10) }
}
