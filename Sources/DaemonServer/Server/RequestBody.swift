internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

extension Request {
  /// Reads the body. If the declared length is too large, nothing is read.
  /// - Parameter limit: the maximum size of the body, in bytes.
  /// - Returns: `nil` if the body is larger than the limit.
  func body(upTo limit: Int) async throws -> [UInt8]? {
    if let length = headers[.contentLength].flatMap({ Int($0) }), length > limit { return nil }
    do { return Array(buffer: try await body.collect(upTo: limit)) } catch is NIOTooManyBytesError { return nil }
  }
}
