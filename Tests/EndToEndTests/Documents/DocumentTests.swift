import Foundation
import TestSupport
import Testing

/// Runs of the commands on the pages of docs/ that people follow step by step, and checks of the messages and links on the pages.
@Suite("Documentation pages", .timeLimit(.minutes(10))) struct DocumentTests {
  private static let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  private static func session(_ page: String) throws -> DocumentedSession {
    DocumentedSession(page: "docs/\(page)", try text("docs/\(page)"))
  }

  @Test(
    "every command on the page prints the output that the page shows",
    arguments: ["first-package.md", "first-app.md", "add-a-language.md", "ci.md", "migration.md"])
  func follow(page: String) throws {
    let session = try Self.session(page)
    #expect(session.steps.count > 5)
    let differences = try session.run(in: TemporaryFolder("page"))
    #expect(differences.isEmpty, "\(differences.joined(separator: "\n\n"))")
  }

  @Test("on a page, … matches any lines or any text, and everything else must be equal")
  func patterns() {
    #expect(DocumentedSession.fits(["a", "…", "z"], ["a", "b", "c", "z"]) && DocumentedSession.fits(["…"], []))
    #expect(DocumentedSession.fits(["commit … → x: …"], ["commit 1a → x: y"]))
    #expect(!DocumentedSession.fits(["a"], ["a", "b"]) && !DocumentedSession.fits(["a", "b"], ["a"]))
    #expect(!DocumentedSession.fits(["x…y"], ["xz"]) && !DocumentedSession.fits([], ["a"]))
  }

  @Test("the program accepts the commands of the recipes in ci.md and deploy/ci")
  func recipes() throws {
    var texts = try Self.session("ci.md").others.filter { $0.language == "yaml" }.map(\.text)
    for file in ["deploy/ci/gitlab.yml", ".pre-commit-hooks.yaml"] { texts.append(try Self.text(file)) }
    let calls = texts.flatMap { $0.components(separatedBy: "\n") }.compactMap { line -> [String]? in
      guard let call = line.firstMatch(of: #/(?:- |run: |entry: )(dragoman [^|>#]*)/#)?.output.1 else { return nil }
      return call.split(separator: " ").dropFirst().map {
        String($0).replacing("\"$DRAGOMAN_REQUIRE\"", with: "100").replacing(
          "\"${DRAGOMAN_REQUIRE:-100}\"", with: "100"
        )
        .replacing("\"origin/$GITHUB_BASE_REF\"", with: "HEAD")
      }
    }
    #expect(calls.count > 8, "\(calls)")
    let repository = try TemporaryRepository()
    try repository.commit([
      "App/Localizable.xcstrings": "{ \"sourceLanguage\" : \"en\", \"strings\" : { }, \"version\" : \"1.0\" }",
      "App/App.swift": "import Foundation\n",
    ])
    for call in calls {
      let end = try dragoman(
        call + (call.contains("reprint") ? ["App/Localizable.xcstrings"] : []), in: repository.path)
      #expect([0, 1].contains(end.status), "dragoman \(call.joined(separator: " ")): \(end.errors)")
    }
  }

  /// Returns the text of all sources of the program, in which each literal is on one line.
  private static func sources() throws -> String {
    var all = ""
    let folder = root.appending(path: "Sources").path
    for case let name as String in try #require(FileManager.default.enumerator(atPath: folder))
    where name.hasSuffix(".swift") && !name.contains("generated") && !name.contains("Stubs/") {
      all += try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
    }
    // The parts of a literal that continues on the next line are joined.
    return all.replacing(#/"\s*\n\s*\+ "/#, with: "").replacing(#/\\\n\s*/#, with: "")
  }

  @Test("the messages quoted in troubleshooting.md exist in the program")
  func messages() throws {
    let sources = try Self.sources()
    let rows = try Self.text("docs/troubleshooting.md").components(separatedBy: "\n").filter { $0.hasPrefix("| `") }
    #expect(rows.count > 15)
    for row in rows {
      let message = String(row.dropFirst(3).prefix { $0 != "`" })
      let parts = message.components(separatedBy: "…").map { $0.trimmingCharacters(in: .whitespaces) }
      for part in parts where !part.isEmpty {
        #expect(sources.contains(part), "no source contains `\(part)` of the message `\(message)`")
      }
      #expect(parts.contains { $0.count > 8 }, "the page has too few words of the message `\(message)`")
    }
  }

  @Test("every page of docs/ is in the index, and every link to a file or a heading has an existing target")
  func links() throws {
    let docs = Self.root.appending(path: "docs").path
    var pages: [String] = ["README.md"]
    for case let name as String in try #require(FileManager.default.enumerator(atPath: docs))
    where name.hasSuffix(".md") {
      pages.append("docs/" + name)
    }
    let index = try Self.text("docs/README.md")
    for page in pages where page.hasPrefix("docs/") && page.split(separator: "/").count == 2 && page != "docs/README.md"
    {
      #expect(index.contains("(\(page.dropFirst(5)))"), "docs/README.md has no link to \(page)")
    }
    for page in pages {
      let text = try Self.text(page)
      let folder = URL(filePath: "/" + page).deletingLastPathComponent()
      // Links in code are ignored.
      let prose = text.replacing(#/`[^`\n]*`/#, with: "")
      for match in prose.matches(of: #/\]\(([^)\s]+)\)/#) {
        let target = String(match.output.1)
        guard !target.contains("://") else { continue }
        let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let path =
          parts[0].isEmpty ? page : String(folder.appending(path: parts[0]).standardizedFileURL.path.dropFirst())
        let file = Self.root.appending(path: path).path
        #expect(FileManager.default.fileExists(atPath: file), "\(page): \(target)")
        guard parts.count == 2, path.hasSuffix(".md"), FileManager.default.fileExists(atPath: file) else { continue }
        let anchors = try Self.text(path).components(separatedBy: "\n").filter { $0.hasPrefix("#") }.map(Self.anchor)
        #expect(anchors.contains(parts[1]), "\(page): \(target)")
      }
    }
  }

  /// Returns the anchor that GitHub gives a heading.
  private static func anchor(_ heading: String) -> String {
    let text = heading.drop { $0 == "#" || $0 == " " }.lowercased()
    return String(text.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }).replacing(
      " ", with: "-")
  }
}
