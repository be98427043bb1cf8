internal import HTTPTransport
internal import Pipeline
internal import TranslationVendors

/// The error if the forge cannot enable auto-merge in the pull request's current state, with the forge's message. The error is common shortly after a
/// pull request is opened, while its checks have not begun or the forge still compares the branches.
struct MergingLater: Error {
  var words: String
}

/// A collector of a forge's refusals. With it, one refusal does not prevent the other requests.
struct ForgeAttempts {
  private(set) var applied = AppliedExtras()

  /// Sends a request, and records a refusal or a ``MergingLater`` instead of throwing it.
  /// - Parameter what: the name of the request in messages, such as `labels`.
  /// - Throws: other errors. The caller then fails, and its next attempt sends all requests again.
  mutating func attempt(_ what: String, _ body: () async throws -> Void) async throws {
    do { try await body() } catch let error as TransportError {
      guard case .status(let status) = error.kind, (400..<500).contains(status), status != 401, status != 429 else {
        throw error
      }
      refuse("\(what): \(error.detail)")
    } catch let error as VendorError where error.kind == .refused {
      refuse("\(what): \(error.detail)")
    } catch let error as MergingLater {
      applied.mergingLater = error.words
    }
  }

  /// Sends a list in one request. If the forge refuses the list, each element is sent alone. Therefore an unknown element does not prevent the
  /// addition of the others.
  /// - Parameter what: the name of an element of the list in messages, such as `reviewer`.
  mutating func attempt(
    each names: [String], _ what: String, _ body: ([String]) async throws -> Void
  ) async throws {
    let before = applied
    try await attempt("\(what)s") { try await body(names) }
    guard names.count > 1, applied.refused.count > before.refused.count else { return }
    applied = before
    for name in names { try await attempt("\(what) \(name)") { try await body([name]) } }
  }

  mutating func refuse(_ what: String) { applied.refused.append(what) }
}

extension VendorHTTP {
  /// Enables auto-merge.
  /// - Parameters:
  ///   - statuses: the status codes that the forge returns while it cannot enable auto-merge.
  ///   - settled: a part of the forge's message by which it reports that auto-merge was already requested.
  /// - Throws: ``MergingLater`` if the forge cannot enable auto-merge yet.
  func askToMerge(_ request: Request, later statuses: Set<Int>, settled: String? = nil) async throws {
    let response = try await send(request, accepting: statuses)
    guard statuses.contains(response.status) else { return }
    if let settled, String(decoding: response.body, as: UTF8.self).contains(settled) { return }
    throw MergingLater(words: "the server returned \(response.status), “\(words(of: response))”")
  }
}
