import Foundation
import Localization
import TestSupport
import Testing
import VendorServers

/// The recording of exchanges with `DRAGOMAN_RECORD`.
struct RecordingTests {
  @Test(
    "with DRAGOMAN_RECORD, exchanges are written to owner-only files without the token; otherwise no files are written"
  )
  func recorded() throws {
    let folder = try TemporaryFolder()
    let repository = try TemporaryRepository()
    try repository.commit([
      "App/Localizable.xcstrings": #"{ "sourceLanguage" : "en", "strings" : { "Open" : { } }, "version" : "1.0" }"#
    ])
    let origin = try repository.bareCopy()
    let system = LokaliseServer()
    let server = try LoopbackHTTPServer { request, _ in system.respond(to: request) }
    try folder.write("secret-token", to: "token")
    try folder.write(
      """
      pipeline: app
      repository: { url: "\(origin)" }
      languages: [de]
      vendors:
        - { vendor: lokalise, url: "\(server.url)", project: p1, credentials: "file:\(folder.file("token"))" }

      """, to: "app.yaml")
    func run(_ arguments: [String], record: String?) throws {
      var environment = ["PATH": "/usr/bin:/bin", "LANG": "C", "SWIFT_BACKTRACE": "enable=no"]
      if let record { environment["DRAGOMAN_RECORD"] = record }
      let end = try ProgramEnd.of(dragomanPath(), arguments, in: folder.path, environment: environment)
      #expect(end.status == 0, "\(end)")
    }
    try run(["run", "app.yaml", "--once", "--quiet"], record: nil)
    #expect(folder.names(in: "recorded").isEmpty)
    try run(["run", "app.yaml", "--once", "--quiet", "--store", "sqlite:again"], record: folder.file("recorded"))
    let first = folder.names(in: "recorded/lokalise")
    #expect(first.contains { $0.hasSuffix("-GET-projects-p1-keys.json") }, "\(first)")
    try run(["vendors", "test", "--pipeline", "app.yaml"], record: folder.file("recorded"))
    let all = folder.names(in: "recorded/lokalise")
    #expect(all.count > first.count)
    for name in all {
      let text = String(decoding: try folder.read("recorded/lokalise/\(name)"), as: UTF8.self)
      #expect(!text.contains("secret-token") && text.contains("REDACTED"), "\(name)")
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("recorded/lokalise/\(name)"))
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }
}
