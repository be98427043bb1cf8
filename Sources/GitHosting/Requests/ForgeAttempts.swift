internal import HTTPTransport
internal import TranslationVendors

/// Collects a forge's refusals, so that one refusal does not prevent the other requests.
struct ForgeAttempts {
  private(set) var refusals: [String] = []

  /// - Throws: an error after which everything is tried again.
  mutating func attempt(_ what: String, _ body: () async throws -> Void) async throws {
    do { try await body() } catch let error as TransportError {
      guard case .status(let status) = error.kind, (400..<500).contains(status), status != 401, status != 429 else {
        throw error
      }
      refusals.append("\(what): \(error.detail)")
    } catch let error as VendorError where error.kind == .refused {
      refusals.append("\(what): \(error.detail)")
    }
  }

  mutating func refuse(_ what: String) { refusals.append(what) }
}
