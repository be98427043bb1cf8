import Foundation
import HTTPTransport
import Synchronization
import TestSupport
import Testing

@testable import TranslationVendors

/// A test double that replays the responses of a vendor, as recorded with `DRAGOMAN_RECORD`. Each request gets the next recorded response to an equal
/// request. An issue is recorded for a request without such a response.
final class RecordedVendor: Sendable {
  private let exchanges: Mutex<[RecordedExchange]>

  /// Reads a recording.
  /// - Parameter folder: the folder of one kind of vendor.
  init(_ folder: String) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }.sorted()
    exchanges = Mutex(
      try names.map { name in
        try JSONDecoder().decode(RecordedExchange.self, from: Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
      })
  }

  /// The number of exchanges that were not replayed yet.
  var rest: Int { exchanges.withLock { $0.count } }

  /// Returns a request with only the header `Content-Type`, because the other headers are not compared.
  private static func compared(_ request: RecordedExchange.Request) -> RecordedExchange.Request {
    var request = request
    request.headers = request.headers.filter { $0.key == "content-type" }
    return request
  }

  func respond(to request: RecordedRequest) -> LoopbackReply {
    let target = request.target.split(separator: "?", maxSplits: 1).map(String.init)
    let query = (target.count > 1 ? target[1] : "").split(separator: "&").map { pair in
      pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { HTTPURL.decode($0) ?? "" }
    }
    let type = request.header("Content-Type").map { ["content-type": $0] } ?? [:]
    // The recording contains a mark instead of values whose names indicate a secret, so the values of the request are replaced too.
    let asked = ExchangeRedaction(secrets: []).redacted(
      RecordedExchange(
        request: RecordedExchange.Request(
          method: request.method, path: target[0], query: query, headers: type, body: RecordedBody(request.body)),
        response: nil)
    ).request
    let found = exchanges.withLock { exchanges in
      exchanges.firstIndex { Self.compared($0.request) == asked }.map { exchanges.remove(at: $0) }
    }
    guard let found else {
      Issue.record("nothing is recorded for \(request.line) \(String(decoding: request.body, as: UTF8.self))")
      return .respond(status: 599)
    }
    guard let response = found.response else { return .close }
    return .respond(
      status: response.status, headers: response.headers.sorted { $0.key < $1.key }, body: response.body?.bytes ?? [])
  }
}
