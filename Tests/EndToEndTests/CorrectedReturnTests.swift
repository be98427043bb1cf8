import Foundation
import Localization
import TestSupport
import Testing
import VendorServers

/// Rounds in which people change translations at a vendor after they were delivered.
struct CorrectedReturnTests {
  private static let catalog = "App/Localizable.xcstrings"
  private let folder: TemporaryFolder
  /// The working copy of a developer. Its folder is deleted when the repository is released.
  private let repository: TemporaryRepository
  private let origin: String
  private let system = InHouseServer(languages: ["de"])
  private let server: LoopbackHTTPServer

  init() throws {
    folder = try TemporaryFolder()
    repository = try TemporaryRepository()
    try repository.commit([
      Self.catalog:
        "{ \"sourceLanguage\" : \"en\", \"strings\" : { \"Bird\" : { }, \"Close\" : { } }, \"version\" : \"1.0\" }"
    ])
    origin = try repository.bareCopy()
    let system = system
    server = try LoopbackHTTPServer { request, _ in system.respond(to: request) }
    try folder.write("secret-token", to: "token")
  }

  /// Runs the pipeline once.
  /// - Returns: the output and the errors of the program.
  @discardableResult
  private func run(_ options: String = "") throws -> String {
    try folder.write(
      """
      pipeline: app
      repository: { url: "\(origin)" }
      languages: [de]
      vendors:
        - { vendor: http, name: house, url: "\(server.url)", credentials: "file:\(folder.file("token"))"\(options) }

      """, to: "app.yaml")
    let end = try dragoman(["run", "app.yaml", "--once"], in: folder.path)
    #expect(end.status == 0, "\(end)")
    return end.output + end.errors
  }

  /// Returns the German texts and their states on a branch.
  private func german(on branch: String = "l10n/main") throws -> [String: String] {
    let text = try TemporaryRepository.git(["show", "\(branch):\(Self.catalog)"], in: origin)
    let catalog = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let strings = try #require(catalog?["strings"] as? [String: [String: [String: [String: [String: String]]]]])
    return strings.compactMapValues {
      let unit = $0["localizations"]?["de"]?["stringUnit"]
      return unit.map { "\($0["value"] ?? "?") (\($0["state"] ?? "?"))" }
    }
  }

  private func tip() throws -> String { try TemporaryRepository.git(["rev-parse", "l10n/main"], in: origin) }

  private func held() throws -> String { try dragoman(["held", "list"], in: folder.path).output }

  /// Merges the delivery into the local main branch, changes the catalog there, and pushes the branch.
  private func merge(_ change: (String) -> String = { $0 }) throws {
    try repository.git("pull", "-q", "--no-rebase", origin, "l10n/main")
    let text = try String(contentsOfFile: repository.path + "/" + Self.catalog, encoding: .utf8)
    try repository.commit([Self.catalog: change(text)])
    try repository.git("push", "-q", origin, "HEAD:main")
  }

  @Test("a reviewer's correction of a delivered text is delivered as a commit, and so is its reversal")
  func corrected() async throws {
    try run()
    system.enter(["Bird": "Vogel", "Close": "Zu"], in: "de")
    try run()
    let books = try await booksText(folder.file(".dragoman"))
    let first = try tip()
    let quiet = try run()
    #expect(try tip() == first && !quiet.contains("returned by house, 0 outstanding, "), "\(quiet)")
    #expect(quiet.contains("0 returned by house"), "\(quiet)")
    system.enter(["Bird": "Amsel"], in: "de")
    let said = try run()
    #expect(said.contains("1 returned by house, 0 outstanding"), "\(said)")
    #expect(try german() == ["Bird": "Amsel (translated)", "Close": "Zu (translated)"])
    let second = try tip()
    #expect(try run().contains("0 returned by house"))
    #expect(try tip() == second && second != first)
    // The reviewer reverts the correction, so the bundle has the same content as the first bundle.
    system.enter(["Bird": "Vogel"], in: "de")
    try run()
    #expect(try german()["Bird"] == "Vogel (translated)")
    // Corrections are delivered after the delivery was merged, too.
    try merge()
    try run()
    system.enter(["Close": "Schließen"], in: "de")
    try run()
    #expect(try german() == ["Bird": "Vogel (translated)", "Close": "Schließen (translated)"])
    #expect(try await booksText(folder.file(".dragoman")) == books)
    #expect(system.sendings.values.allSatisfy { $0 == 1 }, "\(system.sendings)")
    #expect(try held().contains("Bird") == false)
  }

