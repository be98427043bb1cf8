internal import Foundation

/// A server for the bare repositories of a folder, with https on 127.0.0.1 and a self-signed certificate. The server exits when the last reference to
/// this object is released.
package final class TLSGitServer: Sendable {
  /// The folder that contains the repositories.
  package let folder: TemporaryFolder
  package let port: Int
  private let state: TemporaryFolder
  private let child: SupervisedChild

  package var url: String { "https://127.0.0.1:\(port)" }
  /// The path of the server's certificate.
  package var certificate: String { state.file("certificate.pem") }

  /// Starts the server, and waits until it is ready.
  /// - Parameter names: the names in the certificate, in openssl's notation for `subjectAltName`.
  /// - Parameter asksClients: whether clients need the certificate of ``client()``.
  /// - Returns: `nil` if Python or openssl is not installed; the reason is printed.
  package static func start(
    names: String = "IP:127.0.0.1,DNS:localhost", asksClients: Bool = false
  ) async throws -> TLSGitServer? {
    for program in ["/usr/bin/python3", "/usr/bin/openssl"] where !FileManager.default.fileExists(atPath: program) {
      print("skipped: \(program) is missing; `make test` installs it")
      return nil
    }
    // Another process may take the free port before the server binds to it. In this case, another port is tried.
    var last: (any Error)?
    for _ in 0..<3 {
      do { return try await TLSGitServer(names, asksClients: asksClients) } catch { last = error }
    }
    throw last ?? POSIXError(.EADDRINUSE)
  }

  private init(_ names: String, asksClients: Bool) async throws {
    folder = try TemporaryFolder()
    state = try TemporaryFolder()
    port = try LoopbackPort.free()
    let script = SharedFolder.root.appending(path: "Tests/Fleet/servers.py").path(percentEncoded: false)
    let clients = asksClients ? ["clients"] : []
    child = try SupervisedChild(
      "/usr/bin/python3", ["-B", script, folder.path, state.path, names, "\(port)"] + clients)
    let ready = state.file("ready")
    guard await OtherProcess.wait(for: child, until: { FileManager.default.fileExists(atPath: ready) }) else {
      throw POSIXError(.ETIMEDOUT)
    }
  }

  /// Returns the certificate for clients and its key, as PEM.
  package func client() throws -> (certificate: String, key: String) {
    func text(_ name: String) throws -> String { String(decoding: try state.read("client/\(name)"), as: UTF8.self) }
    return (try text("certificate.pem"), try text("key.pem"))
  }

  /// Serves a bare copy of a repository.
  /// - Returns: the URL of the copy.
  package func serve(_ repository: TemporaryRepository, as name: String) throws -> String {
    try TemporaryRepository.git(
      ["clone", "-q", "--bare", repository.path, folder.file("\(name).git")], in: repository.path)
    return "\(url)/\(name).git"
  }
}
