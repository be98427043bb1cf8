internal import Foundation
internal import Glibc
internal import Synchronization

/// Ports of this machine for servers that cannot choose a port themselves.
package enum LoopbackPort {
  /// The range of ports to return. This range is below the range from which Linux chooses ports (`net.ipv4.ip_local_port_range`), so the system does
  /// not give a returned port to another server or connection.
  private static let ports = 16_384..<32_768
  private static let next = Mutex(Int.random(in: ports))

  /// Returns a port that is free at this moment. This process returns the same port again only after it has tried all other ports of the range.
  package static func free() throws -> Int {
    for _ in ports {
      let port = next.withLock { next in
        defer { next = next + 1 < ports.upperBound ? next + 1 : ports.lowerBound }
        return next
      }
      let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      defer { close(probe) }
      if (try? LoopbackSocket.bind(probe, to: port)) != nil { return port }
    }
    throw POSIXError(.EADDRINUSE)
  }

  /// Waits until a server has written its port to a file, and returns the port.
  /// - Parameter failure: returns the message of the error if the server does not write the port.
  static func written(
    to folder: TemporaryFolder, _ name: String, by server: SupervisedChild, _ failure: () -> String
  ) async throws -> Int {
    var port: Int?
    _ = await OtherProcess.wait(for: server) {
      port = (try? folder.read(name)).flatMap { Int(String(decoding: $0, as: UTF8.self)) }
      return port != nil
    }
    if let port { return port }
    throw CocoaError(.executableLoad, userInfo: [NSLocalizedDescriptionKey: failure()])
  }
}

/// The scripts of `Tests/Servers`.
enum ServerScripts {
  static func file(_ name: String) -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return root.deletingLastPathComponent().appendingPathComponent("Tests/Servers/\(name)").path
  }
}

/// Functions that run a program and wait until it ends by itself.
enum ChildRun {
  static func run(_ tool: String, _ arguments: [String]) async throws {
    _ = try await output(tool, arguments, mustSucceed: true)
  }

  /// Runs a program and returns its standard output.
  static func output(_ tool: String, _ arguments: [String], mustSucceed: Bool = false) async throws -> String {
    // A thread of Dispatch waits for the program, because many tests start servers at the same time, and there are only few threads for tasks.
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try blockingOutput(tool, arguments, mustSucceed: mustSucceed) })
      }
    }
  }

  private static func blockingOutput(_ tool: String, _ arguments: [String], mustSucceed: Bool) throws -> String {
    let end = try ProgramEnd.of(tool, arguments)
    guard !mustSucceed || end.status == 0 else {
      throw CocoaError(
        .executableLoad,
        userInfo: [NSLocalizedDescriptionKey: "\(tool) ended with \(end.status): \(end.errors)"])
    }
    return end.output
  }
}
