internal import NIOCore
internal import NIOHTTPTypes

/// A channel handler that closes a connection if a request does not arrive completely in time. Otherwise, a client that sends one byte now and then
/// could keep the connection open forever.
///
/// The time for the first request begins when the connection is opened. The time in which the header fields of later requests arrive counts as idle
/// time.
final class RequestDeadline: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart

  private let limit: TimeAmount
  private var task: Scheduled<Void>?

  init(_ limit: TimeAmount) { self.limit = limit }

  func handlerAdded(context: ChannelHandlerContext) { if context.channel.isActive { start(context) } }

  func channelActive(context: ChannelHandlerContext) {
    start(context)
    context.fireChannelActive()
  }

  private func start(_ context: ChannelHandlerContext) {
    task?.cancel()
    let channel = context.channel
    task = context.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head: start(context)
    case .body: break
    case .end:
      task?.cancel()
      task = nil
    }
    context.fireChannelRead(data)
  }

  func channelInactive(context: ChannelHandlerContext) {
    task?.cancel()
    context.fireChannelInactive()
  }
}
