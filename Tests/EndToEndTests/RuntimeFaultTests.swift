import Daemon
import Foundation
import LedgerStore
import Localization
import Logging
import Pipeline
import SQLiteStore
import Synchronization
import TestSupport
import Testing

/// Repositories and catalogs that cannot be read.
extension RuntimeTests {
  @Test("an empty, missing or branchless repository is reported, and the other pipelines continue")
  func nothingToWatch() async throws {
    let empty = folder.path + "/empty.git"
    try TemporaryRepository.git(["init", "-q", "--bare", "-b", "main", empty], in: folder.path)
    let origin = try birds()
    let report = try await runtime([
      definition("empty", origin: empty), definition("absent", origin: folder.path + "/absent.git"),
      definition("branchless", origin: origin, branches: ["release/*"]), definition("good", origin: origin),
    ]).runOnce()
    let failures = Dictionary(
      report.failures.map { ($0.pipeline, "\($0.error)") }, uniquingKeysWith: { first, _ in first })
    #expect(failures.keys.sorted() == ["absent", "branchless", "empty"])
    #expect(failures["empty"]?.contains("no branches yet") == true)
    #expect(failures["branchless"]?.contains("no branch matches release/*; it has main") == true)
    #expect(failures["absent"]?.contains("absent.git") == true)
    #expect(report.pipelines.last?.outstanding == 2)
  }

  @Test("a broken manifest, a damaged catalog and a file that is not UTF-8 are reported; the readable strings are sent")
  func brokenFiles() async throws {
    let origin = try birds(adding: [
      "Broken/Package.swift": "let package = Package(name: \"Broken\", targets: [",
      "Other/Localizable.xcstrings": "{ \"sourceLanguage\" : \"en\", \"strings\" : { \"a\" : {}, \"a\" : {",
      "Other/A.swift": "let a = 1",
    ])
    let report = try await runtime([definition("birds", origin: origin)]).runOnce()
    #expect(report.failures.isEmpty)
    let pipeline = try #require(report.pipelines.first)
    #expect(pipeline.outstanding >= 2)
    #expect(pipeline.diagnostics.contains { $0.path == "Broken/Package.swift" })
    #expect(pipeline.diagnostics.contains { $0.path == "Other/Localizable.xcstrings" && $0.line != nil })
  }

  @Test("a catalog that is a symbolic link is not followed")
  func symbolicLink() async throws {
    let repository = try TemporaryRepository()
    try repository.commit(["App/A.swift": "import SwiftUI\nlet a = Text(\"Hello\")\n"])
    try FileManager.default.createSymbolicLink(
      atPath: repository.path + "/App/Localizable.xcstrings", withDestinationPath: "/etc/passwd")
    try repository.commit()
    let origin = folder.path + "/link.git"
    try TemporaryRepository.git(["clone", "-q", "--bare", repository.path, origin], in: folder.path)
    let report = try await runtime([definition("link", origin: origin)]).runOnce()
    #expect(report.failures.isEmpty)
    #expect(report.pipelines.first?.outstanding == 0)
    let vendor = Translator(drop: folder.path + "/drop-link")
    #expect(try vendor.names(in: "to-translate").isEmpty)
  }

  @Test("an object missing from the origin is reported, and the pipeline continues once it is restored")
  func missingObject() async throws {
    let origin = try birds()
    let definition = definition("birds", origin: origin)
    let blob = try TemporaryRepository.git(
      ["rev-parse", "main:Sources/Birds/Resources/Localizable.xcstrings"], in: origin)
    let path = "\(origin)/objects/\(blob.prefix(2))/\(blob.dropFirst(2))"
    try FileManager.default.moveItem(atPath: path, toPath: folder.path + "/object")
    let broken = try await runtime([definition]).runOnce()
    let words = broken.failures.map { "\($0.error)" } + broken.pipelines.flatMap(\.diagnostics).map(\.message)
    #expect(!words.isEmpty)
    #expect(broken.pipelines.first?.outstanding == 0)
    try FileManager.default.moveItem(atPath: folder.path + "/object", toPath: path)
    try FileManager.default.removeItem(atPath: folder.path + "/store/mirrors")
    let mended = try await runtime([definition]).runOnce()
    #expect(mended.failures.isEmpty)
    #expect(mended.pipelines.first?.outstanding == 2)
  }

  @Test("objects that are missing only from the mirror are fetched again in the same run")
  func damagedMirror() async throws {
    let bench = try PipelineBench()
    try bench.repository.commit([
      "App/A.swift": "import SwiftUI\nlet a = Text(\"Hello\")\n",
      "App/Localizable.xcstrings": PipelineBench.catalog([:]),
    ])
    try bench.publish()
    try await bench.run(bench.definition())
    let store = bench.folder.file("store")
    let objects = try FileManager.default.subpathsOfDirectory(atPath: store).filter {
      // The name of a loose object has 38 digits, in a folder whose name has 2 digits. The name of a pack has a dot.
      $0.contains("/objects/")
        && ($0.contains(".") && $0.contains("/pack/") || $0.split(separator: "/").last?.count == 38)
    }
    #expect(!objects.isEmpty)
    for number in 1...2 {
      try bench.repository.commit(["App/B.swift": "import SwiftUI\nlet b = Text(\"Bye \(number)\")\n"])
      try bench.push("main")
      if number == 1 { try await bench.run(bench.definition()) }
    }
    // Only the objects of the first commit are deleted, so the mirror's newest commit can still be read.
    for object in objects { try FileManager.default.removeItem(atPath: "\(store)/\(object)") }
    for name in try FileManager.default.contentsOfDirectory(atPath: store) where name.hasPrefix("cache") {
      try FileManager.default.removeItem(atPath: "\(store)/\(name)")
    }
    let report = try await bench.run(bench.definition())
    #expect(report.pipelines.flatMap(\.diagnostics).isEmpty)
    // The string of A.swift is found again, so no unit is withdrawn.
    let rounds = try await bench.rounds()
    #expect(report.pipelines.first?.outstanding == 2, "\(rounds)")
  }
}
