import Foundation
import Localization
import TestSupport
import Testing

/// The program as git's merge driver, in a real repository configured as in docs/reference/cli.md.
@Suite("The merge driver in git")
struct MergeDriverTests {
  private static let path = "App/Ünits/Localizable.xcstrings"

  private static func catalog(_ entries: [(key: String, german: String)]) -> String {
    let strings = entries.map {
      """
          "\($0.key)" : {
            "localizations" : {
              "de" : {
                "stringUnit" : {
                  "state" : "translated",
                  "value" : "\($0.german)"
                }
              }
            }
          }
      """
    }
    return
      "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n\(strings.joined(separator: ",\n"))\n  },\n  \"version\" : \"1.0\"\n}"
  }

  private func repository(_ base: String, ours: String, theirs: String, at path: String = path) throws
    -> TemporaryRepository
  {
    let repository = try TemporaryRepository()
    let program = URL(filePath: dragomanPath()).standardizedFileURL.path
    try repository.git("config", "merge.dragoman.driver", "'\(program)' merge-driver %O %A %B %P")
    try repository.commit([
      ".gitattributes": "*.xcstrings merge=dragoman\n*.strings merge=dragoman\n*.stringsdict merge=dragoman\n",
      path: base,
    ])
    try repository.git("checkout", "-q", "-b", "theirs")
    try repository.commit([path: theirs])
    try repository.git("checkout", "-q", "main")
    try repository.commit([path: ours])
    return repository
  }

  private func text(_ repository: TemporaryRepository, _ path: String = path) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: repository.path + "/" + path)), as: UTF8.self)
  }

  @Test("the merge driver merges keys and translations of two branches that cause a conflict in git without the driver")
  func clean() throws {
    let repository = try repository(
      Self.catalog([("B", "b")]), ours: Self.catalog([("A", "a"), ("B", "b")]),
      theirs: Self.catalog([("AA", "aa"), ("B", "b, anew")]))
    try repository.git("merge", "-q", "--no-edit", "theirs")
    #expect(try text(repository) == Self.catalog([("A", "a"), ("AA", "aa"), ("B", "b, anew")]))
    #expect(try repository.git("status", "--porcelain") == "")
  }

  @Test("a conflict stops the merge, and the file remains a valid catalog with our texts")
  func conflict() throws {
    let repository = try repository(
      Self.catalog([("B", "b")]), ours: Self.catalog([("B", "ours")]),
      theirs: Self.catalog([("A", "a"), ("B", "theirs")]))
    let failure = #expect(throws: TestSupport.CommandFailure.self) {
      try repository.git("merge", "-q", "--no-edit", "theirs")
    }
    #expect(
      failure?.description.contains(#"\#(Self.path):14:5: error: key "B", de: ours "ours", theirs "theirs""#) == true,
      "\(failure as Any)")
    #expect(
      try text(repository)
        == Self.catalog([("A", "a"), ("B", "ours")]).replacing(
          "\"translated\",\n            \"value\" : \"ours\"",
          with: "\"needs_review\",\n            \"value\" : \"ours\""))
    #expect(try repository.git("diff", "--name-only", "--diff-filter=U").contains("Localizable.xcstrings"))
  }

  @Test("the merge driver keeps our file if a version cannot be read, and reports which version")
  func unreadable() throws {
    let ours = Self.catalog([("A", "a")])
    let repository = try repository(Self.catalog([]), ours: ours, theirs: "{ \"broken\"")
    let failure = #expect(throws: TestSupport.CommandFailure.self) {
      try repository.git("merge", "-q", "--no-edit", "theirs")
    }
    #expect(failure?.description.contains("cannot read theirs") == true)
    #expect(try text(repository) == ours)
  }

  @Test("a rebase merges .strings files by key")
  func rebase() throws {
    let path = "de.lproj/Localizable.strings"
    let repository = try repository(
      "\"b\" = \"B\";\n", ours: "\"a\" = \"A\";\n\"b\" = \"B\";\n", theirs: "\"aa\" = \"AA\";\n\"b\" = \"B\";\n",
      at: path)
    try repository.git("rebase", "-q", "theirs")
    #expect(try text(repository, path) == "\"a\" = \"A\";\n\"aa\" = \"AA\";\n\"b\" = \"B\";\n")
  }
}
