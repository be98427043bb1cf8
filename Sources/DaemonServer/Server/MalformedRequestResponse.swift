internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes

/// A channel handler that adds the body of an API problem to the response to a request that is not valid HTTP, such as a request with a space in its
/// path. The server library responds to such a request with status 400 and no body, and closes the connection. No other response has status 400 and
/// no body.
///
/// If the request is too large, the status is 431 instead. The parser counts the path with the header fields, and does not report which of them is
/// too long.
final class MalformedRequestResponse: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let limits: ServerLimits
  private var isTooLarge = false

  init(_ limits: ServerLimits) { self.limits = limits }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? HTTPParserError, error == .headerOverflow { isTooLarge = true }
    context.fireErrorCaught(error)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .head(var head) = unwrapOutboundIn(data), head.status == .badRequest,
      head.headerFields[.contentLength] == "0"
    else { return context.write(data, promise: promise) }
    if isTooLarge { head.status = .requestHeaderFieldsTooLarge }
    let body = ByteBuffer(string: text)
    head.headerFields[.contentLength] = String(body.readableBytes)
    for field in ServerResponse.headers(type: "application/json") { head.headerFields[field.name] = field.value }
    context.write(wrapOutboundOut(.head(head)), promise: promise)
    context.write(wrapOutboundOut(.body(body)), promise: nil)
  }

  private var text: String {
    guard isTooLarge else {
      return ServerResponse.problemText(
        "request", "this is not a valid HTTP request. Percent-encode the path and the query")
    }
    return ServerResponse.problemText(
      "size",
      """
      the path, the query and the header fields have more than \(limits.headers) bytes, or there are more than \(limits.headerFields) header \
      fields. Send fewer or shorter ones
      """)
  }
}
