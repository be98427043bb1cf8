import Foundation
import Localization
import TestSupport
import Testing

/// Rounds in which the program is killed with SIGKILL at one of the stage boundaries that `--progress json` shows, and started again.
@Suite("A round whose process is killed")
struct KilledRoundTests {
  @Test(
    "after kill -9 at any stage boundary, the final commit is the same, no unit is sent twice, and the books are balanced"
  )
  func killedAnywhere() throws {
    let reference = try Play()
    let sending = try reference.run()
    try reference.translate()
    let returning = try reference.run()
    let expected = try reference.ending()
    #expect(sending.count >= 8 && returning.count >= 6)
    #expect(
      expected.books.contains { $0.hasSuffix("2 sent = 2 returned + 0 outstanding + 0 withdrawn + 0 superseded") })

    for boundary in 1...(sending.count + returning.count) {
      let play = try Play()
      try play.run(killingAt: boundary <= sending.count ? boundary : nil)
      try play.run()
      try play.translate()
      try play.run(killingAt: boundary > sending.count ? boundary - sending.count : nil)
      try play.removeLocksOfRemote()
      try play.run()
      let ending = try play.ending()
      #expect(ending == expected, "killed at boundary \(boundary)")
    }
  }
}

/// A scenario with a repository, a drop folder and a store. The scenario begins with the first run and ends with the final commit.
private struct Play {
  struct Ending: Equatable {
    /// The commits of the delivery branch, newest first, with their trees and messages.
    var commits: String
    /// Every bundle that was ever written into the drop folder, with its bytes.
    var bundles: [String: [UInt8]]
    var books: [String]
  }

  private let folder: TemporaryFolder
  private let repository: TemporaryRepository
  private let origin: String
  private var drop: String { folder.path + "/drop" }

  init() throws {
    folder = try TemporaryFolder()
    repository = try TemporaryRepository()
    try repository.commit(
      [
        "Package.swift": """
        // swift-tools-version: 6.0
        import PackageDescription
        let package = Package(name: "Kit", defaultLocalization: "en", targets: [.target(name: "Kit")])
        """,
        "Sources/Kit/Kit.swift": """
        import Foundation
        let greeting = String(localized: "Hello", bundle: .module, comment: "A greeting")
        let farewell = String(localized: "Good bye", bundle: .module)
        """,
        "Sources/Kit/Localizable.xcstrings":
          "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n\n  },\n  \"version\" : \"1.0\"\n}",
      ], message: "Begin")
    origin = try repository.bareCopy()
    try folder.write(
      """
      pipeline: kit
      repository: { url: "\(origin)", branches: [main] }
      catalogs: commit
      languages: [de, uk]
      vendors:
        - { vendor: folder, path: "\(folder.path)/drop", settle: 0s }
      """, to: "pipeline.yaml")
  }

  /// Runs the program until it exits or is killed.
  /// - Returns: the boundaries that the program reached.
  @discardableResult
  func run(killingAt boundary: Int? = nil) throws -> [String] {
    let process = try ChildProcess(
      dragomanPath(),
      ["run", "pipeline.yaml", "--once", "--store", "sqlite:state", "--progress", "json", "--format", "json"],
      in: folder.path, environment: ["SOURCE_DATE_EPOCH": "1700003600", "PATH": "/usr/bin:/bin"], output: .null,
      errors: .pipe)
    let errors = try #require(process.pipe)
    var lines: [String] = []
    var rest = Data()
    while true {
      let data = errors.availableData
      if data.isEmpty { break }
      rest += data
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        lines.append(String(decoding: rest[..<end], as: UTF8.self))
        rest = Data(rest[rest.index(after: end)...])
        if lines.count == boundary { kill(process.processIdentifier, SIGKILL) }
      }
    }
    let status = process.waitUntilExit()
    if boundary == nil {
      try #require(status == 0, "\(lines.joined(separator: "\n"))")
    }
    return lines
  }

  /// Removes git's locks in the remote. The remote is a local folder, and a process that is killed while it writes there leaves git's lock behind,
  /// as `git push` does. Only the owner of the remote can know that no process is writing and remove the lock.
  func removeLocksOfRemote() throws {
    for case let name as String in FileManager.default.enumerator(atPath: origin) ?? .init()
    where name.hasSuffix(".lock") {
      try FileManager.default.removeItem(atPath: "\(origin)/\(name)")
    }
  }

  func translate() throws {
    for language in ["de", "uk"] { try Translator(drop: drop).translate(LocaleIdentifier(language)) }
  }

  func ending() throws -> Ending {
    let translator = Translator(drop: drop)
    var bundles: [String: [UInt8]] = [:]
    for place in ["to-translate", "translated", "done", "held"] {
      for name in try translator.names(in: place) {
        bundles["\(place)/\(name)"] = try translator.bytes("\(place)/\(name)")
      }
    }
    let commits = try TemporaryRepository.git(["log", "--format=%H %T%n%B", "main..l10n/main"], in: origin)
    let json = try TestSupport.run(
      dragomanPath(), ["rounds", "list", "--format", "json", "--store", "sqlite:\(folder.path)/state"], in: folder.path)
    let decoded = try JSONDecoder().decode([String: [BookedRound]].self, from: Data(json.utf8))
    let books = (decoded["rounds"] ?? []).flatMap(\.books).map { book in
      "\(book.language): \(book.sent) sent = \(book.returned) returned + \(book.outstanding) outstanding"
        + " + \(book.withdrawn) withdrawn + \(book.superseded) superseded"
    }
    return Ending(commits: commits, bundles: bundles, books: books.sorted())
  }

  private struct BookedRound: Decodable {
    struct Book: Decodable {
      var language: String
      var sent, returned, outstanding, withdrawn, superseded: Int
    }
    var books: [Book]
  }
}
