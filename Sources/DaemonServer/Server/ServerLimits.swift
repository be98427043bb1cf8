/// Limits for clients.
package struct ServerLimits: Hashable, Sendable {
  /// The maximum number of connections. Further ones wait in the backlog.
  package var connections = 128
  /// The size of a request's body, in bytes.
  package var body = 4 << 20
  /// The size of all header fields of a request, in bytes.
  package var headers = 32 << 10
  /// How long a request may take until its last byte has arrived, and a new connection until the header fields of its first request have
  /// arrived. Then the connection is closed.
  package var request = Duration.seconds(20)
  /// How long a connection may stay open between two requests.
  package var idle = Duration.seconds(60)

  package init() {}
}
