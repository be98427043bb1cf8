import Daemon
import Foundation
import LedgerStore
import Localization
import Pipeline
import SQLiteStore
import TestSupport
import Testing

/// Faults as an operator sees them: exit codes, messages, and the output of `rounds`.
@Suite(.timeLimit(.minutes(10))) struct OperatingTests {
  private let folder: TemporaryFolder
  private let repository: TemporaryRepository
  private var origin: String { folder.path + "/origin.git" }

  init() throws {
    folder = try TemporaryFolder()
    repository = try TemporaryRepository()
    let project = ScenarioTests.folder + "/.projects/birds"
    var files: [String: String] = [:]
    for case let name as String in try #require(FileManager.default.enumerator(atPath: project))
    where name.contains(".") {
      files[name] = try? String(contentsOfFile: "\(project)/\(name)", encoding: .utf8)
    }
    try repository.commit(files)
    try TemporaryRepository.git(
      ["clone", "-q", "--bare", repository.path, folder.path + "/origin.git"], in: folder.path)
    try write("birds")
  }

  private func write(_ name: String, languages: String = "languages: [de]", url: String? = nil, to file: String? = nil)
    throws
  {
    let text = """
      pipeline: \(name)
      repository: { url: \(url ?? origin) }
      \(languages)
      vendors:
        - { vendor: folder, path: \(folder.file("drop")), settle: 0s }
      """
    try FileManager.default.createDirectory(atPath: folder.file("pipelines"), withIntermediateDirectories: true)
    try folder.write(text, to: "pipelines/\(file ?? name + ".yaml")")
  }

  private func run(_ files: String...) throws -> ProgramEnd {
    let files = files.isEmpty ? ["pipelines/birds.yaml"] : files
    return try dragoman(["run", "--once"] + files, in: folder.path)
  }

  private func rounds() throws -> String { try dragoman(["rounds"], in: folder.path).output }

  private func commit(_ files: [String: String]) throws {
    try repository.commit(files)
    try repository.git("push", "-q", "--force", origin, "HEAD:main")
  }

  @Test("a bundle that cannot be read is reported with its folder, and the run exits with 65")
  func unreadableBundle() throws {
    #expect(try run().status == 0)
    try folder.write("garbage", to: "drop/translated/x.zip")
    let end = try run()
    #expect(end.status == 65)
    #expect(end.errors.contains("\(folder.file("drop"))/translated/x.zip: error: "), "\(end.errors)")
    // The bundle was moved away, so the next run does not report it.
    #expect(try run().status == 0)
  }

  @Test("every run with an unreadable catalog exits with 65, and rounds shows the catalog until it is repaired")
  func brokenCatalog() throws {
    let catalog = "Sources/Birds/Resources/Localizable.xcstrings"
    let good = try repository.git("show", "HEAD:\(catalog)")
    try commit([catalog: "<<<<<<< ours\n{}\n"])
    for _ in 1...2 {
      let end = try run()
      #expect(end.status == 65)
      #expect(end.errors.components(separatedBy: "error: conflict markers").count == 2, "\(end.errors)")
    }
    #expect(try rounds().contains("birds extract main: error: \(catalog):1:1: conflict markers"))
    try commit([catalog: good + "\n"])
    #expect(try run().status == 0)
    #expect(try !rounds().contains("conflict markers"))
  }

  @Test("a project without a target language is reported by every run and by rounds, with the next step")
  func noLanguage() throws {
    try commit([
      "Sources/Birds/Resources/Localizable.xcstrings": "{\"sourceLanguage\":\"en\",\"strings\":{},\"version\":\"1.0\"}"
    ])
    try write("birds", languages: "")
    for _ in 1...2 {
      let end = try run()
      #expect(end.status == 0 && end.errors.contains("birds: warning: the project has no target language"), "\(end)")
    }
    let list = try rounds()
    #expect(
      list.contains("No rounds yet.") && list.contains("birds diff: warning: the project has no target"), "\(list)")
  }

  @Test(
    "an unreachable repository is reported once by a run and shown by rounds until it is reachable again")
  func missingRepository() throws {
    #expect(try run().status == 0)
    try FileManager.default.moveItem(atPath: origin, toPath: folder.file("gone.git"))
    let end = try run()
    #expect(end.status == 66)
    #expect(end.errors.components(separatedBy: "no such file or folder").count == 2, "\(end.errors)")
    #expect(try rounds().contains("birds watch: error: cannot open \(origin): no such file or folder ("))
    let json = try dragoman(["rounds", "list", "--format", "json"], in: folder.path).output
    #expect(json.contains("\"stage\" : \"watch\""))
    try FileManager.default.moveItem(atPath: folder.file("gone.git"), toPath: origin)
    #expect(try run().status == 0)
    #expect(try !rounds().contains("watch: error"))
  }

  @Test("rounds show prints a round as text and as JSON, with the commits that added its strings")
  func show() throws {
    #expect(try run().status == 0)
    try commit([
      "Sources/Birds/New.swift": "import Foundation\nlet new = String(localized: \"A new bird\", bundle: .module)\n"
    ])
    #expect(try run().status == 0)
    let text = try dragoman(["rounds", "show", "birds#2"], in: folder.path)
    #expect(text.status == 0 && text.output.contains("birds#2"), "\(text.output)\(text.errors)")
    let json = try dragoman(["rounds", "show", "birds#2", "--format", "json"], in: folder.path)
    let details = try #require(JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect((details["round"] as? [String: Any])?["number"] as? Int == 2)
    let commits = try #require(details["commits"] as? [[String: Any]])
    #expect(commits.first?["strings"] as? Int == 1, "\(json.output)")
    #expect((details["held"] as? [Any])?.isEmpty == true)
  }

  @Test("an unknown pipeline, a password in an address and an invalid token name are refused")
  func wrongNames() throws {
    #expect(try run().status == 0)
    for command in ["held", "audit"] {
      let end = try dragoman([command, "--pipeline", "birdz"], in: folder.path)
      #expect(end.status == 66 && end.errors.contains("birds"), "\(end)")
      #expect(try dragoman([command, "--pipeline", "birds"], in: folder.path).status == 0)
    }
    let store = try dragoman(["rounds", "--store", "postgresql://ann:hunter2@db/birds"], in: folder.path)
    #expect(store.status == 64 && store.errors.contains("reference") && !store.errors.contains("hunter2"), "\(store)")
    let token = try dragoman(["tokens", "add", "x y", "--role", "viewer"], in: folder.path)
    #expect(token.status == 64 && token.errors.contains("without spaces"), "\(token)")
  }

  @Test("another repository at the same URL needs a person's decision, and the run exits with 77")
  func otherRepository() throws {
    #expect(try run().status == 0)
    try FileManager.default.removeItem(atPath: origin)
    let other = try TemporaryRepository()
    try other.commit(["README.md": "something else"])
    try TemporaryRepository.git(["clone", "-q", "--bare", other.path, origin], in: folder.path)
    let end = try run()
    #expect(end.status == 77 && end.errors.contains("this looks like another repository"), "\(end)")
  }

  @Test(
    "if two files have the same pipeline name, the file that was read earlier is used, whatever the file names")
  func copiedFile() throws {
    #expect(try run().status == 0)
    try write("birds", url: folder.file("elsewhere.git"), to: "a-copy.yaml")
    let end = try run("pipelines/a-copy.yaml", "pipelines/birds.yaml")
    #expect(
      end.errors.contains("pipelines/a-copy.yaml:1:11: error: pipeline: \"birds\" is also the name"), "\(end.errors)")
    #expect(!end.errors.contains("elsewhere.git") && end.output.contains("birds#1"), "\(end)")
  }

  @Test("the message for a folder in place of a file, or a file in place of a folder, names the right command")
  func folderOrFile() throws {
    let folderForFile = try run("pipelines")
    #expect(folderForFile.status == 64 && folderForFile.errors.contains("dragoman serve --pipelines pipelines"))
    let fileForFolder = try dragoman(["serve", "--pipelines", "pipelines/birds.yaml"], in: folder.path)
    #expect(fileForFolder.status == 66 && fileForFolder.errors.contains("dragoman run pipelines/birds.yaml"))
    let nothing = try dragoman(["serve", "--pipelines", "nowhere"], in: folder.path)
    #expect(nothing.status == 66 && nothing.errors.contains("no folder nowhere"))
  }

  @Test("a round is found by its number, unless another round has that number as its id")
  func roundNames() async throws {
    try FileManager.default.createDirectory(atPath: folder.file("store"), withIntermediateDirectories: true)
    let desk = RoundAdministration(store: StoreLocation(folder: folder.file("store")))
    do {
      let store = try SQLiteStore(folder: folder.file("store"))
      // The ids 1 to 3 are birds#1, finches#1 and birds#2.
      for (pipeline, key) in [("birds", "a"), ("finches", "a"), ("birds", "b")] {
        try await store.record([.plan(StoreConformance.round([UnitKey(key)]))], of: pipeline)
      }
    }
    #expect(try await desk.find("birds#2").rawValue == 3)
    #expect(try await desk.find("birds #2").rawValue == 3)
    #expect(try await desk.find("3").rawValue == 3)
    // The list shows birds#2, but the round with the id 2 is finches#1.
    await #expect(throws: PipelineError.self) { try await desk.find("2") }
    let error = await #expect(throws: PipelineError.self) { try await desk.find("birds") }
    #expect(error?.description.contains("such as birds#2") == true)
  }

  @Test("units that were returned but cannot be delivered have a separate column next to the books")
  func heldColumn() throws {
    #expect(try run().status == 0)
    let translator = Translator(drop: folder.file("drop"))
    let bundle = try #require(try translator.names(in: "to-translate").first)
    #expect(!bundle.isEmpty)
    try folder.write(
      """
      <xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2"><file \
      original="Sources/Birds/Resources/Localizable.xcstrings" source-language="en" target-language="de" \
      datatype="plaintext"><body><trans-unit id="%lld birds today"><source>%lld birds today</source>\
      <target state="translated">Viele</target></trans-unit></body></file></xliff>
      """, to: "drop/translated/de.xliff")
    #expect(try run().status == 0)
    let line = try #require(try rounds().split(separator: "\n").first { $0.hasPrefix("birds#1") })
    #expect(line.split(separator: " ").suffix(6) == ["2", "1", "1", "0", "0", "1"], "\(line)")
  }
}
