import Foundation
import TestSupport
import Testing

/// `status --since` in repositories with branches, folders, limited history and files that cannot be read, and with strings that are not
/// translatable. One test is about `diff`.
extension GateTests {
  private static func hand(_ entries: [String]) -> String {
    catalog(entries).replacing(
      "{ \"localizations\"", with: "{ \"extractionState\" : \"manual\", \"localizations\"")
  }

  private static let since = ["status", "--require", "100", "--since"]

  /// Returns a repository with a catalog of manual strings that is completely translated into German.
  private func repository(in folder: String = "") throws -> TemporaryRepository {
    let repository = try TemporaryRepository()
    try repository.commit(
      [
        folder + "App/App.swift": "import Foundation\n",
        folder + "App/A.xcstrings": Self.hand([Self.entry("a", ["de": "a"])]),
      ])
    return repository
  }

  @Test("changes that exist only on the other branch do not count")
  func mergeBase() throws {
    let repository = try repository()
    try repository.git("checkout", "-q", "-b", "topic")
    try repository.commit(["App/A.xcstrings": Self.hand([Self.entry("a", ["de": "a"]), Self.entry("b", ["de": "b"])])])
    try repository.git("checkout", "-q", "main")
    // Main removes the string. Compared with main itself, the string would be new.
    try repository.commit(["App/A.xcstrings": Self.hand([Self.entry("c", ["de": "c"])])])
    try repository.commit(["App/B.xcstrings": Self.hand([Self.entry("d", ["fr": "d"])])])
    try repository.git("checkout", "-q", "topic")
    let base = try repository.git("rev-parse", "--short=10", "main~2")
    let end = try dragoman(Self.since + ["main"], in: repository.path)
    #expect(verdict(end) == "PASS de 100 % (1/1), needs 100 %", "\(end)")
    #expect(
      end.errors.contains("1 string is new or changed since the merge base of main and HEAD (\(base))."), "\(end)")
    let main = try dragoman(Self.since + ["topic", "--revision", "main"], in: repository.path)
    #expect(main.status == 1 && main.errors.contains("the merge base of topic and main"), "\(main)")
    #expect(verdict(main).contains("de 50 % (1/2)"), "\(main)")
  }

  @Test("revisions without a common commit are compared directly, with a warning")
  func unrelated() throws {
    let repository = try repository()
    try repository.git("checkout", "-q", "--orphan", "other")
    try repository.commit(["App/A.xcstrings": Self.hand([Self.entry("a", ["de": "a"]), Self.entry("b")])])
    let end = try dragoman(Self.since + ["main"], in: repository.path)
    #expect(verdict(end) == "FAIL de 0 % (0/1), needs 100 %: 1 string missing", "\(end)")
    #expect(end.errors.contains("warning: main and HEAD have no common history"), "\(end)")
  }

  @Test("the message for a missing revision explains that the clone is shallow")
  func shallow() throws {
    let repository = try repository()
    try repository.git("checkout", "-q", "-b", "topic")
    try repository.commit(["App/A.xcstrings": Self.hand([Self.entry("a", ["de": "a"]), Self.entry("b", ["de": "b"])])])
    try repository.git("checkout", "-q", "main")
    try repository.commit(["README.md": "x"])
    let clone = repository.folder.file("clone")
    try TemporaryRepository.git(
      ["clone", "-q", "--depth", "1", "--no-single-branch", "file://" + repository.path, clone],
      in: repository.folder.path)
    try TemporaryRepository.git(["checkout", "-q", "topic"], in: clone)
    let parent = try dragoman(Self.since + ["HEAD~1"], in: clone)
    #expect(parent.status == 66 && parent.errors.contains("the clone is shallow"), "\(parent)")
    #expect(parent.errors.contains("git fetch --unshallow") && !parent.errors.contains("libgit2"), "\(parent)")
    let main = try dragoman(Self.since + ["origin/main"], in: clone)
    #expect(
      main.status == 0 && main.errors.contains("warning: the clone is shallow and lacks the merge base"), "\(main)")
  }

  @Test("in a subfolder of a repository, only this subfolder is compared")
  func subfolder() throws {
    let repository = try repository(in: "Apps/Birds/")
    let path = repository.path + "/Apps/Birds"
    let end = try dragoman(Self.since + ["HEAD"], in: path)
    #expect(end.status == 0 && end.errors.contains("0 strings are new"), "\(end)")
    // The other commands also read only this folder.
    let extracted = try dragoman(["status", "--revision", "HEAD", "--format", "json"], in: path)
    #expect(
      extracted.output.contains("\"App/A.xcstrings\"") && !extracted.output.contains("Apps/Birds"), "\(extracted)")
    try repository.write(Self.hand([Self.entry("a", ["de": "a"]), Self.entry("b")]), to: "Apps/Birds/App/A.xcstrings")
    let behind = try dragoman(Self.since + ["HEAD"], in: path)
    #expect(verdict(behind) == "FAIL de 0 % (0/1), needs 100 %: 1 string missing", "\(behind)")
    try repository.commit(["Apps/Birds/README.md": "x"])
    let difference = try dragoman(["diff", "HEAD~1", "HEAD"], in: path)
    #expect(difference.output == "App/A.xcstrings: added: \"b\"\n", "\(difference)")
    // All strings in a new folder are new.
    try repository.write("import Foundation\n", to: "Apps/Fish/App/App.swift")
    try repository.write(Self.hand([Self.entry("a", ["de": "a"])]), to: "Apps/Fish/App/A.xcstrings")
    let new = try dragoman(Self.since + ["HEAD"], in: repository.path + "/Apps/Fish")
    #expect(verdict(new) == "PASS de 100 % (1/1), needs 100 %", "\(new)")
  }

  @Test(
    "diff skips and reports catalogs that cannot be read at one revision, and tells how to fetch them in a partial clone"
  )
  func unreadableRevision() throws {
    let repository = try repository()
    try repository.commit(["App/A.xcstrings": "<<<<<<< HEAD\n", "App/B.xcstrings": Self.hand([Self.entry("b")])])
    try repository.commit(["App/A.xcstrings": Self.hand([Self.entry("a", ["de": "a"]), Self.entry("c")])])
    for (old, new) in [("HEAD~1", "HEAD"), ("HEAD~2", "HEAD~1")] {
      let end = try dragoman(["diff", old, new], in: repository.path)
      #expect(end.status == 65 && !end.output.contains("A.xcstrings"), "\(end)")
      #expect(end.errors.contains("App/A.xcstrings:1:1: error: at HEAD~1: "), "\(end)")
    }
    #expect(
      try dragoman(["diff", "HEAD~2", "HEAD~1"], in: repository.path).output == "App/B.xcstrings: added: \"b\"\n")
    let whole = try dragoman(["diff", "HEAD~2", "HEAD"], in: repository.path)
    #expect(whole.status == 0, "\(whole)")

    // Only one of the two revisions has code that can be read completely.
    try repository.commit([
      "App/Half.swift": "import SwiftUI\n<<<<<<< ours\nlet a = 1\n=======\nlet a = 2\n>>>>>>> theirs\n"
    ])
    let half = try dragoman(["diff", "HEAD~1", "HEAD"], in: repository.path)
    #expect(half.status == 65 && half.errors.contains("App/Half.swift:2:1: warning: at HEAD: "), "\(half)")
    try repository.commit(["README.md": "x"])
    #expect(try dragoman(["diff", "HEAD~1", "HEAD"], in: repository.path).status == 0)
    // Neither revision has code that can be read completely, and the code differs.
    try repository.commit([
      "App/Half.swift": "import SwiftUI\n<<<<<<< ours\nlet a = 1\n=======\nlet b = 2\n>>>>>>> theirs\n"
    ])
    let both = try dragoman(["diff", "HEAD~1", "HEAD"], in: repository.path)
    #expect(both.status == 65 && both.errors.contains("App/Half.swift:2:1: warning: at HEAD~1: "), "\(both)")
    try repository.git("reset", "-q", "--hard", "HEAD~3")

    try repository.git("config", "uploadpack.allowFilter", "true")
    let folder = try TemporaryFolder()
    try TemporaryRepository.git(
      ["clone", "-q", "--filter=blob:none", "file://\(repository.path)", folder.file("clone")], in: folder.path)
    let clone = folder.file("clone")
    let partial = try dragoman(["diff", "HEAD~2", "HEAD"], in: clone)
    #expect(partial.status == 65 && partial.output == "App/B.xcstrings: added: \"b\"\n", "\(partial)")
    #expect(partial.errors.contains("`git fetch --refetch --no-filter` fetches all objects"), "\(partial)")
    try TemporaryRepository.git(["fetch", "-q", "--refetch", "--no-filter"], in: clone)
    #expect(try dragoman(["diff", "HEAD~2", "HEAD"], in: clone).output == whole.output)
  }

  @Test("a string that was previously marked as not translatable counts as new")
  func becameTranslatable() throws {
    let repository = try repository()
    let entry = Self.entry("name")
    try repository.commit([
      "App/A.xcstrings": Self.hand([
        Self.entry("a", ["de": "a"]),
        entry.replacing("{ \"localizations\"", with: "{ \"shouldTranslate\" : false, \"localizations\""),
      ])
    ])
    try repository.write(Self.hand([Self.entry("a", ["de": "a"]), entry]), to: "App/A.xcstrings")
    let end = try dragoman(Self.since + ["HEAD"], in: repository.path)
    #expect(verdict(end) == "FAIL de 0 % (0/1), needs 100 %: 1 string missing", "\(end)")
  }

  @Test("strings that are marked as not translatable do not count as new")
  func untranslatable() throws {
    let repository = try repository()
    let entry = Self.entry("name").replacing(
      "{ \"localizations\"", with: "{ \"shouldTranslate\" : false, \"localizations\"")
    try repository.write(Self.hand([Self.entry("a", ["de": "a"]), entry]), to: "App/A.xcstrings")
    let end = try dragoman(Self.since + ["HEAD"], in: repository.path)
    #expect(end.status == 0 && end.errors.contains("0 strings are new or changed since HEAD."), "\(end)")
  }

  @Test("a .strings file or a project that cannot be read at the revision fails the gate")
  func languageBrokenBefore() throws {
    let repository = try repository()
    try repository.commit([
      "App/en.lproj/T.strings": "\"a\" = \"A\";\n", "App/de.lproj/T.strings": "\"a\" = \"A\"",
    ])
    try repository.commit(["App/de.lproj/T.strings": ""])
    let end = try dragoman(Self.since + ["HEAD~1"], in: repository.path)
    #expect(end.status == 65 && end.output.contains("unreadable at HEAD~1: App/de.lproj/T.strings:1:"), "\(end)")
    try repository.commit(["App.xcodeproj/project.pbxproj": "{"])
    try repository.git("rm", "-rq", "App.xcodeproj")
    try repository.commit(["App/de.lproj/T.strings": "\"a\" = \"A\";\n"])
    let project = try dragoman(Self.since + ["HEAD~1"], in: repository.path)
    #expect(project.status == 65, "\(project)")
    #expect(project.output.contains("unreadable at HEAD~1: App.xcodeproj/project.pbxproj:1:"), "\(project)")
  }

  @Test(
    "a catalog that cannot be read at the revision fails the gate, and the error has its location",
    arguments: ["text", "json", "junit", "markdown"])
  func brokenBefore(_ format: String) throws {
    let repository = try repository()
    try repository.commit(["App/A.xcstrings": "{"])
    try repository.git("tag", "old")
    try repository.commit(["App/A.xcstrings": Self.hand([Self.entry("a", ["de": "a"])])])
    let end = try dragoman(Self.since + ["old", "--format", format], in: repository.path)
    #expect(end.status == 65 && end.output.contains("unreadable at old: App/A.xcstrings:1:2"), "\(end)")
    #expect(end.errors.contains("App/A.xcstrings:1:2: error: at old: "), "\(end)")
    #expect(end.errors.contains("hint: compare with a revision whose files can be read"), "\(end)")
    #expect(format != "text" || verdict(end).hasPrefix("FAIL"), "\(end)")
    let counts = try dragoman(["status", "--since", "old"], in: repository.path)
    #expect(counts.status == 65 && counts.errors.contains("error: at old: "), "\(counts)")
  }
}