  @Test("a delivered suggestion becomes translated when it is reviewed at the vendor")
  func reviewed() throws {
    let options = ", take: suggested"
    try run(options)
    system.enter(["Bird": "Vogel"], in: "de", state: "suggested")
    try run(options)
    #expect(try german() == ["Bird": "Vogel (needs_review)"])
    let tip = try tip()
    try run(options)
    #expect(try self.tip() == tip)
    system.enter(["Bird": "Vogel"], in: "de", state: "reviewed")
    try run(options)
    #expect(try german() == ["Bird": "Vogel (translated)"])
  }

  @Test("a correction is held if a person has changed the text in the repository, until both texts are equal")
  func changedByPerson() throws {
    try run()
    system.enter(["Bird": "Vogel", "Close": "Zu"], in: "de")
    try run()
    try merge { $0.replacing("Vogel", with: "Piepmatz") }
    try run()
    #expect(try held().contains("Bird") == false)
    system.enter(["Bird": "Amsel", "Close": "Schließen"], in: "de")
    try run()
    #expect(try german(on: "main")["Bird"] == "Piepmatz (translated)")
    #expect(try german() == ["Bird": "Piepmatz (translated)", "Close": "Schließen (translated)"])
    let list = try held()
    #expect(
      list.contains("the translation in the repository has changed since the export; it is now “Piepmatz”"), "\(list)")
    let tip = try tip()
    try run()
    #expect(try self.tip() == tip && held() == list)
    system.enter(["Bird": "Piepmatz"], in: "de")
    try run()
    #expect(try self.tip() == tip && held().contains("Piepmatz") == false)
  }

  @Test("a correction whose source text is no longer current is ignored")
  func outdated() throws {
    try run()
    system.enter(["Bird": "Vogel", "Close": "Zu"], in: "de")
    try run()
    try merge { $0.replacing("\"Bird\" : {", with: "\"Birds\" : {") }
    system.enter(["Bird": "Amsel"], in: "de")
    #expect(try run().contains("0 returned by house"))
    #expect(try held().contains("Bird") == false)
  }

  @Test("a dry run changes nothing, and warns once that the translations at an `http` vendor are unknown")
  func dryRun() throws {
    try run()
    system.enter(["Bird": "Vogel"], in: "de")
    try run()
    let tip = try tip()
    system.enter(["Bird": "Amsel"], in: "de")
    let end = try dragoman(["run", "app.yaml", "--once", "--dry-run"], in: folder.path)
    #expect(end.errors.components(separatedBy: "warning:").count == 2, "\(end)")
    #expect(try self.tip() == tip)
    try run()
    #expect(try german()["Bird"] == "Amsel (translated)")
  }

  @Test(
    "corrections of delivered texts at every platform are delivered, even if the run is killed at any request",
    arguments: KilledVendor.allCases.filter { !$0.isMachine })
  func everyPlatform(_ vendor: KilledVendor) async throws {
    let play = try Self.delivered(by: vendor)
    let first = try await play.ending()
    play.correct()
    let before = play.requests.count
    try play.run()
    let corrected = try await play.ending()
    #expect(corrected.commits != first.commits && corrected.books == first.books)
    #expect(corrected.vendor == first.vendor && corrected.sendings == first.sendings)
    #expect(try play.german().contains("! Hello"), "\(vendor)")
    let after = play.requests.count
    try play.run()
    #expect(try await play.ending() == corrected)
    guard vendor == .http else { return }
    for number in before..<after {
      let killed = try Self.delivered(by: vendor)
      killed.correct()
      #expect(try killed.run(killedAt: number) == 128 + SIGKILL)
      try killed.run()
      #expect(try await killed.ending() == corrected, "killed at request \(number), \(play.requests[number].line)")
    }
  }

  private static func delivered(by vendor: KilledVendor) throws -> KilledVendorPlay {
    let play = try KilledVendorPlay(vendor)
    try play.run()
    play.translate()
    try play.run()
    return play
  }
}
