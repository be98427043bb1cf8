import Foundation
import TestSupport
import Testing

/// The traces that the program sends to a collector.
@Suite(.timeLimit(.minutes(10))) struct TraceTests {
  @Test("serve exports a span for each stage, and the remaining spans when it stops")
  func serve() async throws {
    let collector = try LoopbackHTTPServer { _, _ in .respond(status: 200) }
    let folder = try TemporaryFolder()
    let repository = try TemporaryRepository()
    try repository.commit(["README.md": "no strings"])
    let origin = folder.file("origin.git")
    try TemporaryRepository.git(["clone", "-q", "--bare", repository.path, origin], in: folder.path)
    try folder.write(
      "pipeline: idle\nrepository:\n  url: \(origin)\nvendors:\n  - vendor: pseudo\n", to: "pipelines/idle.yaml")
    let process = try ChildProcess(
      dragomanPath(), ["serve"], in: folder.path,
      environment: ["PATH": "/usr/bin:/bin", "LANG": "C", "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url],
      output: .null, errors: .null)
    func texts() -> [String] { collector.requests.map { String(decoding: $0.body, as: UTF8.self) } }
    #expect(await OtherProcess.wait { texts().contains { $0.contains("\"name\":\"extract\"") } })
    kill(process.processIdentifier, SIGTERM)
    #expect(process.waitUntilExit() == 0)
    let sent = texts().joined()
    #expect(sent.contains(#"{"key":"dragoman.pipeline","value":{"stringValue":"idle"}}"#))
    #expect(sent.contains(#"{"key":"dragoman.outcome","value":{"stringValue":"succeeded"}}"#))
    #expect(sent.contains(#""name":"diff""#))
  }
}
