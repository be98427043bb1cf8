import Foundation
import Testing

/// Citations of the documentation's pages in comments, test names and documents, with or without sections: `state-machine.md`,
/// `docs/reference/cli.md`, `xcode-formats.md B2.6`, `xcode-formats.md D, F`.
@Suite("Citations and links of the documentation")
struct CitationTests {
  /// A page that a file cites, with the sections that follow the page's name.
  struct Citation: Equatable, Sendable {
    /// The line number, counted from 1.
    var line: Int
    var page: String
    var sections: [String]
  }

  /// The folder of `Package.swift`.
  private static let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test("every citation names a page under docs and one of the page's headings")
  func citations() throws {
    let pages = try Pages(in: Self.root)
    let mark = Data(".md".utf8)
    var faults: [String] = []
    var count = 0
    for path in try Self.paths(in: ["Sources", "Tests", "docs"]) {
      let data = try Data(contentsOf: Self.root.appending(path: path))
      guard data.range(of: mark) != nil else { continue }
      for citation in Self.citations(in: String(decoding: data, as: UTF8.self), of: path) {
        count += 1
        guard let page = pages.path(of: citation.page, citedIn: path) else {
          faults.append("\(path):\(citation.line): no page \(citation.page) under docs")
          continue
        }
        for section in citation.sections where !pages.hasSection(section, in: page) {
          faults.append("\(path):\(citation.line): no heading of \(page) begins with \(section)")
        }
      }
    }
    #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
    // A smaller number means that the files were not found.
    #expect(count > 100)
  }

  @Test("every link on a page points to an existing file and heading")
  func links() throws {
    let pages = try Pages(in: Self.root)
    let pattern = #/\]\((?<path>[A-Za-z0-9_.\/\-]*)(?:#(?<anchor>[A-Za-z0-9_\-]+))?\)/#
    var faults: [String] = []
    for path in pages.paths {
      let text = String(decoding: try Data(contentsOf: Self.root.appending(path: path)), as: UTF8.self)
      for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        for match in line.matches(of: pattern) {
          let target = match.path.isEmpty ? path : Pages.joined(Pages.folder(of: path), String(match.path))
          guard FileManager.default.fileExists(atPath: Self.root.appending(path: target).path) else {
            faults.append("\(path):\(index + 1): no file \(target)")
            continue
          }
          if let anchor = match.anchor, !pages.hasAnchor(String(anchor), in: target) {
            faults.append("\(path):\(index + 1): no heading of \(target) has the anchor #\(anchor)")
          }
        }
      }
    }
    #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
  }

  /// Lines of a Swift file, and their expected citations.
  static let examples: [(text: String, expected: [Citation])] = [
    ("/// As Xcode does (cli.md).", [Citation(line: 1, page: "cli.md", sections: [])]),
    ("let x = 1 // docs/cli.md D.", [Citation(line: 1, page: "docs/cli.md", sections: ["D"])]),
    ("\n/// (cli.md E3-E6, G; B2.6)", [Citation(line: 2, page: "cli.md", sections: ["E3", "E6", "G"])]),
    ("/// (cli.md\n  /// B3, F): both", [Citation(line: 1, page: "cli.md", sections: ["B3", "F"])]),
    ("/// cli.md A5, All", [Citation(line: 1, page: "cli.md", sections: ["A5"])]),
    ("/// cli.md's table", [Citation(line: 1, page: "cli.md", sections: [])]),
    ("@Test(\n\"sorted (cli.md A2)\")", [Citation(line: 2, page: "cli.md", sections: ["A2"])]),
    ("let files = [\"NOTES.md\", \"README.md\"]", []),
  ]

  @Test("the pages and sections that comments and test names cite are found", arguments: examples)
  func finds(text: String, expected: [Citation]) {
    #expect(Self.citations(in: text, of: "A.swift") == expected)
  }

  /// Returns the paths of the sources, scripts and documents below some folders, relative to the package's folder. This file is omitted.
  private static func paths(in folders: [String]) throws -> [String] {
    var found: [String] = []
    for folder in folders {
      let names = try #require(FileManager.default.enumerator(atPath: root.appending(path: folder).path))
      for case let name as String in names {
        let isCiting = [".swift", ".md", ".py", ".sh"].contains { name.hasSuffix($0) }
        if isCiting, !name.hasSuffix("CitationTests.swift") { found.append(folder + "/" + name) }
      }
    }
    return found.sorted()
  }

  private static func citations(in text: String, of path: String) -> [Citation] {
    let pattern =
      #/(?<page>[\w.\/\-]*[\w\-]\.md)(?!\w)(?: +(?<sections>[A-Z][0-9.]*(?:(?:, |-)[A-Z][0-9.]*)*)(?!\w))?/#
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let isSwift = path.hasSuffix(".swift")
    func prose(_ index: Int) -> String {
      guard lines.indices.contains(index) else { return "" }
      return isSwift ? swiftProse(lines[index], after: index > 0 ? lines[index - 1] : "") : String(lines[index])
    }
    var found: [Citation] = []
    for index in lines.indices where lines[index].contains(".md") {
      let line = prose(index)
      // The section can be the first word of the next line.
      let both = line + " " + prose(index + 1)
      let end = both.index(both.startIndex, offsetBy: line.count)
      for match in both.matches(of: pattern) where match.range.lowerBound < end && !match.page.hasPrefix("//") {
        let sections = (match.sections ?? "").split { $0 == "," || $0 == " " || $0 == "-" }.map { section in
          section.hasSuffix(".") ? String(section.dropLast()) : String(section)
        }
        found.append(Citation(line: index + 1, page: String(match.page), sections: sections))
      }
    }
    return found
  }

  /// Returns the comment of a line, or the line itself if it contains a test's name. Other string literals are test data and are ignored.
  private static func swiftProse(_ line: Substring, after previous: Substring) -> String {
    let trimmed = line.trimmingCharacters(in: .whitespaces)
    if trimmed.hasPrefix("//") { return trimmed.drop { $0 == "/" }.trimmingCharacters(in: .whitespaces) }
    let before = previous.trimmingCharacters(in: .whitespaces)
    if ["@Test(", "@Suite("].contains(where: { trimmed.contains($0) || before.hasSuffix($0) }) { return trimmed }
    guard let mark = line.range(of: " // ") else { return "" }
    return String(line[mark.upperBound...])
  }
}

