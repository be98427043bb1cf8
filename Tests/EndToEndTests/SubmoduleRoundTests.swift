import Foundation
import Localization
import TestSupport
import Testing

/// Complete rounds on a repository with submodules, behind Apache with a password.
@Suite(.enabled(if: GitHTTPServer.reasonToSkip == nil, "\(GitHTTPServer.reasonToSkip ?? "")"))
struct SubmoduleRoundTests {
  private let git: GitHTTPServer
  private let folder: TemporaryFolder
  private let app: TemporaryRepository
  private let shared: TemporaryRepository
  private let kit: TemporaryRepository
  private let origin: String
  private static let catalog = "Sources/App/Resources/Localizable.xcstrings"
  private static let emptyCatalog =
    "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n\n  },\n  \"version\" : \"1.0\"\n}"

  private static func manifest(_ name: String) -> String {
    """
    // swift-tools-version: 6.0
    import PackageDescription
    let package = Package(
      name: "\(name)", defaultLocalization: "en", targets: [.target(name: "\(name)", resources: [.process("Resources")])])
    """
  }

  private static func swift(_ key: String) -> String {
    "import Foundation\nlet \(key) = String(localized: \"\(key)\", bundle: .module)\n"
  }

  /// Creates an app with two submodules: shared sources in the app's target, and a package with its own catalog.
  init() throws {
    git = try GitHTTPServer()
    folder = try TemporaryFolder()
    (app, shared, kit) = (try TemporaryRepository(), try TemporaryRepository(), try TemporaryRepository())
    try shared.commit(["Shared.swift": Self.swift("shared")])
    let table = "Sources/Kit/Resources/Localizable.xcstrings"
    try kit.commit([
      "Package.swift": Self.manifest("Kit"), "Sources/Kit/Kit.swift": Self.swift("kit"), table: Self.emptyCatalog,
      "Sources/Kit/Resources/fr.lproj/Legacy.strings": "\"a\" = \"b\";\n",
    ])
    try app.commit([
      "Package.swift": Self.manifest("App"), "Sources/App/App.swift": Self.swift("app"),
      Self.catalog: Self.emptyCatalog,
    ])
    for (repository, path, name) in [(shared, "Sources/App/Shared", "shared"), (kit, "Packages/Kit", "kit")] {
      try app.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", repository.path, path)
      try app.git("config", "-f", ".gitmodules", "submodule.\(path).url", "../\(name).git")
      _ = try git.serve(repository, as: name)
    }
    try app.commit()
    origin = try git.serve(app, as: "app")
    try folder.write("\(GitHTTPServer.user):\(GitHTTPServer.password)", to: "secret")
    try folder.write(
      """
      pipeline: app
      repository: { url: "\(git.url)/git/app.git", credentials: file:secret }
      submodules:
        - path: Sources/App/Shared
        - path: Packages/Kit
      catalogs: commit
      languages: [de]
      vendors:
        - { vendor: folder, path: drop, settle: 0 }

      """, to: "pipelines/app.yaml")
  }

  private func run(_ arguments: String...) throws -> ProgramEnd {
    // Commit ids depend on the time of the commit.
    try .of(
      dragomanPath(), ["run", "pipelines/app.yaml", "--once"] + arguments, in: folder.path,
      environment: ["PATH": "/usr/bin:/bin", "LANG": "C", "SOURCE_DATE_EPOCH": "1800000000"])
  }

  private func push() throws {
    try app.git("push", "-q", "file://" + origin, "main")
    try TestSupport.run("chmod", ["-R", "a+rwX", git.repositories], in: folder.path)
  }

  private func delivered() throws -> String {
    try TemporaryRepository.git(["show", "l10n/main:\(Self.catalog)"], in: origin)
  }

  @Test(
    "strings in a submodule's sources are translated in the app's catalog, and the submodule's own catalog is never written"
  )
  func round() throws {
    let early = try dragoman(["doctor", "--pipelines", "pipelines"], in: folder.path)
    #expect(early.output.contains("If the pipeline has run, correct the path. Otherwise run it once"), "\(early)")
    #expect(!early.output.contains("PROBLEM app: submodule"), "\(early)")
    let first = try run()
    #expect(first.status == 0, "\(first)")
    let note = "Packages/Kit/Sources/Kit/Resources/Localizable.xcstrings: warning: 1 string belongs to this catalog"
    #expect(first.errors.contains(note) || first.output.contains(note), "\(first)")
    #expect((first.output + first.errors).contains("translate it in a pipeline for \(git.url)/git/kit.git"), "\(first)")
    #expect(try Translator(drop: folder.file("drop")).translate("de") == 2)
    let dry = try run("--dry-run", "--quiet", "--format", "json")
    #expect(dry.status == 0, "\(dry)")
    #expect(try run("--quiet").status == 0)
    let text = try delivered()
    #expect(text.contains("\"shared\"") && text.contains("\"app\"") && !text.contains("\"kit\""), "\(text)")
    #expect(text.contains("de: shared") && text.contains("de: app"), "\(text)")
    let tip = try TemporaryRepository.git(["rev-parse", "l10n/main"], in: origin)
    #expect(dry.output.contains(tip), "\(dry.output)")
    #expect(
      try TemporaryRepository.git(["diff", "--name-only", "main", "l10n/main"], in: origin) == Self.catalog)
    // A second run changes nothing.
    #expect(try run("--quiet").status == 0)
    #expect(try TemporaryRepository.git(["rev-parse", "l10n/main"], in: origin) == tip)

