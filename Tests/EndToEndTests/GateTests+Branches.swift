import Foundation
import TestSupport
import Testing

/// Gates with requirements for some branches only, or with higher requirements for them.
extension GateTests {
  @Test("a branch without requirements is refused, and so is --branch without --pipeline")
  func unknownBranch() throws {
    let folder = try project([
      "birds.yaml": """
      pipeline: birds
      repository: { url: . }
      vendors: [{ vendor: pseudo }]
      require: { "release/*": { default: 100 } }
      """
    ])
    let gate = ["status", "--pipeline", "birds.yaml", "--branch"]
    let typo = try dragoman(gate + ["relese/1.0"], in: folder.path)
    #expect(typo.status == 64 && typo.output.isEmpty, "\(typo)")
    #expect(
      typo.errors.contains(
        "birds.yaml requires nothing of the branch relese/1.0; did you mean `release/1.0`? (release/*)"), "\(typo)")
    #expect(try dragoman(gate + ["main"], in: folder.path).status == 64)
    #expect(try dragoman(gate + ["release/1.0"], in: folder.path).status == 1)
    #expect(try dragoman(gate + ["main", "--require", "0"], in: folder.path).status == 0)
    let alone = try dragoman(["status", "--branch", "main", "--require", "0"], in: folder.path)
    #expect(alone.status == 64 && alone.errors.contains("--pipeline"), "\(alone)")
  }

  @Test(
    "an unknown branch that no rule matches is refused; on a detached HEAD it gives a warning"
  )
  func mistypedBranch() throws {
    let folder = try project([
      "birds.yaml": """
      pipeline: birds
      repository: { url: ., branches: [main, "hotfix/*"] }
      vendors: [{ vendor: pseudo }]
      require: { default: 0, "release/*": { default: 100 } }
      """
    ])
    func git(_ words: String...) throws {
      try TemporaryRepository.git(["-c", "user.name=T", "-c", "user.email=t@example.com"] + words, in: folder.path)
    }
    for words in [
      ["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "All"], ["branch", "feature"],
    ] {
      try TemporaryRepository.git(["-c", "user.name=T", "-c", "user.email=t@example.com"] + words, in: folder.path)
    }
    try git("update-ref", "refs/remotes/origin/theirs", "HEAD")
    func gate(_ branch: String) throws -> ProgramEnd {
      try dragoman(
        ["status", "--pipeline", "birds.yaml", "--table", "Localizable", "--branch", branch], in: folder.path)
    }
    for known in ["main", "feature", "theirs", "origin/theirs", "hotfix/1.1"] {
      let end = try gate(known)
      #expect(end.status == 0 && !end.errors.contains("no rule"), "\(known): \(end)")
    }
    #expect(try gate("release/2.0").status == 1)
    let typo = try gate("relese/2.0")
    #expect(typo.status == 64 && typo.output.isEmpty, "\(typo)")
    #expect(
      typo.errors.contains(
        "the repository has no branch relese/2.0, and no rule of birds.yaml names it; did you mean `release/2.0`? "
          + "(release/*)"), "\(typo)")
    // This is how a CI system checks out a pull request.
    try git("checkout", "-q", "--detach")
    #expect(try gate("release/2.0").status == 1)
    #expect(try !gate("feature").errors.contains("no rule"))
    let detached = try gate("relese/2.0")
    #expect(
      detached.status == 0
        && detached.errors.contains(
          "warning: no rule of birds.yaml names the branch relese/2.0, so only its requirements for every branch count; "
            + "did you mean `release/2.0`? (release/*)"),
      "\(detached)")
  }
}
