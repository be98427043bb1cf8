import Localization
import ProjectLayout
import Testing

@Suite("Limits on the output of a manifest")
struct ManifestBudgetTests {
  @Test(
    "reading stops at a manifest whose texts and lists grow without end, and the location is reported",
    arguments: [
      "let a0 = \"0123456789\"\n"
        + (1..<30).map {
          "let a\($0) = [\(Array(repeating: "a\($0 - 1)", count: 10).joined(separator: ", "))].joined()\n"
        }
        .joined() + "let big = a29",
      "var list = [\"x\"]\n" + String(repeating: "list += list\n", count: 14)
        + "for a in list { list.append(a) }\nlet big = list[0]",
      "var t = \"0123456789\"\n" + String(repeating: "t = t + t\n", count: 12)
        + "var n = [\"x\"]\n" + String(repeating: "n += n\n", count: 12)
        + "let all = n.map { \"\\($0)\\(t)\" }\nlet big = all.joined()",
    ])
  func manifest(before: String) throws {
    let text = ProjectLayoutTests.manifest(
      "targets: [.target(name: \"Kit\", dependencies: [.byName(name: big)]), .target(name: big)]", before: before)
    let project = try layout(["Package.swift": text, "Sources/Kit/A.swift": ""])
    #expect(project.diagnostics.contains { $0.path == "Package.swift" && $0.line != nil && $0.severity == .warning })
    #expect(project.diagnostics.allSatisfy { $0.message.utf8.count < 1000 })
  }
}
