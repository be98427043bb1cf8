import Daemon
import Foundation
import HTTPTransport
import Localization
import Logging
import Pipeline
import TestSupport
import Testing

/// Complete rounds with the vendor `http` and the example server of docs/vendors/http.md.
struct InHouseRoundTests {
  private static let page = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../docs/vendors/http.md").standardizedFileURL.path
  private static let catalog = "Sources/Kit/Localizable.xcstrings"
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func origin() throws -> String {
    let repository = try TemporaryRepository()
    let manifest = """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(
        name: "Kit", defaultLocalization: "en",
        targets: [.target(name: "Kit", resources: [.process("Localizable.xcstrings")])])
      """
    try repository.commit([
      "Package.swift": manifest,
      "Sources/Kit/Kit.swift": "import Foundation\nlet a = String(localized: \"Bird\", bundle: .module)\n",
      Self.catalog:
        "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n    \"Bird\" : {\n\n    }\n  },\n  \"version\" : \"1.0\"\n}",
    ])
    let origin = folder.path + "/kit.git"
    try TemporaryRepository.git(["clone", "-q", "--bare", repository.path, origin], in: folder.path)
    return origin
  }

  private func round(_ origin: String, _ server: DocumentedServer, branches: [String] = ["main"]) async throws {
    let definition = PipelineDefinition(
      name: "kit", repository: RepositorySettings(url: origin, branches: branches.map { BranchPattern($0) }),
      languages: ["de"], vendors: [VendorDefinition(kind: "http", options: ["url": .text(server.url)])])
    let runtime = try PipelineRuntime(
      definitions: [definition], store: StoreLocation(folder: folder.path + "/store"), settings: Settings(),
      environment: [:], isOnce: true, observer: WorkerObserver(),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    _ = try await runtime.runOnce()
  }

  private func translate(_ server: DocumentedServer) async throws {
    let id = "{\"catalog\": \"\(Self.catalog)\", \"name\": \"Bird\"}"
    let body =
      "{\"translations\": [{\"id\": \(id), \"source\": {\"text\": \"Bird\"}, \"target\": {\"text\": \"Vogel\"}, \"state\": \"reviewed\"}]}"
    #expect(try await ask(server, "PUT", ["translations", "de", "missing"], body).status == 200)
  }

  @Test("reconcile finds strings that a vendor lost, and cancelling and retrying the round sends them again")
  func reconciles() async throws {
    guard let server = try await DocumentedServer.start(page: Self.page, ready: "languages"),
      let empty = try await DocumentedServer.start(page: Self.page, ready: "languages")
    else { return }
    func run(_ arguments: [String]) throws -> ProgramEnd { try dragoman(arguments, in: folder.path) }
    let origin = try origin()
    func write(_ server: DocumentedServer) throws {
      let vendors =
        "  - { vendor: http, name: house, languages: [de], url: \"\(server.url)\" }\n"
        + "  - { vendor: folder, name: agency, path: drop, languages: [fr] }\n"
      try folder.write(
        "pipeline: kit\nrepository: { url: \"\(origin)\" }\nlanguages: [de, fr]\nvendors:\n" + vendors,
        to: "kit.yaml")
    }
    #expect(try run(["reconcile", "kit.yaml"]).status == 66)
    try write(server)
    #expect(try run(["reconcile", "kit.yaml"]).status == 66, "there is no store yet")
    #expect(try run(["run", "kit.yaml", "--once", "--quiet"]).status == 0)
    let identity = folder.file(".dragoman/installation")
    try FileManager.default.removeItem(atPath: identity)
    var end = try run(["reconcile", "kit.yaml"])
    #expect(!FileManager.default.fileExists(atPath: identity), "a review writes nothing")
    #expect(
      end.output == """
        PASS kit: house: the vendor has all 1 outstanding units
        PASS kit: agency: the vendor has all 1 outstanding units

        """)
    #expect(end.status == 0, "\(end.errors)")

    // The server loses all its data, and the bundle is removed from the folder.
    try write(empty)
    try FileManager.default.removeItem(atPath: folder.file("drop/to-translate/kit-1-fr.xcloc.zip"))
    end = try run(["reconcile", "kit.yaml"])
    #expect(
      end.output == """
        FAIL kit: house
        SKIP kit: agency: the vendor does not report the state of 1 of 1 outstanding units

        """)
    #expect(end.errors == "  kit#1 de: Sources/Kit/Localizable.xcstrings: \"Bird\" is missing there\n")
    #expect(end.status == 1)
    #expect(try run(["reconcile", "kit.yaml", "--vendor", "agency"]).status == 0)
    #expect(try run(["reconcile", "kit.yaml", "--vendor", "agenci"]).errors.contains("agency"))
    let json = try run(["reconcile", "kit.yaml", "--format", "json", "--vendor", "house"])
    #expect(json.output.contains("\"key\" : \"Bird\"") && json.status == 1)

