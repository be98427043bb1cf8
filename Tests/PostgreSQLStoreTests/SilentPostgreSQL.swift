import Foundation
import Localization

/// A server that accepts one client's sign-in and then never responds, like a PostgreSQL server whose machine hangs.
final class SilentPostgreSQL: Sendable {
  let port: Int
  private let listener: Int32
  private let client = AwaitedOutcome<Int32>()

  init() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
        bind(listener, place, size) == 0 && listen(listener, 8) == 0 && getsockname(listener, place, &size) == 0
      }
    }
    guard isOpen else { throw POSIXError(.EADDRNOTAVAIL) }
    self.listener = listener
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread { [client] in
      let socket = accept(listener, nil, nil)
      var startup = [UInt8](repeating: 0, count: 1024)
      _ = recv(socket, &startup, startup.count, 0)
      // The messages confirm the sign-in, give the key for cancelling, and report that the server is ready.
      let welcome: [UInt8] =
        [0x52, 0, 0, 0, 8, 0, 0, 0, 0] + [0x4B, 0, 0, 0, 12, 0, 0, 0, 1, 0, 0, 0, 2] + [0x5A, 0, 0, 0, 5, 0x49]
      _ = send(socket, welcome, welcome.count, 0)
      client.end(.success(socket))
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    if let socket = try? client.value() { close(socket) }
  }
}
