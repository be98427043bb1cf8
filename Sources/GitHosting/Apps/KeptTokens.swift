internal import Foundation
private import Glibc
internal import Localization
private import Pipeline
internal import TranslationVendors

/// The newest tokens of an OAuth application, stored on disk. Only the file's owner can read them.
///
/// The file's name depends on the server, the application and the first refresh token. If a person replaces that token, the tokens that were derived
/// from the old token are no longer used.
struct KeptTokens: Sendable {
  struct State: Sendable {
    var refresh: Secret
    var access: Secret?
    /// The time at which the access token should be renewed.
    var renewal = Date.distantPast
    /// The time of a request whose response was not stored; `nil` if there is none.
    var askedAt: Date?
  }

  private struct File: Codable {
    var refresh: String
    var access: String?
    var renewal: Date
    var askedAt: Date?
  }

  private static let disk = BlockingPool("kept tokens", width: 1)
  private static let longestWait = Duration.seconds(120)

  private let folder: String
  private let name: String
  private var path: String { "\(folder)/\(name)" }

  init(folder: String, server: String, client: String, first: Secret) {
    self.folder = folder
    let parts = [server, client, first.reveal()].map { "\($0.utf8.count):\($0)" }.joined()
    name = "gitlab-\(ContentDigest.hexadecimal(of: Array(parts.utf8), bytes: 10)).json"
  }

  /// Locks the tokens. Waits while another pipeline or process has locked them, and throws an error after two minutes.
  func lock(sleep: (Duration) async throws -> Void) async throws -> TokenLock {
    var waited = Duration.zero
    while true {
      if let lock = try await Self.disk.run({ try tryLock() }) { return lock }
      guard waited < Self.longestWait else {
        throw fault(
          "another pipeline or process has used \(path) for more than \(Self.longestWait.components.seconds) s")
      }
      try await sleep(.milliseconds(100))
      waited += .milliseconds(100)
    }
  }

  private func tryLock() throws -> TokenLock? {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch { throw fault("the folder \(folder) cannot be created. Check the permissions of the folders above it") }
    let descriptor = open(path + ".lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw fault("\(path).lock cannot be opened: \(Self.systemError())") }
    let lock = TokenLock(descriptor: descriptor)
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? lock : nil
  }

  /// Returns the stored tokens; `nil` if there are none.
  /// - Throws: an error if the file is unreadable or damaged, because its refresh token may be the only valid one.
  func read() async throws -> State? {
    try await Self.disk.run {
      guard FileManager.default.fileExists(atPath: path) else { return nil }
      guard let data = FileManager.default.contents(atPath: path) else {
        throw fault("\(path) is unreadable. Check its permissions")
      }
      guard let file = try? JSONDecoder().decode(File.self, from: data) else {
        throw fault(
          "\(path) is damaged. Delete it, authorize the application again, and replace deliver.oauth_refresh_token")
      }
      return State(
        refresh: Secret(file.refresh), access: file.access.map(Secret.init), renewal: file.renewal,
        askedAt: file.askedAt)
    }
  }

  /// Replaces the stored tokens. The change is durable when this function returns.
  func write(_ state: State) async throws {
    let file = File(
      refresh: state.refresh.reveal(), access: state.access?.reveal(), renewal: state.renewal, askedAt: state.askedAt)
    let bytes = Array(try JSONEncoder().encode(file))
    try await Self.disk.run {
      try DirectoryStorage(root: folder, mode: 0o600).replace(TreePath(trusted: name), with: bytes)
    }
  }

  private func fault(_ detail: String) -> VendorError {
    VendorError(kind: .disk, operation: "store the GitLab tokens", detail: detail)
  }

  private static func systemError() -> String { String(cString: strerror(errno)) }
}

/// The lock of a file with tokens. It is released with this object, or by the system when the process ends.
final class TokenLock: Sendable {
  private let descriptor: Int32

  init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }
}
