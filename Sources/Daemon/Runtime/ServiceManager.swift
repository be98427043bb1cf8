private import Glibc

/// The service manager, systemd, to which the daemon reports its state (`Type=notify`, `WatchdogSec=`; sd_notify(3)).
///
/// Sending never blocks. A message that the manager does not accept is lost. The next `WATCHDOG=1` follows within seconds.
package struct ServiceManager: Sendable {
  package enum State: Hashable, Sendable {
    case ready(pipelines: Int)
    case reloading
    case stopping
    /// The daemon works. Without this message, the manager restarts the daemon after `WatchdogSec=`.
    case alive
  }

  /// The path of a datagram socket. A leading `@` represents the zero byte of an abstract name.
  private let socket: String
  /// The time without ``State/alive`` after which the manager restarts the daemon; `nil` if the manager does not watch the daemon.
  package let watchdog: Duration?

  /// - Returns: `nil` if no service manager started the process, that is, if `NOTIFY_SOCKET` is neither an absolute path nor an abstract name, or is
  ///   too long.
  package init?(environment: [String: String]) {
    guard let socket = environment["NOTIFY_SOCKET"], socket.hasPrefix("/") || socket.hasPrefix("@"),
      socket.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path)
    else { return nil }
    self.socket = socket
    let isOurs = environment["WATCHDOG_PID"].map { $0 == String(getpid()) } ?? true
    watchdog = environment["WATCHDOG_USEC"].flatMap { Int64($0) }.flatMap {
      isOurs && $0 > 0 ? .microseconds($0) : nil
    }
  }

  package func note(_ state: State) {
    let handle = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard handle >= 0 else { return }
    defer { close(handle) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var name = Array(socket.utf8)
    if name.first == UInt8(ascii: "@") { name[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
    let text = Array(Self.text(of: state).utf8)
    withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        _ = sendto(handle, text, text.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), address, length)
      }
    }
  }

  private static func text(of state: State) -> String {
    switch state {
    case .ready(let pipelines): "READY=1\nSTATUS=\(pipelines == 1 ? "1 pipeline runs" : "\(pipelines) pipelines run")"
    case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(monotonicMicroseconds)\nSTATUS=reading the pipeline files"
    case .stopping: "STOPPING=1\nSTATUS=waiting for running stages"
    case .alive: "WATCHDOG=1"
    }
  }

  private static var monotonicMicroseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}
