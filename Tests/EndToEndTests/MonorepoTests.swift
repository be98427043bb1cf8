import Daemon
import Foundation
import Localization
import Pipeline
import TestSupport
import Testing

/// Several packages and apps in one repository, each with its own pipeline.
@Suite("Monorepos") struct MonorepoTests {
  private let bench: PipelineBench

  init() throws { bench = try PipelineBench() }

  private static let manifest = """
    // swift-tools-version: 6.0
    import PackageDescription
    let package = Package(
      name: "NAME", defaultLocalization: "en", targets: [.target(name: "NAME", resources: [.process("Resources")])])
    """

  private func package(_ name: String, _ keys: [String]) -> [String: String] {
    [
      "Packages/\(name)/Package.swift": Self.manifest.replacing("NAME", with: name),
      "Packages/\(name)/Sources/\(name)/\(name).swift":
        "import Foundation\n" + keys.map { "let \($0) = String(localized: \"\($0)\", bundle: .module)\n" }.joined(),
      catalog(name): PipelineBench.catalog([:]).replacing("{\n\n  }", with: "{\n\n  }"),
    ]
  }

  private func catalog(_ name: String) -> String { "Packages/\(name)/Sources/\(name)/Resources/Localizable.xcstrings" }

  private func definition(_ name: String) -> PipelineDefinition {
    bench.definition(
      name.lowercased(), deliver: DeliverSettings(branch: "l10n/\(name.lowercased())/{branch}"),
      extract: ExtractSettings(paths: ["Packages/\(name)"]))
  }

  @Test(
    "each pipeline sends and delivers its own package from one mirror, and a broken catalog stops only its own pipeline"
  )
  func life() async throws {
    let files = package("Birds", ["feed", "nest"]).merging(package("Kit", ["close"])) { first, _ in first }
    try bench.repository.commit(files)
    try bench.publish()
    let (birds, kit) = (definition("Birds"), definition("Kit"))
    try await bench.run(birds, kit)
    #expect(try await bench.rounds("birds").map { $0.sorted() } == [["feed", "nest"]])
    #expect(try await bench.rounds("kit") == [["close"]])
    let mirrors = try FileManager.default.contentsOfDirectory(atPath: bench.folder.file("store/mirrors"))
    #expect(mirrors.filter { $0.hasSuffix(".git") }.count == 1)

    // The other team's catalog is broken when the translations of `birds` are returned.
    try bench.repository.commit([catalog("Kit"): "<<<<<<< ours"])
    try bench.push("main")
    #expect(try bench.translator("birds").translate("de") == 2)
    let report = try await bench.run(birds)
    #expect(report.pipelines.flatMap(\.diagnostics).allSatisfy { $0.severity != .error }, "\(report.pipelines)")
    #expect(try bench.texts("l10n/birds/main", catalog("Birds")) == ["feed": "de: feed", "nest": "de: nest"])
    #expect(try bench.git("diff", "--name-only", "main", "l10n/birds/main") == catalog("Birds"))
    let other = try await bench.run(kit)
    #expect(other.pipelines.flatMap(\.diagnostics).contains { $0.path == catalog("Kit") })
    #expect(try bench.git("branch", "--list", "l10n/kit/main").isEmpty)

    try bench.repository.commit(package("Kit", ["close"]))
    try bench.push("main")
    #expect(try bench.translator("kit").translate("de") == 1)
    try await bench.run(birds, kit)
    #expect(try bench.git("diff", "--name-only", "main", "l10n/kit/main") == catalog("Kit"))
    #expect(try bench.texts("l10n/kit/main", catalog("Kit")) == ["close": "de: close"])
  }

  @Test("status --pipeline counts only the pipeline's catalogs, as the daemon does")
  func verdicts() throws {
    func entry(_ language: String?) -> String {
      GateTests.catalog([GateTests.entry("feed", language.map { [$0: "x"] } ?? [:])])
    }
    let texts = ["Birds": entry("de"), "Kit": entry(nil)]
    for (name, text) in texts {
      try bench.repository.commit(package(name, ["feed"]).merging([catalog(name): text]) { $1 })
    }
    for (name, figures) in ["Birds": "PASS de 100 % (1/1)", "Kit": "FAIL de 0 % (0/1)"] {
      let file = bench.folder.file("\(name).yaml")
      try bench.folder.write(
        """
        pipeline: \(name)
        repository: { url: "\(bench.repository.path)" }
        languages: [de]
        require: 100
        extract: { paths: ["Packages/\(name)"] }
        vendors: [{ vendor: pseudo }]
        """, to: "\(name).yaml")
      let end = try dragoman(["status", "--pipeline", file, "--revision", "main"], in: bench.repository.path)
      #expect(end.output.hasPrefix(figures), "\(end)")
      #expect(end.status == (figures.hasPrefix("PASS") ? 0 : 1), "\(end)")
      let other = name == "Kit" ? "Birds" : "Kit"
      #expect(!end.output.contains("Packages/\(other)"), "\(end)")
    }
  }

  @Test("a catalog that is a Git LFS pointer is reported with the next step")
  func largeFiles() async throws {
    try bench.repository.commit(
      package("Kit", ["close"]).merging([
        catalog("Kit"):
          "version https://git-lfs.github.com/spec/v1\noid sha256:\(String(repeating: "a", count: 64))\nsize 2000000\n"
      ]) { $1 })
    try bench.publish()
    let report = try await bench.run(definition("Kit"))
    let words = report.pipelines.flatMap(\.diagnostics).map(\.description).joined(separator: "\n")
    #expect(words.contains("\(catalog("Kit")): error: this file is a Git LFS pointer"), "\(words)")
    #expect(words.contains("git lfs migrate export --include=\(catalog("Kit"))"), "\(words)")
    #expect(try await bench.rounds("kit").isEmpty)
  }
}
