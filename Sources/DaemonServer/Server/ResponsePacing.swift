internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes

/// A channel handler that passes on the requests of a connection one after another, and closes the connection if the client does not read the
/// responses.
///
/// A request is passed on when the previous response has been written to the socket. Until then, the connection is not read. Otherwise, a client that
/// sends many requests and reads nothing would fill the memory with responses: the tasks that write responses are slowed down only after the event
/// loop has noticed that the socket is full.
final class ResponsePacing: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private enum Event {
    case part(HTTPRequestPart)
    case error(any Error)
    case inputClosed
  }

  /// The maximum number of waiting parts of requests. If more parts arrive, the connection is closed. Parts can arrive although the connection is
  /// paused, because one read can return several small requests, and because the rest arrives when the client closes its side of the connection.
  static let waitingParts = 2000

  private let limit: TimeAmount
  private var waiting = CircularBuffer<Event>()
  /// Whether a part of the response to the last request that was passed on has not yet been written to the socket.
  private var isResponseDue = false
  /// Whether a part of the last request that was passed on has not yet arrived.
  private var isRequestOpen = false
  private var isReadDelayed = false
  /// The number of bytes in all responses on this connection so far.
  private var responseBytes = 0
  /// The number of bytes that had been written to the socket at the last check.
  private var checked = 0
  private var check: Scheduled<Void>?

  /// - Parameter limit: the maximum time in which no byte of a waiting response is written to the socket.
  init(_ limit: TimeAmount) { self.limit = limit }

  private var isPaused: Bool { isResponseDue && !isRequestOpen }

  // MARK: Requests

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { receive(.part(unwrapInboundIn(data)), context) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // The response to a request that is not valid HTTP follows the responses to the requests before it.
    if error is HTTPParserError { receive(.error(error), context) } else { context.fireErrorCaught(error) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? ChannelEvent, event == .inputClosed, !waiting.isEmpty {
      receive(.inputClosed, context)
    } else {
      context.fireUserInboundEventTriggered(event)
    }
  }

  private func receive(_ event: Event, _ context: ChannelHandlerContext) {
    guard isPaused || !waiting.isEmpty else { return pass(event, context) }
    guard waiting.count < Self.waitingParts else {
      waiting.removeAll()
      return context.close(promise: nil)
    }
    waiting.append(event)
  }

  private func pass(_ event: Event, _ context: ChannelHandlerContext) {
    switch event {
    case .part(let part):
      switch part {
      case .head: (isResponseDue, isRequestOpen) = (true, true)
      case .body: break
      case .end: isRequestOpen = false
      }
      context.fireChannelRead(wrapInboundOut(part))
    case .error(let error): context.fireErrorCaught(error)
    case .inputClosed: context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }
  }

  func read(context: ChannelHandlerContext) {
    if isPaused { isReadDelayed = true } else { context.read() }
  }

  private func responseWritten(_ context: ChannelHandlerContext) {
    isResponseDue = false
    var hasPassed = false
    while !isPaused, let event = waiting.popFirst() {
      pass(event, context)
      hasPassed = true
    }
    if hasPassed { context.fireChannelReadComplete() }
    guard isReadDelayed, !isPaused else { return }
    isReadDelayed = false
    context.read()
  }

  // MARK: Responses

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let before = unsent(context)
    if before == 0 { schedule(context) }
    if case .end = unwrapOutboundIn(data) {
      let written = promise ?? context.eventLoop.makePromise(of: Void.self)
      written.futureResult.assumeIsolated().whenSuccess { self.responseWritten(context) }
      context.write(data, promise: written)
    } else {
      context.write(data, promise: promise)
    }
    responseBytes += max(0, unsent(context) - before)
  }

  /// Returns the number of bytes that have not yet been written to the socket.
  private func unsent(_ context: ChannelHandlerContext) -> Int {
    (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
  }

  /// Schedules the next check of whether the client has read anything.
  private func schedule(_ context: ChannelHandlerContext) {
    check?.cancel()
    checked = responseBytes - unsent(context)
    check = context.eventLoop.assumeIsolated().scheduleTask(in: limit) { self.checkProgress(context) }
  }

  private func checkProgress(_ context: ChannelHandlerContext) {
    check = nil
    let left = unsent(context)
    guard left > 0 else { return }
    guard responseBytes - left > checked else { return context.close(promise: nil) }
    schedule(context)
  }

  func channelInactive(context: ChannelHandlerContext) {
    stop()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { stop() }

  private func stop() {
    check?.cancel()
    check = nil
    waiting.removeAll()
  }
}
