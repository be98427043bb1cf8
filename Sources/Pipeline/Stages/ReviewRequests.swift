import Localization

/// Sends requests about pull requests to the forge, and collects the errors. A refusal, for example of a comment in a locked conversation,
/// affects only that pull request.
struct ReviewRequests {
  /// The number of refusals that are reported with the forge's message.
  private static let shown = 3

  private var refusals: [(number: Int, words: String)] = []
  /// The first error that requires all requests to be repeated. The stage throws this error after it has processed all pull requests.
  private(set) var fault: (any Error)?

  /// The number of pull requests with a refused request.
  var count: Int { Set(refusals.map(\.number)).count }

  /// Sends a request about one pull request.
  /// - Returns: `nil` if the request failed.
  /// - Throws: an error that affects all pull requests.
  mutating func send<Answer>(about number: Int, _ body: () async throws -> Answer) async throws -> Answer? {
    do { return try await body() } catch let error as any DisposableError {
      switch error.disposition {
      // The server currently accepts no requests.
      case .retryAfter: throw error
      case .retry: fault = fault ?? error
      case .permanent, .askPerson: refusals.append((number, "\(error)"))
      }
      return nil
    }
  }

  func findings(of pipeline: String) -> [Diagnostic] {
    var findings = refusals.prefix(Self.shown).map { refusal in
      Diagnostic(
        path: pipeline, severity: .warning,
        message: "the forge refused a comment or status on pull request \(refusal.number): \(refusal.words)"
          .withVisibleControls,
        hint: "the other pull requests are not affected, and this one is tried again at each poll. If its "
          + "conversation is locked, unlock it")
    }
    let others = Set(refusals.dropFirst(Self.shown).map(\.number)).subtracting(
      refusals.prefix(Self.shown).map(\.number))
    if !others.isEmpty {
      let them = others.count == 1 ? "1 more pull request" : "\(others.count) more pull requests"
      findings.append(
        Diagnostic(
          path: pipeline, severity: .warning, message: "the forge refused a comment or status on \(them)",
          hint: "see the forge's messages about the first pull requests"))
    }
    return findings
  }
}
