internal import Daemon
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Pipeline
internal import ServiceLifecycle

/// A stream of the progress of stages, as server-sent events.
struct EventStream: Sendable {
  let feed: ProgressFeed
  /// The interval between comments, which are sent in addition to the events. They keep connections through proxies open. At each comment, the server
  /// also detects clients that have disconnected or are no longer allowed to listen.
  var heartbeat = Duration.seconds(15)

  private enum Item: Sendable {
    case event(ProgressFeed.Numbered)
    case heartbeat
  }

  /// Returns a response that streams the events until the client disconnects or the server stops.
  /// - Parameter isAllowed: returns whether the client may still listen. It is called at each heartbeat, and the stream ends when it returns `false`.
  /// - Throws: `APIProblem` if there are too many listeners.
  func response(
    to request: Request, pipeline: String?, whileAllowed isAllowed: @escaping @Sendable () async -> Bool
  ) throws -> Response {
    let last = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }.flatMap { Int($0) }
    guard let stream = feed.listen(after: last) else {
      throw APIProblem(.serviceUnavailable, "listeners", "too many clients follow the events. Try again later")
    }
    var headers: HTTPFields = [
      .contentType: "text/event-stream", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
    ]
    // Without this header, proxies such as nginx buffer the events.
    if let buffering = HTTPField.Name("X-Accel-Buffering") { headers[buffering] = "no" }
    return Response(
      status: .ok, headers: headers,
      body: ResponseBody { writer in
        try await writer.write(ByteBuffer(string: "retry: 3000\n\n"))
        listening: for await item in items(of: stream).cancelOnGracefulShutdown() {
          switch item {
          case .heartbeat:
            guard await isAllowed() else { break listening }
            try await writer.write(ByteBuffer(string: ": \n\n"))
          case .event(let numbered) where pipeline == nil || numbered.event.pipeline == pipeline:
            try await writer.write(ByteBuffer(string: try Self.text(of: numbered)))
          case .event: break
          }
        }
        try await writer.finish(nil)
      })
  }

  private func items(of events: AsyncStream<ProgressFeed.Numbered>) -> AsyncStream<Item> {
    let (stream, continuation) = AsyncStream<Item>.makeStream(bufferingPolicy: .bufferingNewest(ProgressFeed.kept))
    let listening = Task {
      for await event in events { continuation.yield(.event(event)) }
      continuation.finish()
    }
    let beating = Task { [heartbeat] in
      while !Task.isCancelled {
        try await Task.sleep(for: heartbeat)
        continuation.yield(.heartbeat)
      }
    }
    continuation.onTermination = { _ in
      listening.cancel()
      beating.cancel()
    }
    return stream
  }

  /// Returns an event as text. Its JSON must be one line, because a line break would end the data.
  static func text(of numbered: ProgressFeed.Numbered) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let data = String(decoding: try encoder.encode(numbered.event), as: UTF8.self)
    return "id: \(numbered.number)\nevent: stage\ndata: \(data)\n\n"
  }
}
