import Foundation
import Localization
import TestSupport
import Testing
import VendorServers

/// Rounds with a vendor to which the locations of strings in code are sent.
struct PlacesRoundTests {
  @Test("comments for translators list the files that use a string, and change when the code moves")
  func places() throws {
    let folder = try TemporaryFolder()
    let repository = try TemporaryRepository()
    func code(_ name: String) -> String {
      "import Foundation\nlet \(name) = String(localized: \"Bird\", bundle: .module)\n"
    }
    var files = [
      "Package.swift": """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(name: "Kit", defaultLocalization: "en", targets: [.target(name: "Kit")])
      """,
      "Sources/Kit/Localizable.xcstrings":
        #"{ "sourceLanguage" : "en", "strings" : { "Bird" : { "comment" : "A bird" } }, "version" : "1.0" }"#,
    ]
    for name in ["a", "b", "c", "d"] { files["Sources/Kit/\(name).swift"] = code(name) }
    try repository.commit(files)
    let system = InHouseServer(languages: ["de"])
    let server = try LoopbackHTTPServer { request, _ in system.respond(to: request) }
    try folder.write("secret-token", to: "token")
    try folder.write(
      """
      pipeline: kit
      repository: { url: "\(repository.path)", branches: [main] }
      languages: [de]
      vendors:
        - { vendor: http, url: "\(server.url)", credentials: "file:\(folder.file("token"))", places: true }
      deliver: { mode: branch, branch: l10n }

      """, to: "kit.yaml")
    func comment() throws -> String? {
      let end = try dragoman(["run", "kit.yaml", "--once", "--quiet"], in: folder.path)
      #expect(end.status == 0, "\(end)")
      let content = try JSONSerialization.jsonObject(with: Data(system.content.utf8)) as? [String: Any]
      let strings = content?["strings"] as? [String: [String: Any]]
      return strings?.values.first?["comment"] as? String
    }
    let first = "A bird\nUsed in Sources/Kit/a.swift, Sources/Kit/b.swift, Sources/Kit/c.swift and 1 more."
    #expect(try comment() == first)
    let sent = system.sendings
    #expect(try comment() == first && system.sendings == sent)
    try repository.commit(["Sources/Kit/a.swift": "// moved\n", "Sources/Kit/e.swift": code("e")])
    #expect(
      try comment() == "A bird\nUsed in Sources/Kit/b.swift, Sources/Kit/c.swift, Sources/Kit/d.swift and 1 more.")
  }
}
