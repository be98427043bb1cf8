internal import Foundation

/// A server that ends with the test process, even if the test process is killed: a shell starts it, and stops it when our end of a pipe
/// closes.
final class SupervisedChild: Sendable {
  private let supervisor: ChildProcess

  init(_ path: String, _ arguments: [String]) throws {
    let script = "\"$@\" < /dev/null & read -r _; kill $!; wait $!"
    supervisor = try ChildProcess(
      "/bin/sh", ["-c", script, "sh", path] + arguments, input: .pipe, output: .null, errors: .null)
  }

  deinit {
    try? supervisor.pipe?.close()
    supervisor.waitUntilExit()
  }
}
