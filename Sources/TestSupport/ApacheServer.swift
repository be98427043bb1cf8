internal import Foundation
package import HTTPTransport
package import Localization

/// A real Apache with mod_dav on 127.0.0.1, with basic authentication and its own folder.
///
/// Apache runs as a child of the test process, and exits when the last reference to this object is released.
package final class ApacheServer: Sendable {
  /// The folder served at `/dav/`.
  package let folder: TemporaryFolder
  package let port: Int
  private let child: SupervisedChild
  private let state: TemporaryFolder
  private let isTLS: Bool

  package static let user = "bot"
  package static let password = Secret("bot pass")

  package var credentials: HTTPCredentials { .basic(user: Self.user, password: Self.password) }
  package var url: String { "\(isTLS ? "https://localhost" : "http://127.0.0.1"):\(port)/dav/" }
  /// The path of the server's self-signed certificate.
  package var certificate: String { state.file("server.crt") }

  /// Starts the server, and waits until it responds.
  /// - Returns: `nil` if Apache, mod_dav or htpasswd is not installed; the reason is printed.
  package static func start(tls: Bool = false) async throws -> ApacheServer? {
    let needed = ["/usr/sbin/apache2", "/usr/bin/htpasswd", "/usr/lib/apache2/modules/mod_dav.so"]
    if let missing = needed.first(where: { !FileManager.default.fileExists(atPath: $0) }) {
      print("skipped: \(missing) is missing; install apache2 and apache2-utils")
      return nil
    }
    // Another process may take the free port before Apache binds to it. In this case, another port is tried.
    var last: (any Error)?
    for _ in 0..<5 {
      do { return try await ApacheServer(tls: tls) } catch { last = error }
    }
    throw last ?? POSIXError(.EADDRINUSE)
  }

  private init(tls: Bool) async throws {
    state = try TemporaryFolder()
    folder = try TemporaryFolder()
    isTLS = tls
    // If root starts Apache, Apache serves files as another user.
    for path in [state.path, folder.path] { chmod(path, 0o777) }
    port = try LoopbackPort.free()
    try await ChildRun.run(
      "/usr/bin/htpasswd", ["-bcB", "-C", "4", state.file("htpasswd"), Self.user, Self.password.reveal()])
    if tls {
      try await ChildRun.run(
        "/usr/bin/openssl",
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30", "-subj",
          "/CN=localhost",
          "-addext", "subjectAltName=DNS:localhost", "-keyout", state.file("server.key"), "-out",
          state.file("server.crt"),
        ])
    }
    try state.write(Self.configuration(state: state.path, folder: folder.path, port: port, tls: tls), to: "apache.conf")
    child = try SupervisedChild("/usr/sbin/apache2", ["-f", state.file("apache.conf"), "-DFOREGROUND"])
    try await waitUntilReady()
  }

  private func waitUntilReady() async throws {
    let transport = HTTPTransport(
      TransportSettings(certificateAuthorities: isTLS ? certificate : nil, usesEnvironmentProxy: false))
    let url = try HTTPURL(url)
    let request = HTTPRequest("OPTIONS", url, credentials: credentials)
    if await OtherProcess.wait(for: child, until: { (try? await transport.send(request))?.status == 200 }) { return }
    let log = (try? String(contentsOfFile: state.file("error.log"), encoding: .utf8)) ?? ""
    throw CocoaError(.executableLoad, userInfo: [NSLocalizedDescriptionKey: "apache2 does not respond: \(log)"])
  }

  private static func configuration(state: String, folder: String, port: Int, tls: Bool) -> String {
    let modules = [
      "mpm_event", "authn_core", "authn_file", "authz_core", "authz_user", "auth_basic", "alias", "dir", "autoindex",
      "mime", "dav", "dav_fs",
      "headers",
    ]
    let account = getuid() == 0 ? "User www-data\nGroup www-data\n" : ""
    let secure =
      tls
      ? """
      LoadModule socache_shmcb_module /usr/lib/apache2/modules/mod_socache_shmcb.so
      LoadModule ssl_module /usr/lib/apache2/modules/mod_ssl.so
      SSLEngine on
      SSLCertificateFile \(state)/server.crt
      SSLCertificateKeyFile \(state)/server.key
      """ : ""
    return """
      ServerRoot \(state)
      ServerName localhost
      PidFile \(state)/apache.pid
      Listen 127.0.0.1:\(port)
      \(modules.map { "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so" }.joined(separator: "\n"))
      \(secure)
      \(account)
      TypesConfig /etc/mime.types
      DefaultRuntimeDir \(state)
      ErrorLog \(state)/error.log
      DavLockDB \(state)/davlock
      StartServers 1
      ServerLimit 1
      ThreadsPerChild 8
      ThreadLimit 8
      MaxRequestWorkers 8
      Alias /dav/ \(folder)/
      <Directory \(folder)>
        Dav On
        Options Indexes
        DirectoryIndex disabled
        AuthType Basic
        AuthName "drop"
        AuthUserFile \(state)/htpasswd
        Require valid-user
      </Directory>

      """
  }
}
