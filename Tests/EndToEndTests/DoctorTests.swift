import Daemon
import Foundation
import Pipeline
import TestSupport
import Testing

/// `dragoman doctor` on working and on broken installations.
@Suite(.timeLimit(.minutes(10))) struct DoctorTests {
  private let folder: TemporaryFolder
  private let repository: TemporaryRepository
  private let origin: String

  init() throws {
    repository = try TemporaryRepository()
    folder = repository.folder
    try repository.commit(["A.swift": "let a = 1\n"])
    origin = try repository.bareCopy()
  }

  private func write(_ name: String, _ more: String = "", url: String? = nil, vendor: String? = nil) throws {
    let vendor = vendor ?? "{ vendor: folder, path: \"\(folder.file("drop-\(name)"))\" }"
    try folder.write(
      """
      pipeline: \(name)
      repository: { url: "\(url ?? origin)"\(more) }
      languages: [de]
      vendors:
        - \(vendor)
      """, to: "pipelines/\(name).yaml")
  }

  private func lines(_ more: [String] = []) throws -> (status: Int32, lines: [String]) {
    let end = try dragoman(["doctor"] + more, in: folder.path)
    #expect(end.errors == "")
    return (end.status, end.output.split(separator: "\n").map(String.init))
  }

  private func files() -> [String] {
    (FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []).sorted()
  }

  @Test("doctor reports no problem and changes no file in a working installation, before and after the first run")
  func healthy() throws {
    try write("birds")
    try FileManager.default.createDirectory(atPath: folder.file("drop-birds"), withIntermediateDirectories: false)
    let before = files()
    let first = try lines()
    #expect(first.status == 0 && first.lines.last == "0 problems, 0 warnings.", "\(first.lines)")
    #expect(first.lines.contains("ok      store: .dragoman does not exist yet; the first run creates it"))
    #expect(first.lines.contains("ok      birds: repository: can be read; watched: main"))
    #expect(files() == before)
    #expect(try dragoman(["run", "pipelines/birds.yaml", "--once"], in: folder.path).status == 0)
    let second = try lines()
    #expect(second.status == 0, "\(second.lines)")
    #expect(second.lines.contains { $0.hasPrefix("ok      ledger: no fault in .dragoman/ledger.sqlite") })
  }

  @Test("doctor checks one pipeline file with any name, and ignores other files in its folder")
  func oneFile() throws {
    try write("birds")
    try folder.write("pipeline: broken\n", to: "pipelines/broken.yaml")
    try folder.write(
      try #require(String(validating: folder.read("pipelines/birds.yaml"), as: UTF8.self)), to: "one.txt")
    for path in ["pipelines/birds.yaml", "one.txt"] {
      let (status, lines) = try lines(["--pipelines", path])
      #expect(status == 0 && lines.contains("ok      \(path): pipeline birds"), "\(lines)")
    }
    let missing = try lines(["--pipelines", "none.yaml"])
    #expect(missing.status == 1 && missing.lines.contains("PROBLEM pipeline files: none.yaml does not exist"))
  }

  @Test("a missing drop folder is a problem only if bundles were sent to the folder")
  func dropFolder() throws {
    try write("birds")
    try repository.commit([
      "Package.swift":
        "// swift-tools-version:6.0\nimport PackageDescription\nlet package = Package(name: \"A\", defaultLocalization: \"en\", targets: [.target(name: \"A\")])\n",
      "Sources/A/A.swift": "import Foundation\nlet a = String(localized: \"Hello\", bundle: .module)\n",
      "Sources/A/Resources/Localizable.xcstrings":
        "{\"sourceLanguage\":\"en\",\"strings\":{\"Hello\":{}},\"version\":\"1.0\"}",
    ])
    try repository.git("push", "-q", origin, "HEAD")
    let drop = folder.file("drop-birds")
    let vendor = "birds: vendor folder:\(drop): \(drop)"
    let before = files()
    let first = try lines()
    #expect(first.lines.contains("ok      \(vendor) does not exist yet; the first run creates it."), "\(first.lines)")
    #expect(first.status == 0 && files() == before)
    #expect(try dragoman(["run", "pipelines/birds.yaml", "--once"], in: folder.path).status == 0)
    #expect(folder.names(in: "drop-birds/to-translate").count == 1)
    #expect(try lines().status == 0)
    try FileManager.default.removeItem(atPath: drop)
    let gone = try lines()
    #expect(gone.status == 1)
    #expect(
      gone.lines.contains {
        $0.hasPrefix("PROBLEM \(vendor) does not exist, although bundles in it are outstanding")
      },
      "\(gone.lines)")
  }

  @Test("a drop folder that belongs to another pipeline or installation is a problem")
  func claimedDropFolder() throws {
    try write("birds")
    try repository.commit([
      "App/Localizable.xcstrings": "{\"sourceLanguage\":\"en\",\"strings\":{\"Hello\":{}},\"version\":\"1.0\"}"
    ])
    try repository.git("push", "-q", origin, "HEAD")
    #expect(try dragoman(["run", "pipelines/birds.yaml", "--once"], in: folder.path).status == 0)
    #expect(try lines().status == 0)
    let drop = folder.file("drop-birds")
    let other = try lines(["--store", "sqlite:other"])
    #expect(other.status == 1)
    #expect(
      other.lines.contains {
        $0.hasPrefix("PROBLEM birds: vendor folder:\(drop): ") && $0.contains("another installation of dragoman")
          && $0.contains("give each installation its own folder")
      }, "\(other.lines)")
    try write("bees", vendor: "{ vendor: folder, path: \"\(drop)\" }")
    let bees = try lines(["--pipelines", "pipelines/bees.yaml"])
    #expect(bees.status == 1)
    #expect(
      bees.lines.contains {
        $0.hasPrefix("PROBLEM bees: vendor folder:\(drop): ") && $0.contains("the pipeline birds uses this folder")
          && $0.contains("give each pipeline its own folder")
      }, "\(bees.lines)")
  }

  @Test("a drop folder that is a broken symbolic link is a problem")
  func linkedDropFolder() throws {
    try write("linked", vendor: "{ vendor: folder, path: \"\(folder.file("link"))\" }")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: folder.file("nowhere"))
    let (status, lines) = try lines()
    #expect(status == 1)
    #expect(lines.contains { $0.hasPrefix("PROBLEM linked: ") && $0.contains("is a symbolic link to a folder that") })
  }

  @Test("each problem is reported with its location and the next step, even if there are others")
  func problems() throws {
    try folder.write("token", to: "token")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.file("token"))
    try write("branches", ", branches: [\"release/*\"]")
    try write("gone", url: folder.file("nowhere.git"))
    try write("secret", ", branches: [dev], webhook: env:NOT_SET")
    try write("open", ", webhook: \"file:\(folder.file("token"))\"")
    try folder.write("pipeline: broken\nrepositry: {}\n", to: "pipelines/broken.yaml")
    let hook = folder.file("bare.git/hooks/pre-receive")
    try folder.write("#!/bin/sh\nexit 1\n", to: "bare.git/hooks/pre-receive")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: hook)
    let (status, lines) = try lines()
    #expect(status == 1)
    func expect(_ start: String, _ words: String, sourceLocation: SourceLocation = #_sourceLocation) {
      #expect(
        lines.contains { $0.hasPrefix(start) && $0.contains(words) }, "\(lines.joined(separator: "\n"))",
        sourceLocation: sourceLocation)
    }
    expect("PROBLEM pipelines/broken.yaml:2:1: ", "repositry")
    expect("PROBLEM branches: repository: ", "no branch of the repository matches release/*")
    expect("        Correct repository.branches; ", "the repository has main.")
    expect("PROBLEM gone: repository: ", "nowhere.git")
    expect("PROBLEM secret: secrets: ", "NOT_SET is not set")
    expect("WARNING open: secrets: ", "other accounts can read or change \(folder.file("token"))")
    expect("PROBLEM open: push: ", "pre-receive may refuse a push")
    expect("ok      open: repository: ", "watched: main")
    let faults = lines.count { $0.hasPrefix("PROBLEM") }
    #expect(lines.last == "\(faults) problems, 1 warning.")
    let json = try dragoman(["doctor", "--format", "json"], in: folder.path)
    struct Report: Decodable {
      struct Finding: Decodable { var level: String }
      var findings: [Finding]
    }
    let report = try JSONDecoder().decode(Report.self, from: Data(json.output.utf8))
    #expect(json.status == 1 && report.findings.count { $0.level == "problem" } == faults)
  }

  @Test("doctor checks translation memories, the glossary and screenshots")
  func resources() throws {
    let tmx = "<tmx version=\"1.4\"><header srclang=\"en\"/><body/></tmx>"
    try folder.write(tmx, to: "good.tmx")
    try folder.write(tmx, to: "other.tmx")
    try folder.write("not TMX", to: "bad.tmx")
    try folder.write("term,de\nFeed,Füttern\n", to: "terms.csv")
    try repository.commit(["Shots/one.txt": "no picture"])
    func write(_ memory: String, _ glossary: String, _ screenshots: String) throws {
      try folder.write(
        """
        pipeline: birds
        repository: { url: "\(repository.path)" }
        languages: [de]
        memory: { files: ["\(folder.path)/good.tmx", "\(folder.path)/\(memory).tmx"] }
        glossary: { file: "\(folder.path)/\(glossary)" }
        screenshots: { repository: \(screenshots), folder: "\(folder.path)/shots" }
        vendors: [{ vendor: pseudo }]
        """, to: "pipelines/birds.yaml")
    }
    try FileManager.default.createDirectory(atPath: folder.file("shots"), withIntermediateDirectories: false)
    try write("other", "terms.csv", "Shots")
    let good = try lines().lines
    #expect(good.contains("ok      birds: translation memory: \(folder.path)/good.tmx can be read"), "\(good)")
    #expect(good.contains("ok      birds: glossary: \(folder.path)/terms.csv can be read"))
    #expect(good.contains("ok      birds: screenshots: 0 screenshots"))
    _ = try dragoman(["run", "pipelines/birds.yaml", "--once"], in: folder.path)
    #expect(try lines().lines.contains("ok      birds: screenshots of main: 0 screenshots"))
    try FileManager.default.removeItem(atPath: folder.file("shots"))
    try write("bad", "none.csv", "Pictures")
    let bad = try lines()
    #expect(bad.status == 1)
    for start in [
      "PROBLEM birds: translation memory: ", "PROBLEM birds: glossary: ", "WARNING birds: screenshots: ",
      "WARNING birds: screenshots of main: ",
    ] { #expect(bad.lines.contains { $0.hasPrefix(start) }, "\(start)\n\(bad.lines.joined(separator: "\n"))") }
  }

  @Test("a branch that matches a pattern and is excluded only by deliver.branch causes a warning")
  func excludedBranch() throws {
    try TemporaryRepository.git(["branch", "release/1", "main"], in: origin)
    try write("birds", ", branches: [\"**\"]")
    let text = try #require(String(validating: folder.read("pipelines/birds.yaml"), as: UTF8.self))
    try folder.write(text + "\ndeliver: { branch: \"release/{branch}\" }\n", to: "pipelines/birds.yaml")
    let end = "not watched, because deliver.branch (release/{branch}) includes them: release/1"
    let found = try lines().lines
    #expect(found.contains { $0.hasPrefix("WARNING birds: repository: \(end)") }, "\(found)")
  }

  @Test("a secret that this account can read through its group, as in containers, is not a problem")
  func groupSecret() throws {
    try folder.write("token", to: "token")
    try write("birds", ", webhook: \"file:\(folder.file("token"))\"")
    func warnings(_ mode: Int) throws -> Int {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.file("token"))
      return try lines().lines.count { $0.hasPrefix("WARNING birds: secrets: ") }
    }
    #expect(try warnings(0o640) == 1)
    guard geteuid() == 0 else { return print("skipped: only root can give a file to another account") }
    #expect(chown(folder.file("token"), 12345, getegid()) == 0)
    #expect(try warnings(0o440) == 0)
    #expect(try warnings(0o640) == 0)
    #expect(try warnings(0o660) == 1)
    #expect(try warnings(0o644) == 1)
  }

  @Test("a damaged ledger, a wrong setting and a folder without pipeline files are problems")
  func machine() throws {
    try folder.write("no ledger, but long enough to be taken for one", to: ".dragoman/ledger.sqlite")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.file(".dragoman"))
    let end = try ProgramEnd.of(
      dragomanPath(), ["doctor"], in: folder.path, environment: ["PATH": "/usr/bin", "DRAGOMAN_WORKERS": "many"])
    #expect(end.status == 1)
    #expect(end.output.contains("PROBLEM settings: DRAGOMAN_WORKERS: 'many'"))
    #expect(end.output.contains("PROBLEM ledger: .dragoman/ledger.sqlite is damaged"))
    #expect(end.output.contains("WARNING store: other accounts can access .dragoman"))
    #expect(end.output.contains("PROBLEM pipeline files: pipelines does not exist"))
  }

  @Test(
    "doctor checks whether the server would accept a push",
    .enabled(if: GitHTTPServer.reasonToSkip == nil))
  func push() throws {
    let server = try GitHTTPServer()
    let served = try server.serve(repository, as: "birds")
    try folder.write("\(GitHTTPServer.user):\(GitHTTPServer.password)", to: "secret")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.file("secret"))
    try write("birds", ", credentials: \"file:\(folder.file("secret"))\"", url: "\(server.url)/git/birds.git")
    let before = try TemporaryRepository.git(["for-each-ref"], in: served)
    let allowed = try lines().lines
    #expect(
      allowed.contains("ok      birds: push: the server accepts this account; branch rules are only checked at a push"),
      "\(allowed)")
    #expect(try TemporaryRepository.git(["for-each-ref"], in: served) == before)
    #expect(allowed.contains { $0.hasPrefix("ok      clock: agrees with the clock of 127.0.0.1:") })
    try TemporaryRepository.git(["config", "http.receivepack", "false"], in: served)
    let (status, refused) = try lines()
    #expect(status == 1)
    #expect(refused.contains { $0.hasPrefix("PROBLEM birds: push: ") && $0.contains("403") }, "\(refused)")
    #expect(refused.contains("ok      birds: repository: can be read; watched: main"))
    try folder.write("bot:wrong", to: "secret")
    #expect(try lines().lines.contains { $0.hasPrefix("PROBLEM birds: repository: ") })
  }

  @Test("a wrong clock is reported as a problem", .enabled(if: GitHTTPServer.reasonToSkip == nil))
  func clock() async throws {
    let server = try GitHTTPServer()
    _ = try server.serve(repository, as: "birds")
    try write("birds", url: "\(server.url)/open/birds.git")
    for (offset, word) in [(3600.0, "ahead of"), (-3600, "behind")] {
      let doctor = Doctor(
        pipelines: folder.file("pipelines"), store: StoreLocation(folder: folder.file("store")), environment: [:],
        time: TimeSource(now: { Date(timeIntervalSinceNow: offset) }, sleep: { try await Task.sleep(for: $0) }))
      let finding = try #require(try await doctor.findings().first { $0.subject == "clock" })
      #expect(finding.level == .problem && finding.text.contains(" \(word) 127.0.0.1:"), "\(finding)")
    }
  }
}
