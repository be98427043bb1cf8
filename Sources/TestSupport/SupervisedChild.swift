internal import Foundation
internal import Glibc

/// A server that exits when the test process exits, even if the test process is killed. A shell starts the server, and stops it when our end of a
/// pipe closes. The shell exits when the server exits.
final class SupervisedChild: Sendable {
  private let supervisor: ChildProcess

  init(_ path: String, _ arguments: [String]) throws {
    let script = """
      "$@" < /dev/null & server=$!
      exec 3<&0; { read -r _ <&3; kill $server; } & reader=$!
      wait $server; kill $reader
      """
    supervisor = try ChildProcess(
      "/bin/sh", ["-c", script, "sh", path] + arguments, input: .pipe, output: .null, errors: .null)
  }

  /// Whether the server has ended by itself.
  var hasEnded: Bool {
    var information = siginfo_t()
    let options = WEXITED | WNOHANG | WNOWAIT
    guard waitid(P_PID, id_t(supervisor.processIdentifier), &information, options) == 0 else { return true }
    return information.si_signo == SIGCHLD
  }

  deinit {
    try? supervisor.pipe?.close()
    supervisor.waitUntilExit()
  }
}
