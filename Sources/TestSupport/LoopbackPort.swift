internal import Foundation
internal import Glibc

/// Ports of this machine for servers that cannot choose one themselves.
package enum LoopbackPort {
  /// A port that was free a moment ago.
  package static func free() throws -> Int {
    let probe = try LoopbackHTTPServer { _, _ in .close }
    defer { probe.stop() }
    return probe.port
  }

  /// Waits until something listens on the port.
  /// - Parameter failure: what to say if nothing does.
  package static func wait(for port: Int, _ failure: () -> String) async throws {
    let end = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < end {
      if isOpen(port) { return }
      await Task.yield()
    }
    throw CocoaError(.executableLoad, userInfo: [NSLocalizedDescriptionKey: failure()])
  }

  private static func isOpen(_ port: Int) -> Bool {
    let handle = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard handle >= 0 else { return false }
    defer { close(handle) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(handle, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}

/// The scripts of `Tests/Servers`.
enum ServerScripts {
  static func file(_ name: String) -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return root.deletingLastPathComponent().appendingPathComponent("Tests/Servers/\(name)").path
  }
}

/// Programs that end by themselves.
enum ChildRun {
  static func run(_ tool: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: tool)
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw CocoaError(
        .executableLoad, userInfo: [NSLocalizedDescriptionKey: "\(tool) ended with \(process.terminationStatus)"])
    }
  }
}
