import Daemon
import Foundation
import HTTPTransport
import Localization
import Logging
import Pipeline
import TestSupport
import Testing

/// Whole rounds through the vendor `http`, against the example server of docs/vendors/http.md.
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

  private func round(_ origin: String, _ server: DocumentedServer) async throws {
    let definition = PipelineDefinition(
      name: "kit", repository: RepositorySettings(url: origin), languages: ["de"],
      vendors: [VendorDefinition(kind: "http", options: ["url": .text(server.url)])])
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
    let request = HTTPRequest(
      "PUT", try HTTPURL(server.url).appending(["translations", "de", "missing"]),
      headers: [("Content-Type", "application/json")], body: .bytes(Array(body.utf8)))
    let transport = HTTPTransport(TransportSettings(usesEnvironmentProxy: false))
    #expect(try await transport.send(request).status == 200)
  }

  @Test("a translation that people enter in the example server of the page is delivered as a commit")
  func delivers() async throws {
    guard let server = try await DocumentedServer.start(page: Self.page, ready: "languages") else { return }
    let origin = try origin()
    try await round(origin, server)
    try await translate(server)
    try await round(origin, server)
    let delivered = try TemporaryRepository.git(["show", "l10n/main:\(Self.catalog)"], in: origin)
    #expect(delivered.contains("\"value\" : \"Vogel\"") && delivered.contains("\"state\" : \"translated\""))
    // Another round finds nothing to do.
    let tip = try TemporaryRepository.git(["rev-parse", "l10n/main"], in: origin)
    try await round(origin, server)
    #expect(try TemporaryRepository.git(["rev-parse", "l10n/main"], in: origin) == tip)
  }
}
