internal import Foundation
internal import Glibc
internal import Synchronization

/// A PostgreSQL cluster in a temporary folder, on a Unix socket. The server exits when the last reference to this object is released, or when the
/// test process exits.
package final class PostgreSQLServer: Sendable {
  /// The server for all tests of a process; `nil` if PostgreSQL is not installed. Each test creates its own database.
  package static let shared = Task<PostgreSQLServer?, any Error> { try await start() }

  private let folder: TemporaryFolder
  private let programs: String
  private let process = Mutex<SupervisedChild?>(nil)
  private let count = Mutex(0)

  /// Creates a cluster, and starts its server.
  /// - Returns: `nil` if PostgreSQL is not installed; the reason is printed.
  package static func start() async throws -> PostgreSQLServer? {
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    guard let version = versions.compactMap(Int.init).max() else {
      print("skipped: PostgreSQL is not installed; `make test` installs it")
      return nil
    }
    let server = try PostgreSQLServer("/usr/lib/postgresql/\(version)/bin")
    try await server.initialize()
    try await server.start()
    return server
  }

  private init(_ programs: String) throws {
    folder = try TemporaryFolder("postgresql")
    self.programs = programs
  }

  /// The command that starts programs as another user if the tests run as root, because PostgreSQL refuses to run as root.
  private static let user: [String] =
    geteuid() == 0 ? ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] : ["/usr/bin/env"]

  private func initialize() async throws {
    if geteuid() == 0 { try await ChildRun.run("/bin/chown", ["postgres:", folder.path]) }
    try await ChildRun.run(
      Self.user[0],
      Array(Self.user.dropFirst()) + [
        programs + "/initdb", "-D", folder.file("data"), "-U", "dragoman", "-E", "UTF8", "--locale=C.UTF-8",
        "--auth=trust", "--no-sync",
      ])
  }

  /// Starts the server, and waits until it responds.
  package func start() async throws {
    // On the supervisor's SIGTERM, PostgreSQL would wait for all clients. The shell requests a fast shutdown instead.
    let script = "trap 'kill -INT $p' TERM; \"$@\" & p=$!; wait $p; wait $p"
    let settings = [
      "listen_addresses=", "unix_socket_directories=\(folder.path)", "fsync=off", "full_page_writes=off",
      "max_connections=400", "shared_buffers=64MB", "max_wal_size=256MB",
    ]
    let server =
      Self.user + [programs + "/postgres", "-D", folder.file("data")] + settings.flatMap { ["-c", $0] }
    let child = try SupervisedChild("/bin/sh", ["-c", script, "sh"] + server)
    process.withLock { $0 = child }
    for _ in 0..<600 {
      if (try? await ChildRun.run(programs + "/pg_isready", ["-q", "-h", folder.path])) != nil { return }
      try await Task.sleep(for: .milliseconds(50))
    }
    throw CocoaError(.executableLoad, userInfo: [NSLocalizedDescriptionKey: "PostgreSQL does not start"])
  }

  /// Stops the server. The server ends all connections and rolls back uncommitted changes. The databases are kept.
  package func stop() {
    let child = process.withLock { $0.take() }
    withExtendedLifetime(child) {}
  }

  /// Creates an empty database.
  /// - Returns: the URL of the database.
  package func database() async throws -> String {
    let number = count.withLock { count in
      count += 1
      return count
    }
    try await ChildRun.run(programs + "/createdb", ["-h", folder.path, "-U", "dragoman", "test\(number)"])
    let host = folder.path.replacing("/", with: "%2F")
    return "postgresql://dragoman@\(host)/test\(number)"
  }
}
