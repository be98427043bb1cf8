import Foundation
import Localization
import TestSupport
import Testing
import VendorServers

/// Subjects, trailers and signatures of the delivered commits.
struct CommitStyleRoundTests {
  private func repositoryOfTwoStrings() throws -> TemporaryRepository {
    let repository = try TemporaryRepository()
    try repository.commit([
      "App/Localizable.xcstrings": """
      { "sourceLanguage" : "en", "strings" : { "Open" : { }, "Close" : { } }, "version" : "1.0" }
      """
    ])
    return repository
  }

  @Test("commits have the configured subject, a sign-off and a signature, and are still recognized as ours")
  func style() throws {
    let folder = try TemporaryFolder()
    let repository = try repositoryOfTwoStrings()
    let origin = try repository.bareCopy()
    #expect(try ProgramEnd.of("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", folder.file("key")]).status == 0)
    let publicKey = String(decoding: try folder.read("key.pub"), as: UTF8.self)
    try folder.write("l10n@example.com \(publicKey)", to: "signers")
    try folder.write(
      """
      pipeline: birds
      repository: { url: "\(origin)" }
      languages: [de]
      vendors: [{ vendor: folder, path: drop, settle: 0 }]
      deliver:
        subject: "chore(l10n): {summary} [{pipeline}]"
        sign_off: true
        sign: "file:key"
        author: L10n <l10n@example.com>
      """, to: "birds.yaml")
    let run = { try dragoman(["run", "birds.yaml", "--once"], in: folder.path) }
    #expect(try run().status == 0)
    let translator = Translator(drop: folder.file("drop"))
    #expect(try translator.translate("de") == 2)
    let second = try run()
    #expect(second.status == 0, "\(second.errors)")
    let show = { (format: String) in
      try TemporaryRepository.git(
        ["-c", "gpg.ssh.allowedSignersFile=\(folder.file("signers"))", "log", "-1", "--format=\(format)", "l10n/main"],
        in: origin
      ).trimmingCharacters(in: .newlines)
    }
    #expect(try show("%s") == "chore(l10n): Translate 2 strings into de [birds]")
    #expect(try show("%(trailers:key=Signed-off-by,valueonly)") == "L10n <l10n@example.com>")
    #expect(try show("%(trailers:key=L10n-Units,valueonly)") == "2")
    #expect(try show("%G? %GS") == "G l10n@example.com")
    // After its ledger is lost, the program recognizes its commits by their trailers.
    let tip = try show("%H")
    try FileManager.default.removeItem(atPath: folder.file(".dragoman"))
    #expect(try run().status == 0)
    #expect(try show("%H") == tip)
  }

  @Test("translators reported by the vendor become co-authors, and their names cannot add lines to the message")
  func coAuthors() throws {
    let folder = try TemporaryFolder()
    let repository = try repositoryOfTwoStrings()
    let origin = try repository.bareCopy()
    let house = InHouseServer()
    let server = try LoopbackHTTPServer { request, _ in house.respond(to: request) }
    try folder.write("secret-token", to: "token")
    let pipeline = """
      pipeline: birds
      repository: { url: "\(origin)" }
      languages: [de, uk]
      vendors: [{ vendor: http, url: "\(server.url)", credentials: "file:\(folder.file("token"))" }]
      deliver: { sign_off: true, co_authors: true, addresses: { "17": oleh@example.com } }
      """
    try folder.write(pipeline, to: "birds.yaml")
    let run = { try dragoman(["run", "birds.yaml", "--once"], in: folder.path) }
    #expect(try run().status == 0)
    let hostile = "Eve <x>\n\nL10n-Source: 0\nSigned-off-by: Root <root@example.com>"
    house.translate("de", by: ["name": hostile, "address": "eve@example.com"])
    house.translate("uk", by: ["name": "Олег", "account": "17"])
    let end = try run()
    #expect(end.status == 0, "\(end.errors)")
    let body = try TemporaryRepository.git(["log", "-1", "--format=%B", "l10n/main"], in: origin)
    let lines = body.split(separator: "\n").map(String.init)
    #expect(
      lines.suffix(3) == [
        "Co-authored-by: Eve x L10n-Source: 0 Signed-off-by: Root root@example.com <eve@example.com>",
        "Co-authored-by: Олег <oleh@example.com>", "Signed-off-by: Dragoman <dragoman@localhost>",
      ], "\(body)")
    #expect(lines.count { $0.hasPrefix("L10n-Source: ") } == 1 && !body.contains("Source: 0\n"))
  }
}
