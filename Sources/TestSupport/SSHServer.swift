internal import Foundation
internal import Glibc

/// A real OpenSSH server on 127.0.0.1 with its own keys and its own folder. The account that runs the tests can use SFTP and run commands.
///
/// The server runs as a child of the test process, and exits when the last reference to this object is released.
package final class SSHServer: Sendable {
  /// The folder to which `url` points.
  package let folder: TemporaryFolder
  package let port: Int
  private let child: SupervisedChild
  private let state: TemporaryFolder

  /// The private key of the account.
  package let key: String
  /// The path of a known_hosts file with the server's key.
  package var knownHosts: String { state.file("known_hosts") }
  /// A known_hosts line with the server's name and another key.
  package let otherHostKeyLine: String

  package var url: String { "sftp://\(NSUserName())@127.0.0.1:\(port)\(folder.path)" }
  /// Returns the URL of a repository on this machine.
  package func repositoryURL(_ path: String) -> String { "ssh://\(NSUserName())@127.0.0.1:\(port)\(path)" }

  /// Starts the server, and waits until it responds.
  /// - Parameters:
  ///   - denied: the SFTP requests that the server does not support, such as `posix-rename`.
  ///   - clientKey: the type of the account's key, as ssh-keygen names it.
  /// - Returns: `nil` if no OpenSSH server is installed; the reason is printed.
  package static func start(denying denied: [String] = [], clientKey: String = "ed25519") async throws -> SSHServer? {
    guard FileManager.default.fileExists(atPath: "/usr/sbin/sshd") else {
      print("skipped: /usr/sbin/sshd is missing; install openssh-server")
      return nil
    }
    // Another process may take the free port before sshd binds to it. In this case, another port is tried.
    var last: (any Error)?
    for _ in 0..<5 {
      do { return try await SSHServer(denied, clientKey) } catch { last = error }
    }
    throw last ?? POSIXError(.EADDRINUSE)
  }

  private init(_ denied: [String], _ clientKey: String) async throws {
    state = try TemporaryFolder()
    folder = try TemporaryFolder()
    chmod(state.path, 0o700)
    // sshd requires this folder, which is normally created when the package's service starts.
    if getuid() == 0 { mkdir("/run/sshd", 0o755) }
    for name in ["host", "other", "client"] {
      try await ChildRun.run(
        "/usr/bin/ssh-keygen",
        ["-q", "-t", name == "client" ? clientKey : "ed25519", "-N", "", "-C", "test", "-f", state.file(name)])
    }
    try state.write(try state.read("client.pub"), to: "authorized_keys")
    key = String(decoding: try state.read("client"), as: UTF8.self)
    port = try LoopbackPort.free()
    let name = "[127.0.0.1]:\(port) "
    otherHostKeyLine = name + String(decoding: try state.read("other.pub"), as: UTF8.self)
    try state.write(name + String(decoding: try state.read("host.pub"), as: UTF8.self), to: "known_hosts")
    let denial = denied.isEmpty ? "" : " -P " + denied.joined(separator: ",")
    try state.write(
      """
      ListenAddress 127.0.0.1:\(port)
      HostKey \(state.file("host"))
      PidFile none
      AuthorizedKeysFile \(state.file("authorized_keys"))
      StrictModes no
      UsePAM no
      PasswordAuthentication no
      KbdInteractiveAuthentication no
      PermitRootLogin prohibit-password
      MaxStartups 100
      Subsystem sftp internal-sftp\(denial)

      """, to: "sshd_config")
    child = try SupervisedChild("/usr/sbin/sshd", ["-D", "-f", state.file("sshd_config"), "-E", state.file("log")])
    try await waitUntilReady()
  }

  /// Waits until the server presents our host key. If it presents another key, another server has taken the port.
  private func waitUntilReady() async throws {
    let key = String(decoding: try state.read("host.pub"), as: UTF8.self).split(separator: " ")[1]
    let arguments = ["-t", "ed25519", "-p", String(port), "127.0.0.1"]
    let isReady = try await OtherProcess.wait(for: child) {
      let found = try await ChildRun.output("/usr/bin/ssh-keyscan", arguments)
      guard found.contains("ssh-ed25519"), !found.contains(key) else { return found.contains(key) }
      throw POSIXError(.EADDRINUSE)
    }
    if isReady { return }
    let log = (try? String(decoding: state.read("log"), as: UTF8.self)) ?? ""
    throw CocoaError(.executableLoad, userInfo: [NSLocalizedDescriptionKey: "sshd does not respond: \(log)"])
  }
}

/// A real SFTP server other than OpenSSH, with a password. It is asyncssh from Debian's package.
package final class PasswordSFTPServer: Sendable {
  package static let user = "translator"
  package static let password = "p w$'\"ä"

  package let folder: TemporaryFolder
  package let port: Int
  private let child: SupervisedChild
  private let state: TemporaryFolder
  package var knownHosts: String { state.file("known_hosts") }
  /// The server's URL. The path of the served folder is `/`.
  package var url: String { "sftp://\(Self.user)@127.0.0.1:\(port)/" }

  /// Starts the server, and waits until it is ready.
  /// - Returns: `nil` if asyncssh is not installed; the reason is printed.
  package static func start() async throws -> PasswordSFTPServer? {
    guard FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/asyncssh") else {
      print("skipped: asyncssh is missing; install python3-asyncssh")
      return nil
    }
    return try await PasswordSFTPServer()
  }

  private init() async throws {
    state = try TemporaryFolder()
    folder = try TemporaryFolder()
    try await ChildRun.run("/usr/bin/ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", state.file("host")])
    try state.write(Self.password, to: "password")
    child = try SupervisedChild(
      "/usr/bin/python3",
      [
        ServerScripts.file("sftp.py"), state.file("port"), state.file("host"), Self.user, state.file("password"),
        folder.path,
        state.file("log"),
      ])
    port = try await LoopbackPort.written(to: state, "port", by: child) { [state] in
      "asyncssh does not start: " + ((try? String(decoding: state.read("log"), as: UTF8.self)) ?? "")
    }
    try state.write(
      "[127.0.0.1]:\(port) " + String(decoding: try state.read("host.pub"), as: UTF8.self), to: "known_hosts")
  }
}
