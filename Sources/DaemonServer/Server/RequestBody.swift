internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

extension Request {
  /// Reads the body. A length that is declared as too large is refused before anything is read.
  /// - Parameter limit: the largest body, in bytes.
  /// - Returns: `nil` if the body is larger.
  func body(upTo limit: Int) async throws -> [UInt8]? {
    if let length = headers[.contentLength].flatMap({ Int($0) }), length > limit { return nil }
    do { return Array(buffer: try await body.collect(upTo: limit)) } catch is NIOTooManyBytesError { return nil }
  }
}
