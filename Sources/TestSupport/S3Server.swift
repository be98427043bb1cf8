internal import Foundation

/// An S3 server on 127.0.0.1 with one bucket (Tests/Servers/s3.py). It checks signatures and stores objects with moto.
package final class S3Server: Sendable {
  /// The server's treatment of `If-None-Match` in an upload: `full` obeys it, `unconditional` ignores it, and `refusing` responds with 501.
  package enum Mode: String, Sendable { case full, unconditional, refusing }

  package static let bucket = "drop"
  package static let region = "eu-central-1"

  package let port: Int
  /// The credentials as `ACCESS_KEY:SECRET[:SESSION_TOKEN]`.
  package let credentials: String
  private let child: SupervisedChild
  private let state: TemporaryFolder
  private let isTLS: Bool

  package var url: String { "\(isTLS ? "https://localhost" : "http://127.0.0.1"):\(port)" }
  /// The path of the server's self-signed certificate.
  package var certificate: String { state.file("server.crt") }

  /// Starts the server, and waits until it is ready.
  /// - Returns: `nil` if moto is not installed; the reason is printed.
  package static func start(
    _ mode: Mode = .full, credentials: String = "AKIDEXAMPLE:wJalr/XUtnFEMI+K7MDENG", tls: Bool = false
  ) async throws -> S3Server? {
    guard let python = await python.value else {
      print("skipped: no Python has moto; `make s3-server` installs it")
      return nil
    }
    return try await S3Server(python, mode, credentials, tls: tls)
  }

  /// The first Python with moto: the Python that `make s3-server` installs, or a Python in `PATH`.
  private static let python = Task {
    let own = ServerScripts.file("../../.build/servers/s3-python/bin/python")
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    for path in [own] + folders.map({ $0 + "/python3" }) where FileManager.default.isExecutableFile(atPath: path) {
      let check = ["-c", "import moto.moto_server.werkzeug_app, botocore.auth"]
      if (try? await ChildRun.run(path, check)) != nil { return path as String? }
    }
    return nil
  }

  private init(_ python: String, _ mode: Mode, _ credentials: String, tls: Bool) async throws {
    state = try TemporaryFolder()
    self.credentials = credentials
    isTLS = tls
    var arguments = [ServerScripts.file("s3.py"), state.file("port"), credentials, Self.bucket, mode.rawValue]
    if tls {
      try await ChildRun.run("/usr/bin/openssl", SelfSignedCertificate.arguments(in: state))
      arguments += [state.file("server.crt"), state.file("server.key")]
    }
    child = try SupervisedChild(python, ["-B"] + arguments)
    port = try await LoopbackPort.written(to: state, "port", by: child) { "moto does not start" }
  }
}
