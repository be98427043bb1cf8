/// The limits that the server sets for its clients.
package struct ServerLimits: Hashable, Sendable {
  /// The maximum number of connections. Further connections wait in the backlog.
  package var connections = 128
  /// The maximum size of a request's body, in bytes.
  package var body = 4 << 20
  /// The maximum size of the path, the query and all header fields of a request, in bytes.
  package var headers = 32 << 10
  /// The maximum number of header fields of a request.
  package var headerFields = 200
  /// The time limit for the arrival of a complete request, and for the arrival of the first request's header fields on a new connection. When it is
  /// exceeded, the connection is closed.
  package var request = Duration.seconds(20)
  /// The maximum time for which a connection stays open between two requests.
  package var idle = Duration.seconds(60)
  /// The maximum time in which a client reads no byte of a response that waits for it. When it is exceeded, the connection is closed. If a client was
  /// reading at the beginning of this time, closing can take twice as long.
  package var write = Duration.seconds(30)

  package init() {}
}
