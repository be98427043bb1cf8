import Foundation
import Localization
import TestSupport
import Testing

/// The upgrade of a ledger with the schema 0002, which version 2a4bd7d wrote in the middle of two rounds.
///
/// `Upgrade/` has the files that the program left, with `{folder}` in place of its folder: the ledger as SQL, the repository, and the bundles in
/// the drop folder. In the first round, Ukrainian was returned and delivered. Then a source text changed, which superseded one German unit and
/// started a second round.
struct UpgradeTests {
  private let folder: TemporaryFolder
  private var origin: String { folder.file("origin.git") }

  init() throws {
    folder = try TemporaryFolder()
    let fixture = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Upgrade").path
    try TemporaryRepository.git(["init", "-q", "--bare", "-b", "main", origin], in: folder.path)
    try run(
      "/bin/sh", ["-c", #"git -C "$1" fast-import --quiet < "$2""#, "sh", origin, fixture + "/repository.fast-export"],
      in: folder.path)
    let sql = try String(contentsOfFile: fixture + "/ledger.sql", encoding: .utf8)
    try folder.write(sql.replacingOccurrences(of: "{folder}", with: folder.path), to: "ledger.sql")
    try FileManager.default.createDirectory(atPath: folder.file("store"), withIntermediateDirectories: true)
    let script = """
      import sqlite3
      ledger = sqlite3.connect('store/ledger.sqlite')
      ledger.execute('PRAGMA journal_mode = wal')
      ledger.executescript(open('ledger.sql').read())
      """
    try run("python3", ["-c", script], in: folder.path)
    try FileManager.default.createDirectory(atPath: folder.file("drop"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: fixture + "/to-translate", toPath: folder.file("drop/to-translate"))
    try folder.write(
      """
      pipeline: kit
      repository: { url: "\(origin)", branches: [main] }
      catalogs: commit
      languages: [de, uk]
      vendors:
        - { vendor: folder, path: "\(folder.path)/drop", settle: 0s }
      """, to: "kit.yaml")
  }

  private func once() throws {
    let end = try dragoman(["run", "kit.yaml", "--once", "--store", "sqlite:store"], in: folder.path)
    #expect(end.status == 0, "\(end.errors)")
  }

  private func books() throws -> [String] {
    struct Output: Decodable {
      struct Round: Decodable {
        struct Book: Decodable {
          var language: String
          var sent, returned, outstanding, withdrawn, superseded: Int
        }
        var books: [Book]
      }
      var rounds: [Round]
    }
    let end = try dragoman(["rounds", "--format", "json", "--store", "sqlite:store"], in: folder.path)
    let rounds = try JSONDecoder().decode(Output.self, from: Data(end.output.utf8)).rounds
    return rounds.flatMap(\.books).map {
      "\($0.language) \($0.sent) = \($0.returned) + \($0.outstanding) + \($0.withdrawn) + \($0.superseded)"
    }.sorted()
  }

  @Test("an old ledger can be backed up, checked and restored before it is migrated")
  func backup() throws {
    let store = ["--store", "sqlite:store"]
    let checked = try dragoman(["store", "check"] + store, in: folder.path)
    #expect(checked.status == 0, "\(checked)")
    let backup = try dragoman(["store", "backup", "before.sqlite"] + store, in: folder.path)
    #expect(backup.status == 0 && backup.output.contains("2 rounds"), "\(backup)")
    try once()
    let restored = try dragoman(["store", "restore", "before.sqlite"] + store, in: folder.path)
    #expect(restored.status == 0, "\(restored)")
    try once()
    #expect(try dragoman(["store", "check"] + store, in: folder.path).status == 0)
  }

  @Test("an old ledger is migrated and its rounds are completed without sending any unit again")
  func finished() throws {
    let drop = Translator(drop: folder.file("drop"))
    let sent = try drop.names(in: "to-translate")
    #expect(sent.count == 4)
    try once()
    #expect(try drop.names(in: "to-translate") == sent)
    #expect(
      try books() == ["de 1 = 0 + 1 + 0 + 0", "de 4 = 0 + 3 + 0 + 1", "uk 1 = 0 + 1 + 0 + 0", "uk 4 = 4 + 0 + 0 + 0"])
    #expect(try drop.translate("de") == 5)
    #expect(try drop.translate("uk", bundles: "kit-2-") == 1)
    try once()
    #expect(
      try books() == ["de 1 = 1 + 0 + 0 + 0", "de 4 = 3 + 0 + 0 + 1", "uk 1 = 1 + 0 + 0 + 0", "uk 4 = 4 + 0 + 0 + 0"])
    let catalog = try TemporaryRepository.git(
      ["show", "l10n/main:Sources/Kit/Resources/Localizable.xcstrings"], in: origin)
    for text in ["de: Hello", "de: Good bye", "de: %lld birds", "de: Birds of today", "«Hello»", "uk: Birds of today"] {
      #expect(catalog.contains("\"\(text)\""), "\(text) is missing in \(catalog)")
    }
    #expect(!catalog.contains("Birds of the day"))
    let end = try dragoman(["store", "check", "--store", "sqlite:store"], in: folder.path)
    #expect(end.status == 0 && end.output.hasPrefix("No fault found: 1 pipeline, 2 rounds, 0 outstanding"), "\(end)")
  }
}
