import Foundation
import TestSupport
import Testing

/// Comparisons of the pages that explain how to change the code with the code itself.
@Suite("Documentation for contributors") struct ContributorPageTests {
  private static let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static let pages = [
    "CONTRIBUTING.md", "docs/architecture.md", "docs/incremental-linking.md", "docs/adding-a-check.md",
    "docs/adding-a-command.md", "docs/adding-a-format.md", "docs/adding-a-vendor.md", "docs/adding-an-extractor.md",
    "docs/adding-an-sdk.md",
  ]

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  @Test("the example command of adding-a-command.md compiles")
  func exampleCommand() throws {
    let file = try Self.text("Tests/EndToEndTests/Documents/CountCommand.swift").split(separator: "\n")
    let page = try Self.text("docs/adding-a-command.md").split(separator: "\n").map { $0.dropFirst(3) }
    let start = try #require(page.firstIndex(of: "import ArgumentParser"))
    let end = try #require(page[start...].firstIndex(of: "```"))
    let code = file.filter { !$0.hasPrefix("//") && !$0.hasPrefix("@testable") }
    #expect(code == Array(page[start..<end]))
  }

  @Test("the declarations named on the pages exist in the code", arguments: pages)
  func names(page: String) throws {
    // These are the words with a lowercase letter before an uppercase letter, from code spans without a slash. adding-an-sdk.md invents two names.
    let spans = try Self.text(page).matches(of: #/`([^`\n/]+)`/#).map(\.output.1)
    let words = Set(spans.flatMap { $0.matches(of: #/\w*[a-z][A-Z]\w*/#).map { String($0.output) } })
      .subtracting(["TideGauge", "gaugeCaption"])
    let folder = try TemporaryFolder()
    try folder.write(words.sorted().joined(separator: "\n"), to: "words")
    let found = try ProgramEnd.of(
      "/usr/bin/grep",
      ["-rohwF", "-f", folder.file("words"), "Sources", "Tests", "Plugins", "Package.swift"],
      in: Self.root.path)
    let known = Set(found.output.split(separator: "\n").map(String.init))
    #expect(words.subtracting(known).isEmpty)
  }
}
