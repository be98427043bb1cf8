internal import Foundation
internal import Glibc

/// A service manager's socket (`NOTIFY_SOCKET`).
package final class NotifySocket: Sendable {
  /// The socket's address, in the format of `NOTIFY_SOCKET`.
  package let path: String
  private let descriptor: Int32
  private let folder: TemporaryFolder

  /// - Parameter isAbstract: whether the socket's name is outside the file system.
  package init(isAbstract: Bool = false) throws {
    folder = try TemporaryFolder()
    path = (isAbstract ? "@" : "") + folder.file("notify")
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var name = Array(path.utf8)
    if isAbstract { name[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
    let code = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    guard code == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
  }

  deinit { close(descriptor) }

  /// Returns the messages that have arrived since the last call, without waiting.
  package func received() -> [String] {
    var messages: [String] = []
    while let message = receive(Int32(MSG_DONTWAIT)) { messages.append(message) }
    return messages
  }

  /// Waits for the next message; returns `nil` if no message arrives within a minute.
  package func next() -> String? {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, 60_000) == 1 ? receive(0) : nil
  }

  private func receive(_ flags: Int32) -> String? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &buffer, buffer.count, flags)
    return count >= 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }
}