/// The pages under docs and in the folder of `Package.swift`, with their headings.
private struct Pages {
  /// The sorted paths, relative to the package's folder.
  let paths: [String]
  private let headings: [String: [String]]

  init(in root: URL) throws {
    let names = try #require(FileManager.default.enumerator(atPath: root.appending(path: "docs").path))
    var found = try FileManager.default.contentsOfDirectory(atPath: root.path)
    for case let name as String in names { found.append("docs/" + name) }
    paths = found.filter { $0.hasSuffix(".md") }.sorted()
    var headings: [String: [String]] = [:]
    for path in paths {
      let text = String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
      headings[path] = text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
        line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces)
      }
    }
    self.headings = headings
  }

  /// Returns the path of a page that a file cites by its file name alone, or by a path from the package's folder, from docs, or from the folder of
  /// the citing file.
  func path(of page: String, citedIn file: String) -> String? {
    guard page.contains("/") else { return paths.first { $0 == page || $0.hasSuffix("/" + page) } }
    for folder in ["", "docs", Self.folder(of: file)] {
      let path = Self.joined(folder, page)
      if paths.contains(path) { return path }
    }
    return nil
  }

  /// Returns whether a page has a heading that begins with a section's id, such as `## B. XLIFF` or `### A5 Fields`.
  func hasSection(_ id: String, in page: String) -> Bool {
    (headings[page] ?? []).contains { heading in
      heading == id || heading.hasPrefix(id + " ") || heading.hasPrefix(id + ". ")
    }
  }

  /// Returns whether a page has a heading with this anchor, as GitHub and GitLab derive anchors.
  func hasAnchor(_ anchor: String, in page: String) -> Bool {
    (headings[page] ?? []).contains { heading in
      let kept = heading.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
      return String(kept.map { $0 == " " ? "-" : $0 }) == anchor
    }
  }

  static func folder(of path: String) -> String {
    path.split(separator: "/").dropLast().joined(separator: "/")
  }

  /// Returns a path below a folder, without the components `.` and `..`.
  static func joined(_ folder: String, _ path: String) -> String {
    var parts: [Substring] = []
    for part in (folder + "/" + path).split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
  }
}
