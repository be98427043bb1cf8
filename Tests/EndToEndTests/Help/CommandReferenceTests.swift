import Foundation
import Testing

/// A comparison of docs/reference/cli.md with the commands. If UPDATE_CLI_REFERENCE is set, the page is written instead of compared (`make
/// cli-reference`).
@Suite("Command-line reference", .enabled(if: HelpLanguage.isEnglish))
struct CommandReferenceTests {
  private static let page = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "docs/reference/cli.md")

  @Test("cli.md equals the help texts of the commands")
  func page() throws {
    let page = try String(contentsOf: Self.page, encoding: .utf8)
    let current = try CommandReference(CommandDescription.all()).replacing(in: page)
    if ProcessInfo.processInfo.environment["UPDATE_CLI_REFERENCE"] != nil {
      try current.write(to: Self.page, atomically: true, encoding: .utf8)
      return
    }
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
    let changed = zip(lines, current.split(separator: "\n", omittingEmptySubsequences: false)).enumerated()
      .first { $0.element.0 != $0.element.1 }
    let place = changed.map { "line \($0.offset + 1) should be: \($0.element.1)" } ?? "its length differs"
    #expect(
      page == current,
      "docs/reference/cli.md differs from the help of the commands: \(place)\nRun `make cli-reference` and commit the page."
    )
  }

  @Test("commands missing from the page, and sections without a command, are reported")
  func parts() throws {
    let reference = CommandReference(try CommandDescription.all())
    let page = try String(contentsOf: Self.page, encoding: .utf8)
    #expect {
      _ = try reference.replacing(in: page.replacing("make cli-reference`: dragoman diff", with: ""))
    } throws: { "\($0)".contains("has no part for dragoman diff. Add a heading") }
    #expect {
      _ = try reference.replacing(in: page + "<!-- made by `make cli-reference`: dragoman gone -->\n<!-- end -->\n")
    } throws: { "\($0)".contains("dragoman gone") }
  }
}
