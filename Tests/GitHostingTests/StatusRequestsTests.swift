import Foundation
import HTTPTransport
import Localization
import Logging
import TestSupport
import Testing
import TranslationVendors

@testable import GitHosting

@Suite struct StatusRequestsTests {
  @Test("a token that the server repeats in a refusal is removed from the message")
  func repeated() async throws {
    let server = try LoopbackHTTPServer { request, _ in
      .respond(status: 400, body: Array("no: \(request.header("PRIVATE-TOKEN") ?? "")".utf8))
    }
    let environment = VendorEnvironment(
      pipeline: "app", stateFolder: "/nonexistent", secret: { Secret("glpat-s3cret") },
      transport: HTTPTransport(TransportSettings(usesEnvironmentProxy: false)), now: { Date() }, sleep: { _ in },
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let api = VendorHTTP(
      vendor: "gitlab", base: try HTTPURL(server.url), authentication: .header("PRIVATE-TOKEN"),
      pace: PaceSettings(perSecond: 100, burst: 9, concurrent: 1), environment: environment, paces: RequestPaces())
    let refusal = await #expect(throws: MergingLater.self) {
      try await api.askToMerge(VendorHTTP.Request("PUT", ["merge"]), later: [400])
    }
    #expect(refusal?.words == "the server returned 400, “no: REDACTED”")
  }
}