    #expect(try run(["rounds", "cancel", "kit#1"]).status == 0)
    #expect(try run(["run", "kit.yaml", "--once", "--quiet"]).status == 0)
    #expect(try run(["rounds", "retry", "kit#1"]).status == 0)
    #expect(try run(["run", "kit.yaml", "--once", "--quiet"]).status == 0)
    end = try run(["reconcile", "kit.yaml"])
    #expect(
      end.output.hasPrefix("PASS kit: house: the vendor has all 1 outstanding units\nPASS kit: agency"), "\(end.output)"
    )
    #expect(end.status == 0)
  }

  @Test("a returned string that no branch has any more is archived once at the vendor")
  func retires() async throws {
    guard let server = try await DocumentedServer.start(page: Self.page, ready: "languages") else { return }
    let origin = try origin()
    try await round(origin, server)
    try await translate(server)
    try await round(origin, server)
    #expect(try await isArchived(server) == false)
    let work = folder.path + "/work"
    try TemporaryRepository.git(["clone", "-q", origin, work], in: folder.path)
    for (name, value) in [("user.name", "Ann"), ("user.email", "ann@example.com")] {
      try TemporaryRepository.git(["config", name, value], in: work)
    }
    // Another branch still has the string.
    try TemporaryRepository.git(["push", "-q", "origin", "HEAD:refs/heads/release"], in: work)
    try TemporaryRepository.git(["rm", "-q", Self.catalog, "Sources/Kit/Kit.swift"], in: work)
    try TemporaryRepository.git(["commit", "-q", "-m", "Remove"], in: work)
    try TemporaryRepository.git(["push", "-q", "origin", "HEAD"], in: work)
    try await round(origin, server, branches: ["main", "release"])
    #expect(try await isArchived(server) == false)
    try await round(origin, server)
    #expect(try await isArchived(server) == true)
    // A person restores the string at the vendor, and the string is not archived again.
    try await show(server)
    try await round(origin, server)
    #expect(try await isArchived(server) == false)
  }

  @Test(
    "a changed comment is sent for outstanding and translated strings, unless branches have different comments")
  func comments() async throws {
    guard let server = try await DocumentedServer.start(page: Self.page, ready: "languages") else { return }
    let origin = try origin()
    let work = folder.path + "/work"
    try TemporaryRepository.git(["clone", "-q", origin, work], in: folder.path)
    for (name, value) in [("user.name", "Ann"), ("user.email", "ann@example.com")] {
      try TemporaryRepository.git(["config", name, value], in: work)
    }
    func write(_ comment: String) throws {
      let code = "import Foundation\nlet a = String(localized: \"Bird\", bundle: .module, comment: \"\(comment)\")\n"
      try folder.write(code, to: "work/Sources/Kit/Kit.swift")
      try TemporaryRepository.git(["commit", "-q", "-a", "-m", comment], in: work)
      try TemporaryRepository.git(["push", "-q", "origin", "HEAD"], in: work)
    }
    try await round(origin, server)
    #expect(try await comment(server) == nil)
    try write("An animal")
    try await round(origin, server)
    #expect(try await comment(server) == "An animal")
    try await translate(server)
    try await round(origin, server)
    try write("A pet")
    try await round(origin, server)
    #expect(try await comment(server) == "A pet")
    // The release branch keeps the old comment.
    try TemporaryRepository.git(["push", "-q", "origin", "HEAD:refs/heads/release"], in: work)
    try write("A bird")
    try await round(origin, server, branches: ["main", "release"])
    #expect(try await comment(server) == "A pet")
    try await round(origin, server)
    #expect(try await comment(server) == "A bird")
  }

  private func comment(_ server: DocumentedServer) async throws -> String? {
    struct Response: Decodable {
      struct Item: Decodable {
        var comment: String?
      }
      var strings: [Item]
    }
    let body = "{\"ids\": [{\"catalog\": \"\(Self.catalog)\", \"name\": \"Bird\"}]}"
    let response = try await ask(server, "POST", ["strings", "query"], body)
    let comment = try JSONDecoder().decode(Response.self, from: Data(response.body)).strings.first?.comment ?? ""
    return comment.isEmpty ? nil : comment
  }

  private func isArchived(_ server: DocumentedServer) async throws -> Bool? {
    struct Response: Decodable {
      struct Item: Decodable {
        var archived: Bool?
      }
      var strings: [Item]
    }
    let body = "{\"ids\": [{\"catalog\": \"\(Self.catalog)\", \"name\": \"Bird\"}]}"
    let response = try await ask(server, "POST", ["strings", "query"], body)
    return try JSONDecoder().decode(Response.self, from: Data(response.body)).strings.first.map { $0.archived ?? false }
  }

  private func show(_ server: DocumentedServer) async throws {
    let id = "{\"catalog\": \"\(Self.catalog)\", \"name\": \"Bird\"}"
    let body = "{\"strings\": [{\"id\": \(id), \"source\": {\"text\": \"Bird\"}, \"comment\": \"\"}]}"
    #expect(try await ask(server, "PUT", ["strings"], body).status == 200)
  }

  private func ask(
    _ server: DocumentedServer, _ method: String, _ path: [String], _ body: String
  ) async throws -> HTTPResponse {
    let request = HTTPRequest(
      method, try HTTPURL(server.url).appending(path), headers: [("Content-Type", "application/json")],
      body: .bytes(Array(body.utf8)))
    return try await HTTPTransport(TransportSettings(usesEnvironmentProxy: false)).send(request)
  }

  @Test("a translation that a person enters in the documentation's example server is delivered as a commit")
  func delivers() async throws {
    guard let server = try await DocumentedServer.start(page: Self.page, ready: "languages") else { return }
    let origin = try origin()
    try await round(origin, server)
    try await translate(server)
    try await round(origin, server)
    let delivered = try TemporaryRepository.git(["show", "l10n/main:\(Self.catalog)"], in: origin)
    #expect(delivered.contains("\"value\" : \"Vogel\"") && delivered.contains("\"state\" : \"translated\""))
    // The next round has no work.
    let tip = try TemporaryRepository.git(["rev-parse", "l10n/main"], in: origin)
    try await round(origin, server)
    #expect(try TemporaryRepository.git(["rev-parse", "l10n/main"], in: origin) == tip)
  }
}
