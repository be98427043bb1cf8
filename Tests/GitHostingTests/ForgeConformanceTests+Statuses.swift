import GitHosting
import Localization
import Pipeline
import TestSupport
import Testing
import TranslationVendors

extension ForgeConformanceTests {
  @Test(
    "a status can be set, set again without effect, and replaced, whichever request fails",
    arguments: ForgeKind.allCases)
  func statuses(_ kind: ForgeKind) async throws {
    let double = ForgeServer(kind)
    let server = try double.serve()
    let forge = try double.forge(server)
    let commit = CommitID(rawValue: Self.first)
    let good = CommitStatus(name: "l10n/completeness", isGood: true, text: "de 100 %")
    for _ in 1...2 { try await forge.set(good, of: commit, on: "l10n/main") }
    #expect(double.state.statuses == ["b l10n/completeness": "good: de 100 %"])
    // These forges list all statuses of a commit, so the status is read before it is set.
    let reads = [.github, .gitea, .forgejo, .azure].contains(kind)
    if reads { #expect(double.state.requests.count { $0.method == "POST" } == 1) }
    for (fault, number) in ForgeServer.Fault.allCases.flatMap({ [($0, 0), ($0, reads ? 1 : 0)] }) {
      let bad = CommitStatus(name: "l10n/completeness", isGood: false, text: String(repeating: "ü", count: 200))
      double.change { $0.fault = ($0.requests.count + number, fault) }
      do { try await forge.set(bad, of: commit, on: "l10n/main") } catch let error as any DisposableError {
        // The pause is too long to wait for within a request. The server states it in whole seconds.
        var pause = Duration.zero
        if case .retryAfter(let asked) = error.disposition { pause = asked }
        #expect(fault == .spent && pause > .seconds(598) && pause <= .seconds(600), "\(error)")
        let count = double.state.requests.count
        await #expect(throws: (any Error).self) { try await forge.set(bad, of: commit, on: "l10n/main") }
        #expect(double.state.requests.count == count, "no request is sent before that time")
        double.wait(after: error)
        try await forge.set(bad, of: commit, on: "l10n/main")
      }
      #expect(double.state.statuses == ["b l10n/completeness": "bad: " + String(repeating: "ü", count: 139) + "…"])
      try await forge.set(good, of: commit, on: "l10n/main")
      #expect(double.state.statuses["b l10n/completeness"]?.hasPrefix("good") == true)
    }
    #expect(double.state.refused.isEmpty, "\(double.state.refused)")
    let unknown = CommitID(rawValue: String(repeating: "d", count: 40))
    await #expect(throws: (any Error).self) { try await forge.set(good, of: unknown, on: "main") }
    let page = try LoopbackHTTPServer { _, _ in
      .respond(status: 200, headers: [("Content-Type", "text/html")], body: Array("<html>Sign in</html>".utf8))
    }
    await #expect(throws: VendorError.self) {
      try await ForgeServer(kind).forge(page).set(good, of: commit, on: "main")
    }
  }
}
