import GitHosting
import HTTPTransport
import Localization
import Pipeline
import TestSupport
import Testing
import TranslationVendors

/// What the message about a refusal contains.
@Suite("Refusals by every kind of forge")
struct ForgeRefusalTests {
  private let wanted = WantedPullRequest(
    branch: "l10n/main", base: "main", tip: CommitID(rawValue: ForgeConformanceTests.first),
    title: "Translations for main: de", body: "a\nb\ncontent `1`", mark: "content `1`")

  @Test("throws a refusal to open a pull request if none exists", arguments: ForgeKind.allCases)
  func branchDeleted(_ kind: ForgeKind) async throws {
    let double = ForgeServer(kind)
    double.change { $0.branches["l10n/main"] = nil }
    let server = try double.serve()
    let error = await #expect(throws: VendorError.self) { try await double.forge(server).ensure(wanted) }
    #expect(error?.disposition == .askPerson)
    let text = error?.description ?? ""
    #expect(text.contains("the server answered 422, “not a pull request"), "\(text)")
    #expect(text.contains(". The server does not accept this request. Change what it names"), "\(text)")
    #expect(double.state.pulls.isEmpty)
  }

  @Test(
    "a server that takes no more requests is reported with the time until the next one", arguments: ForgeKind.allCases)
  func tooMany(_ kind: ForgeKind) async throws {
    let server = try LoopbackHTTPServer { _, _ in .respond(status: 429, headers: [("Retry-After", "3600")]) }
    let error = await #expect(throws: TransportError.self) {
      try await ForgeServer(kind).forge(server).ensure(wanted)
    }
    #expect(error?.disposition == .retryAfter(.seconds(900)))
    #expect(error?.detail.hasSuffix(". The next request is sent after 900 s") == true, "\(error as Any)")
  }

  @Test("a refusal is reported in the server's words alone", arguments: ForgeKind.allCases)
  func locked(_ kind: ForgeKind) async throws {
    let server = try LoopbackHTTPServer { request, _ in
      request.method == "GET" ? .json([]) : .json(["message": "issue is locked"], status: 403)
    }
    let error = await #expect(throws: VendorError.self) {
      try await ForgeServer(kind).forge(server).addComment("x", to: 1)
    }
    let text = error?.description ?? ""
    #expect(text.contains("the server answered 403 (forbidden), “issue is locked”. Unless the server names"), "\(text)")
  }
}
