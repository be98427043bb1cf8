internal import Foundation

/// A proxy on 127.0.0.1 for CONNECT and for http. The proxy exits when the last reference to this object is released.
package final class ProxyServer: Sendable {
  package let url: String
  private let state: TemporaryFolder
  private let child: SupervisedChild

  /// Starts the proxy, and waits until it is ready.
  /// - Parameter credentials: the `user:password` that the proxy requires; `nil` if the proxy requires no authentication.
  /// - Returns: `nil` if Python is not installed; the reason is printed.
  package static func start(credentials: String? = nil) async throws -> ProxyServer? {
    guard FileManager.default.fileExists(atPath: "/usr/bin/python3") else {
      print("skipped: /usr/bin/python3 is missing; `make test` installs it")
      return nil
    }
    return try await ProxyServer(credentials)
  }

  private init(_ credentials: String?) async throws {
    state = try TemporaryFolder()
    let script = SharedFolder.root.appending(path: "Tests/Servers/proxy.py").path(percentEncoded: false)
    child = try SupervisedChild("/usr/bin/python3", ["-B", script, state.path, credentials ?? ""])
    let end = ContinuousClock.now + .seconds(30)
    while !FileManager.default.fileExists(atPath: state.file("ready")) {
      guard ContinuousClock.now < end else { throw POSIXError(.ETIMEDOUT) }
      try await Task.sleep(for: .milliseconds(2))
    }
    url = "http://127.0.0.1:" + String(decoding: try state.read("ready"), as: UTF8.self)
  }

  /// Returns one line for each request: method, target, and `allowed` or `refused`.
  package func log() throws -> [String] {
    guard FileManager.default.fileExists(atPath: state.file("log")) else { return [] }
    return String(decoding: try state.read("log"), as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
