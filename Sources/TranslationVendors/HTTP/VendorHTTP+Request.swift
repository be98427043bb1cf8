internal import Foundation
package import HTTPTransport

extension VendorHTTP {
  package struct Request: Sendable {
    package var method: String
    /// The path components below the base address, not encoded.
    package var path: [String]
    package var query: [(name: String, value: String)]
    package var headers: [(name: String, value: String)]
    package var body: HTTPRequestBody
    /// Whether the request may be sent again although the server may already have processed it.
    package var isRepeatable: Bool
    package var deadlines: Deadlines
    package var responseLimit: Int

    /// - Parameter isRepeatable: the default depends on the method (`HTTPRequest.repeatableMethods`).
    package init(
      _ method: String, _ path: [String], query: [(name: String, value: String)] = [],
      headers: [(name: String, value: String)] = [], body: HTTPRequestBody = .none, isRepeatable: Bool? = nil,
      deadlines: Deadlines = Deadlines(), responseLimit: Int = 64 << 20
    ) {
      self.method = method
      self.path = path
      self.query = query
      self.headers = headers
      self.body = body
      self.isRepeatable = isRepeatable ?? HTTPRequest.repeatableMethods.contains(method)
      self.deadlines = deadlines
      self.responseLimit = responseLimit
    }

    /// Creates a request with a JSON body.
    package init(
      _ method: String, _ path: [String], query: [(name: String, value: String)] = [],
      headers: [(name: String, value: String)] = [], json: some Encodable, isRepeatable: Bool? = nil,
      mediaType: String = "application/json"
    ) throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      self.init(
        method, path, query: query, headers: headers + [("Content-Type", mediaType)],
        body: .bytes(Array(try encoder.encode(json))), isRepeatable: isRepeatable)
    }
  }
}