    let doctor = try dragoman(["doctor", "--pipelines", "pipelines"], in: folder.path)
    #expect(doctor.output.contains("\(git.url)/git/shared.git can be read"), "\(doctor)")
  }

  @Test(
    "a commit with an unreadable submodule is not processed until the submodule can be read")
  func unreachable() throws {
    #expect(try run("--quiet").status == 0)
    #expect(try Translator(drop: folder.file("drop")).translate("de") == 2)
    #expect(try run("--quiet").status == 0)
    let before = try TemporaryRepository.git(["rev-parse", "l10n/main"], in: origin)

    // The app references a commit of the submodule that is not pushed yet.
    let next = try shared.commit(["Shared.swift": Self.swift("shared") + Self.swift("more")])
    try app.git("update-index", "--cacheinfo", "160000,\(next),Sources/App/Shared")
    try app.git("commit", "-q", "-m", "Move")
    try push()
    for _ in 1...2 {
      let end = try run()
      #expect(end.status != 0, "\(end)")
      #expect(end.errors.contains("cannot read submodule Sources/App/Shared: no branch or tag of"), "\(end)")
      #expect(try TemporaryRepository.git(["rev-parse", "l10n/main"], in: origin) == before)
    }
    try shared.git("push", "-q", "file://\(git.repositories)/shared.git", "main")
    try TestSupport.run("chmod", ["-R", "a+rwX", git.repositories], in: folder.path)
    let end = try run("--quiet")
    #expect(end.status == 0, "\(end)")
    #expect(try Translator(drop: folder.file("drop")).translate("de", bundles: "app-2-") == 1)
    #expect(try run("--quiet").status == 0)
    let text = try delivered()
    #expect(text.contains("de: more") && text.contains("de: shared"), "\(text)")

    // The repository is missing on the server.
    try FileManager.default.moveItem(atPath: "\(git.repositories)/shared.git", toPath: folder.file("away.git"))
    #expect(try run("--quiet").status == 0)
    let doctor = try dragoman(["doctor", "--pipelines", "pipelines"], in: folder.path)
    #expect(doctor.output.contains("app: submodule Sources/App/Shared"), "\(doctor)")
    #expect(!doctor.output.contains("/git/shared.git can be read"), "\(doctor)")
  }

  @Test("with a GitHub App, a submodule with a URL in the pipeline file is read with a separate token")
  func application() throws {
    let forge = try LoopbackHTTPServer { request, _ in
      switch (request.method, request.path.suffix(2)) {
      case ("GET", ["app", "installation"]), ("GET", ["kit", "installation"]): .json(["id": 1])
      case ("POST", ["1", "access_tokens"]):
        .json(["token": "ghs_1", "expires_at": Date.now.addingTimeInterval(3600).formatted(.iso8601)], status: 201)
      default: .json(["message": "Not Found"], status: 404)
      }
    }
    try git.allow(user: "x-access-token", password: "ghs_1")
    try TestSupport.run("openssl", ["genrsa", "-out", folder.file("app.pem"), "2048"], in: folder.path)
    try folder.write(
      """
      pipeline: app
      repository: { url: "\(git.url)/git/app.git" }
      submodules:
        - path: Sources/App/Shared
        - { path: Packages/Kit, url: "\(git.url)/git/kit.git" }
      languages: [de]
      vendors:
        - { vendor: folder, path: drop, settle: 0 }
      deliver: { forge: github, api: "\(forge.url)", app: 4711, app_key: "file:\(folder.file("app.pem"))" }

      """, to: "pipelines/app.yaml")
    let end = try run("--quiet")
    #expect(end.status == 0, "\(end)")
    let asked = forge.requests.filter { $0.method == "POST" }.compactMap { $0.object["repositories"] as? [String] }
    // One token is for Kit. The other is for the repository, and is also used to read Shared, whose URL is in `.gitmodules`.
    #expect(Set(asked) == [["app"], ["kit"]], "\(asked)")
    #expect(try Translator(drop: folder.file("drop")).translate("de") == 2)
  }

  @Test("a submodule URL on another server is refused, unless it is in the pipeline file")
  func elsewhere() throws {
    try app.git(
      "config", "-f", ".gitmodules", "submodule.Sources/App/Shared.url", "\(git.url)0/open/shared.git")
    try app.git("commit", "-q", "-a", "-m", "Elsewhere")
    try push()
    let end = try run()
    #expect(end.status != 0, "\(end)")
    #expect(end.errors.contains("is on another server than \(git.url)/git/app.git"), "\(end)")
    #expect(end.errors.contains("set it as url in submodules"), "\(end)")
    let pipeline = String(decoding: try folder.read("pipelines/app.yaml"), as: UTF8.self)
    let open = "\(git.url)/open/shared.git"
    try folder.write(
      pipeline.replacing("path: Sources/App/Shared", with: "{ path: Sources/App/Shared, url: \"\(open)\" }"),
      to: "pipelines/app.yaml")
    let named = try run("--quiet")
    #expect(named.status == 0, "\(named)")
    #expect(try Translator(drop: folder.file("drop")).translate("de") == 2)
  }
}
