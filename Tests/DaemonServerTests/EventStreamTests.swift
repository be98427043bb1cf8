import Daemon
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import Testing

@testable import DaemonServer

/// The stream of server-sent events.
struct EventStreamTests {
  private final class Collected: Sendable {
    let text = Mutex("")
  }

  private struct Writer: ResponseBodyWriter {
    let collected: Collected

    mutating func write(_ buffer: ByteBuffer) async throws {
      collected.text.withLock { $0 += String(buffer: buffer) }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
      collected.text.withLock { $0 += "END" }
    }
  }

  @Test("a stream ends at the next heartbeat after its client has lost access")
  func rightLost() async throws {
    let asked = Mutex(0)
    let stream = EventStream(feed: ProgressFeed(), heartbeat: .milliseconds(1))
    let request = Request(
      head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/events"), body: .init(buffer: ByteBuffer()))
    let response = try stream.response(to: request, pipeline: nil) {
      asked.withLock { count in
        count += 1
        return count < 3
      }
    }
    let collected = Collected()
    try await response.body.write(Writer(collected: collected))
    #expect(collected.text.withLock(\.self) == "retry: 3000\n\n: \n\n: \n\nEND")
  }
}
