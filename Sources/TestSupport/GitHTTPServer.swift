private import CSpawn
private import Foundation
private import Glibc

/// An Apache with git's http-backend on its own port, which serves one folder of bare repositories. It runs as long as this object exists.
///
/// `/git/NAME.git` requires basic authentication. `/open/NAME.git`, `/acme/NAME.git` and `/scm/ACME/NAME.git` require no authentication. `/down/`
/// returns 503 and `/forbidden/` 403. `/moved/` redirects to `/git/` on this host, and `/elsewhere/` redirects to `/git/` under another name of the
/// host.
package final class GitHTTPServer: Sendable {
  package static let user = "bot"
  package static let password = "right-password"

  private static let apache = "/usr/sbin/apache2"
  private static let backend = "/usr/lib/git-core/git-http-backend"
  private static let modules = "/usr/lib/apache2/modules"

  /// The reason why the server cannot run on this machine; `nil` if the server can run. `make test` installs Apache.
  package static let reasonToSkip: String? =
    if !FileManager.default.isExecutableFile(atPath: apache) {
      "apache2 is not installed"
    } else if !FileManager.default.isExecutableFile(atPath: backend) { "git-http-backend is not installed" } else {
      nil
    }

  /// The folder that contains the repositories.
  package let repositories: String
  /// The server's URL, `http://127.0.0.1:PORT`.
  package let url: String
  private let folder: TemporaryFolder
  private let process: Int32
  private let listener: Int32
  /// The URL of a server that accepts connections and never responds.
  package let silentURL: String

  package init() throws {
    if let reason = Self.reasonToSkip { throw CommandFailure(description: reason) }
    folder = try TemporaryFolder("apache")
    repositories = folder.file("repositories")
    // Apache's workers drop root privileges, so all users need access to the files that they read and write.
    for name in ["", "repositories", "run", "log"] {
      try FileManager.default.createDirectory(
        atPath: folder.file(name), withIntermediateDirectories: true, attributes: nil)
      try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.file(name))
    }
    let users = try run("htpasswd", ["-nb", Self.user, Self.password], in: folder.path)
    try Data((users + "\n").utf8).write(to: URL(fileURLWithPath: folder.file("users")))

    // The kernel accepts connections, but no response is ever sent.
    let (listener, silentPort) = try Self.bindFreePort()
    listen(listener, 16)
    self.listener = listener
    silentURL = "http://127.0.0.1:\(silentPort)/silent.git"

    var started: (process: Int32, port: Int)?
    // Another process may take the free port before Apache does.
    for _ in 0..<5 where started == nil {
      let port = try LoopbackPort.free()
      try Data(Self.configuration(folder.path, port: port).utf8)
        .write(to: URL(fileURLWithPath: folder.file("apache.conf")))
      started = try Self.start(folder.path, port: port).map { ($0, port) }
    }
    guard let started else {
      let log = (try? String(contentsOfFile: folder.file("log/error.log"), encoding: .utf8)) ?? ""
      throw CommandFailure(description: "apache2 does not start: \(log)")
    }
    process = started.process
    url = "http://127.0.0.1:\(started.port)"
  }

  deinit {
    kill(process, SIGTERM)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    close(listener)
  }

  /// Serves a copy of a repository.
  /// - Parameter hook: the text of the repository's pre-receive hook; `nil` for no hook.
  /// - Returns: the local path of the served repository. Its URL is `url + "/git/NAME.git"`.
  package func serve(_ repository: TemporaryRepository, as name: String, preReceive hook: String? = nil) throws
    -> String
  {
    let path = repositories + "/\(name).git"
    try TemporaryRepository.git(["clone", "-q", "--bare", repository.path, path], in: repositories)
    try TemporaryRepository.git(["config", "http.receivepack", "true"], in: path)
    if let hook {
      let file = path + "/hooks/pre-receive"
      try FileManager.default.createDirectory(atPath: path + "/hooks", withIntermediateDirectories: true)
      try Data(("#!/bin/sh\n" + hook + "\n").utf8).write(to: URL(fileURLWithPath: file))
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
    }
    try run("chmod", ["-R", "a+rwX", path], in: repositories)
    return path
  }

  /// Adds an account, or replaces the password of an existing account.
  package func allow(user: String, password: String) throws {
    try run("htpasswd", ["-b", folder.file("users"), user, password], in: folder.path)
  }

  private static func address(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return address
  }

  /// Binds a socket to a free port.
  private static func bindFreePort() throws -> (socket: Int32, port: Int) {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = address(port: 0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, size) == 0 && getsockname(socket, $0, &size) == 0
      }
    }
    guard isBound else {
      close(socket)
      throw CommandFailure(description: "no port is free")
    }
    return (socket, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// Starts Apache.
  /// - Returns: the process as soon as it listens; `nil` if the process exits first or does not listen in time.
  private static func start(_ folder: String, port: Int) throws -> Int32? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, folder + "/log/out", O_WRONLY | O_CREAT | O_APPEND, 0o644)
    }
    dragoman_close_from(&actions, STDERR_FILENO + 1)
    let words: [String] = [apache, "-f", folder + "/apache.conf", "-DFOREGROUND"]
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    // Dispatch's threads block every signal. Apache would inherit that mask and ignore SIGTERM.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // Apache signals its whole process group when it ends. The tests must not be in that group.
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    var process: pid_t = 0
    guard posix_spawn(&process, apache, &actions, &attributes, arguments, environ) == 0 else {
      throw CommandFailure(description: "\(apache) cannot be started")
    }
    for _ in 0..<1000 {
      var status: Int32 = 0
      if waitpid(process, &status, WNOHANG) == process { return nil }
      if isListening(port) { return process }
      // Polls, because there is no event for another process that begins to listen.
      poll(nil, 0, 10)
    }
    kill(process, SIGKILL)
    return nil
  }

  private static func isListening(_ port: Int) -> Bool {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(socket) }
    var address = address(port: port)
    return withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  private static func configuration(_ folder: String, port: Int) -> String {
    let loaded = [
      "mpm_prefork", "cgi", "authn_core", "authn_file", "authz_core", "authz_user", "auth_basic", "alias", "env",
      "setenvif",
    ]
    let loads = loaded.map { "LoadModule \($0)_module \(modules)/mod_\($0).so" }.joined(separator: "\n")
    // Apache refuses to serve requests as root.
    let identity = geteuid() == 0 ? "User www-data\nGroup www-data" : ""
    return """
      ServerRoot \(folder)
      ServerName localhost
      PidFile \(folder)/run/apache.pid
      DefaultRuntimeDir \(folder)/run
      Listen 127.0.0.1:\(port)
      \(loads)
      \(identity)
      StartServers 2
      ErrorLog \(folder)/log/error.log
      SetEnv GIT_PROJECT_ROOT \(repositories(folder))
      SetEnv GIT_HTTP_EXPORT_ALL 1
      SetEnv HOME \(folder)/run
      SetEnv GIT_CONFIG_NOSYSTEM 1
      SetEnv GIT_CONFIG_COUNT 1
      SetEnv GIT_CONFIG_KEY_0 safe.directory
      SetEnv GIT_CONFIG_VALUE_0 *
      SetEnvIf Git-Protocol ".*" GIT_PROTOCOL=$0
      ScriptAlias /git/ \(backend)/
      ScriptAlias /open/ \(backend)/
      ScriptAlias /acme/ \(backend)/
      ScriptAlias /scm/ACME/ \(backend)/
      Redirect 302 /moved/ http://127.0.0.1:\(port)/git/
      Redirect 302 /elsewhere/ http://localhost:\(port)/git/
      Redirect 503 /down/
      Redirect 403 /forbidden/
      <Location /git/>
        AuthType Basic
        AuthName git
        AuthUserFile \(folder)/users
        Require valid-user
      </Location>
      <LocationMatch "^/(open|acme|scm)/">
        Require all granted
      </LocationMatch>
      """
  }

  private static func repositories(_ folder: String) -> String { folder + "/repositories" }
}
