import Localization
import Pipeline
import Simulation
import TestSupport
import Testing

/// Tests of the simulated git. On random histories, its results are compared with those of the real git.
struct GitHistoryTests {
  @Test("ancestors, merge bases and ranges equal those of git", arguments: 1...4)
  func likeGit(_ seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let history = GitHistory()
    let repository = try TemporaryRepository()
    var script = ""
    var commits: [CommitID] = []
    for number in 0..<40 {
      var parents: [Int] = []
      if number > 0 {
        parents = [random.number(in: max(0, number - 6)...(number - 1))]
        let other = random.number(in: max(0, number - 6)...(number - 1))
        if random.chance(40), other != parents[0] { parents.append(other) }
      }
      let person = CommitSignature(name: "Ada", email: "ada@example.com", seconds: Int64(1_700_000_000 + number))
      commits.append(
        history.commit(
          FileTree(), parents: parents.map { commits[$0] }, message: "\(number)", author: person, committer: person
        ).id)
      script += "commit refs/heads/c\(number)\nmark :\(number + 1)\n"
      script += "committer Ada <ada@example.com> \(1_700_000_000 + number) +0000\ndata <<E\n\(number)\nE\n"
      if let first = parents.first { script += "from :\(first + 1)\n" }
      if parents.count > 1 { script += "merge :\(parents[1] + 1)\n" }
      script += "\n"
    }
    try repository.git("fast-import", "--quiet", input: script)
    let names = try repository.git("for-each-ref", "--format=%(objectname) %(refname:lstrip=2)", "refs/heads")
    var numbers: [String: Int] = [:]
    for line in names.split(separator: "\n") {
      let words = line.split(separator: " ")
      numbers[String(words[0])] = Int(words[1].dropFirst())
    }
    func real(_ text: String) -> Set<Int> {
      Set(text.split(separator: "\n").compactMap { numbers[String($0)] })
    }
    for _ in 0..<25 {
      let (a, b) = (random.below(40), random.below(40))
      let bases = real((try? repository.git("merge-base", "--all", "c\(a)", "c\(b)")) ?? "")
      let base = history.mergeBase(commits[a], commits[b])
      if let base, let number = commits.firstIndex(of: base) {
        #expect(bases.contains(number))
      } else {
        #expect(bases.isEmpty)
      }
      #expect(history.isAncestor(commits[a], of: commits[b]) == (bases == [a]))
      let range = real(try repository.git("rev-list", "c\(a)", "^c\(b)"))
      let own = history.history(of: commits[a], excluding: commits[b]).compactMap { commits.firstIndex(of: $0.id) }
      #expect(Set(own) == range)
    }
  }

  @Test("a file that moved with few changes counts as renamed; with many changes, it counts as added and removed")
  func renames() {
    let lines = (0..<20).map { "line \($0)\n" }
    let old = FileTree(["a": Array(lines.joined().utf8), "b": Array("x\n".utf8)])
    let new = FileTree(["c": Array((lines.dropLast() + ["other\n"]).joined().utf8), "d": Array("y\n".utf8)])
    #expect(
      new.changes(from: old) == [
        TreeChange(path: "b", kind: .removed), TreeChange(path: "c", kind: .renamed(from: "a")),
        TreeChange(path: "d", kind: .added),
      ])
  }

  @Test("the same tree, parents and message always give the same commit")
  func ids() {
    let person = CommitSignature(name: "Ada", email: "ada@example.com", seconds: 1)
    func id(_ text: String) -> CommitID {
      GitHistory().commit(
        FileTree(["a": Array(text.utf8)]), parents: [], message: "m", author: person, committer: person
      ).id
    }
    #expect(id("1") == id("1"))
    #expect(id("1") != id("2"))
    #expect(id("1").rawValue.count == 40)
  }

  @Test("trees are merged by file and by line, and a catalog that both sides changed is a conflict")
  func merging() {
    let path = ProjectPlaces.strings(of: "App")
    func tree(_ lines: [String], catalog: String) -> FileTree {
      FileTree([path: Array(lines.map { $0 + "\n" }.joined().utf8), "a.xcstrings": Array(catalog.utf8)])
    }
    let base = tree(["T|a||", "T|b||"], catalog: "0")
    let ours = tree(["T|a|1|", "T|b||"], catalog: "1")
    let theirs = tree(["T|a||", "T|c||"], catalog: "2")
    guard case .conflicts(let paths) = TreeMerge.merge(base: base, ours: ours, theirs: theirs) else {
      Issue.record("merged")
      return
    }
    #expect(paths == ["a.xcstrings"])
    let resolved: [TreePath: [UInt8]?] = ["a.xcstrings": Array("3".utf8)]
    guard case .merged(let merged) = TreeMerge.merge(base: base, ours: ours, theirs: theirs, resolving: resolved) else {
      Issue.record("conflicts")
      return
    }
    #expect(merged == tree(["T|a|1|", "T|c||"], catalog: "3"))
  }
}
