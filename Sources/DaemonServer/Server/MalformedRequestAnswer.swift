internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Adds the body of an API problem to the answer to a request that is not valid HTTP, such as a request with a space in its path. The server library
/// answers such a request with status 400 and no body, and closes the connection. No other answer has status 400 and no body.
final class MalformedRequestAnswer: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private static let text = Answer.problemText(
    "request", "this is not a valid HTTP request. Percent-encode the path and the query")

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .head(var head) = unwrapOutboundIn(data), head.status == .badRequest,
      head.headerFields[.contentLength] == "0"
    else { return context.write(data, promise: promise) }
    let body = ByteBuffer(string: Self.text)
    head.headerFields[.contentLength] = String(body.readableBytes)
    for field in Answer.headers(type: "application/json") { head.headerFields[field.name] = field.value }
    context.write(wrapOutboundOut(.head(head)), promise: promise)
    context.write(wrapOutboundOut(.body(body)), promise: nil)
  }
}
