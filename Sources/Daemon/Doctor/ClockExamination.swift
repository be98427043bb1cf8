import FoundationEssentials
import HTTPTransport
import Localization
import Pipeline
import TranslationVendors

/// A comparison of this machine's clock with the clocks of the git servers that are reached over HTTPS or HTTP.
struct ClockExamination: Sendable {
  /// The largest acceptable difference, in seconds. With a larger difference, signatures of webhooks and of S3 requests may be refused.
  private static let limit: Int64 = 240
  private static let subject = "clock"

  let transport: HTTPTransport
  let now: @Sendable () -> Date

  /// Compares the clock with that of the first server that returns its time. At most three servers are asked.
  /// - Returns: one finding. Its level is `ok` if no server returned its time.
  func findings(_ definitions: [PipelineDefinition]) async -> [DoctorFinding] {
    var asked: Set<String> = []
    for definition in definitions {
      guard case .url(let scheme, let authority) = Address(definition.repository.url),
        ["https", "http"].contains(scheme), asked.insert(authority).inserted, asked.count <= 3,
        let url = try? HTTPURL("\(scheme)://\(authority)/"),
        let response = try? await transport.send(HTTPRequest("GET", url, responseLimit: 1 << 20)),
        let date = response.head.header("Date").flatMap(HTTPDate.seconds)
      else { continue }
      let ahead = Int64(now().timeIntervalSince1970) - date
      guard abs(ahead) > Self.limit else {
        return [.ok(Self.subject, "agrees with the clock of \(authority)")]
      }
      return [
        .problem(
          Self.subject, "this machine is \(abs(ahead)) seconds \(ahead > 0 ? "ahead of" : "behind") \(authority)",
          "Synchronize the clock with NTP: servers refuse signatures with a wrong time")
      ]
    }
    return [
      .ok(
        Self.subject, asked.isEmpty ? "no git server over HTTP to compare it with" : "no git server returned its time")
    ]
  }
}
