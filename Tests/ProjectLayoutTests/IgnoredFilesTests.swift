import Foundation
import Localization
import TestSupport
import Testing

@testable import ProjectLayout

/// Tests of our reader of `.gitignore` files, mostly comparisons with `git check-ignore`.
@Suite("Ignored files")
struct IgnoredFilesTests {
  private static let rules = [
    "[Dd]erived*/", "*.py[co]", "[!a]b", "[^a]b", "[a-c]x", "[]-]a", "[]a", "[!]]a", "[a-]x", "[-a]x", "[a\\]b]x",
    "[\\a-c]x", "[a-\\c]x", "[c-a]x", "[a", "[!", "[", "a[", "a\\", "\\#a", "#a", "\\!a", "!a", "a\\ ", "a  ", "a\t",
    " a",
    "[[:alpha:]]1", "[[:alpha:][:digit:]-]a", "[![:upper:]]a", "[[:alpha:]", "[[:none:]]", "[[:]a", "[[::]]a", "[[:a]x",
    "[[:space:]]a", "[[:punct:]]a", "[[:xdigit:]]a", "[[:cntrl:]]a", "[[:blank:]]a", "[[:graph:]]a", "[[:print:]]a",
    "[[:lower:]]a", "[[:alnum:]]a", "[a-[:digit:]]x", "[a/b]c", "a[/]b", "a[!b]c", "x[!x]y/", "?", "??", "é", "[é]",
    "[!é]",
    "**/b", "a/**", "a/**/b", "**/a/**", "a**/b", "ab**", "a**b", "**", "***/b", "**/**/b", "**\\/b", "/a", "/a/b",
    "a/",
    "a/b/", "/", "//a", "a//b", "a/b", "*", "/*", "*/", "*/b", "a/*", "a*b*c", ".*", "*.b", "*[ab]", "a\\*", "a\\b",
    "\\a/b",
    "*\n!a", "*\n!a/\na/b", "a\n!a", "a/*\n!a/b", "/*\n!/a\n!/b", "a\r", "a \r", "\u{FEFF}a", "!a\na", "a\n!A\n[!a]",
  ]

  private static let paths = [
    "a", "b", "ab", "a/b", "a/b/c", "b/a", "x/a/b", "abc", "a-c", "axb", "ax", "bx", "cx", "-x", "]x", "\\x", "a]",
    "]a",
    "-a", "[", "a[", "[a", "a\\", "\\a", "#a", "!a", "a ", "a\t", " a", "\ta", "\u{B}a", "~a", "_a", "Aa", "1a", "a1",
    "A1", "é",
    "éa", "aé", "DerivedData/x", "derived", "Derived", "m.pyc", "m.py", "n/m.pyo", ".x", "x.b", "x/.x", "a*", "a/bc",
    "a/x/b",
    "a/x/y/b", "ab/b", "ab/x/b", "xxy/z", "x-y/z", "a/b/c/d", "A", "B/a", "a.c", "abxc", ":a", "[:a",
  ]

  /// Compares the results for all rules and paths. Each text of rules is the `.gitignore` of a separate folder, so a single run of git checks all
  /// rules.
  private func compare(_ rules: [String], _ paths: [String]) throws {
    let repository = try TemporaryRepository()
    var files: [TreePath: [UInt8]] = [:]
    var all: [String] = []
    for (number, text) in rules.enumerated() {
      try repository.write(text, to: "\(number)/.gitignore")
      files[TreePath(trusted: "\(number)/.gitignore")] = Array(text.utf8)
      all += paths.map { "\(number)/\($0)" }
    }
    let output = try repository.git(
      "check-ignore", "--no-index", "-z", "--stdin", input: all.map { $0 + "\0" }.joined())
    let ignored = Set(output.split(separator: "\0").map(String.init))
    #expect(ignored.count > rules.count)
    let own = IgnoredFiles(InMemoryTree(files))
    for path in all {
      let parts = path.split(separator: "/", maxSplits: 1)
      #expect(
        own.contains(TreePath(trusted: path)) == ignored.contains(path),
        "\(rules[Int(parts[0]) ?? 0].debugDescription) \(String(parts[1]).debugDescription)")
    }
  }

  @Test("patterns are matched as in git") func chosen() throws { try compare(Self.rules, Self.paths) }

  @Test("random patterns are matched as in git", arguments: 0..<4)
  func random(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let parts = [
      "a", "b", "A", "1", "-", "]", "[", "[", "[!", "[^", "!", "^", "\\", "/", "/", "*", "*", "**", "**/", "/**", "?",
      ":",
      "[:alpha:]", "[:digit:]", "[:x:]", "é", ".", " ", "\n", "\n!",
    ]
    let letters = ["a", "b", "A", "1", "-", "]", "[", "!", "^", "\\", ":", "é", "."]
    func text(_ parts: [String], upTo count: Int) -> String {
      (0..<Int.random(in: 1...count, using: &generator)).map { _ in parts.randomElement(using: &generator) ?? "" }
        .joined()
    }
    let rules = (0..<300).map { _ in text(parts, upTo: 9) }
    let paths = (0..<60).map { _ in
      (0..<Int.random(in: 1...4, using: &generator)).map { _ in text(letters, upTo: 3) }.joined(separator: "/")
    }
    try compare(rules, paths.filter { !$0.split(separator: "/").contains { $0 == "." || $0 == ".." } })
  }

  @Test("matching a pattern with many stars does not take exponential time")
  func hostile() throws {
    let stars = String(repeating: "**/a*", count: 20_000)
    let path = String(repeating: "a/", count: 200)
    let files = IgnoredFiles(
      InMemoryTree(texts: [".gitignore": stars + "\n" + String(repeating: "*a", count: 1000) + "b"]))
    #expect(!files.contains(TreePath(trusted: path + "a")))
    #expect(!files.contains(TreePath(trusted: String(repeating: "a", count: 4000))))
  }
}
