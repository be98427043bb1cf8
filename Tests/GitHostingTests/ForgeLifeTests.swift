import Foundation
import GitHosting
import TestSupport
import Testing

/// The life of pull requests with the real program: git over Apache, and a forge of each kind with the same branches. People merge with every
/// method, close and reopen pull requests, delete branches, and rename the base.
@Suite(.enabled(if: GitHTTPServer.reasonToSkip == nil, "\(GitHTTPServer.reasonToSkip ?? "")"), .serialized)
struct ForgeLifeTests {
  private enum Style: CaseIterable { case merge, squash, rebase, fastForward }

  private static let catalog = "App/Localizable.xcstrings"
  private static let program: String = {
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return own.deletingLastPathComponent().appendingPathComponent("dragoman").path
  }()

  /// A repository on a forge, and the actions of the people who work on it.
  private final class Place {
    let git: GitHTTPServer
    let folder: TemporaryFolder
    let repository: TemporaryRepository
    let served: String
    let forge: ForgeServer
    private let server: LoopbackHTTPServer
    var keys: [String] = []
    var base = "main"

    init(_ kind: ForgeKind) throws {
      git = try GitHTTPServer()
      folder = try TemporaryFolder()
      repository = try TemporaryRepository()
      let (name, path) =
        switch kind {
        case .gitlab: ("mobile/app", "/acme/mobile/app.git")
        case .azure: ("mobile/_git/app", "/acme/mobile/_git/app")
        case .bitbucketServer: ("app", "/scm/ACME/app.git")
        default: ("app", "/acme/app.git")
        }
      try FileManager.default.createDirectory(
        atPath: git.repositories + "/mobile/_git", withIntermediateDirectories: true)
      keys = ["Open"]
      try repository.commit([ForgeLifeTests.catalog: ForgeLifeTests.text(keys)])
      served = try git.serve(repository, as: name)
      let place = served
      forge = ForgeServer(kind) {
        let lines = try? TemporaryRepository.git(
          ["for-each-ref", "--format=%(refname:lstrip=2) %(objectname)", "refs/heads"], in: place)
        let pairs = (lines ?? "").split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        return Dictionary(uniqueKeysWithValues: pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) })
      }
      server = try forge.serve()
      try folder.write("token-1", to: "token")
      try folder.write(
        """
        pipeline: app
        repository: { url: "\(git.url)\(path)" }
        languages: [de]
        vendors:
          - { vendor: pseudo }
        deliver: { mode: pull-request, forge: \(kind.rawValue), api: "\(server.url)", token: "file:\(folder.file("token"))" }

        """, to: "app.yaml")
    }

    /// Runs the program and checks the conditions that hold after every run.
    func run(_ what: String) throws {
      let end = try ProgramEnd.of(
        ForgeLifeTests.program, ["run", "app.yaml", "--once", "--quiet"], in: folder.path,
        environment: ["PATH": "/usr/bin:/bin", "LANG": "C", "SWIFT_BACKTRACE": "enable=no"])
      #expect(end.status == 0, "\(what): \(end)")
      #expect(forge.state.refused.isEmpty, "\(what): \(forge.state.refused)")
      #expect(open.count <= 1, "\(what): \(open.map(\.title))")
      // No translation is lost: every string is translated on the base, in an open pull request, or in a pull request that a person closed.
      let places = [base] + forge.state.pulls.filter { $0.state != .merged && $0.base == base }.map(\.sha)
      let known = Set(places.flatMap { translated($0) })
      #expect(Set(keys).isSubset(of: known), "\(what): only \(known.sorted()) of \(keys)")
    }

    /// The open pull requests into the base.
    var open: [ForgeServer.Pull] { forge.state.pulls.filter { $0.state == .open && $0.base == base } }

    func translated(_ revision: String) -> [String] {
      guard let text = try? TemporaryRepository.git(["show", "\(revision):\(ForgeLifeTests.catalog)"], in: served),
        let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
        let strings = object["strings"] as? [String: [String: Any]]
      else { return [] }
      return strings.filter { ($0.value["localizations"] as? [String: Any])?["de"] != nil }.map(\.key)
    }

    private func push(_ arguments: String...) throws {
      try TemporaryRepository.git(["push", "-q", "file://" + served] + arguments, in: repository.path)
      // Apache's workers write as another user.
      try TestSupport.run("chmod", ["-R", "a+rwX", git.repositories], in: folder.path)
    }

    /// Commits a person's new string to the base branch.
    func add(_ key: String) throws {
      keys.append(key)
      try repository.git("fetch", "-q", "file://" + served, base)
      try repository.git("reset", "-q", "--hard", "FETCH_HEAD")
      let file = URL(filePath: repository.path + "/" + ForgeLifeTests.catalog)
      var object = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
      var strings = object["strings"] as? [String: Any] ?? [:]
      strings[key] = [String: Any]()
      object["strings"] = strings
      try JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted, .sortedKeys]).write(to: file)
      try repository.git("commit", "-q", "-am", "Add \(key)")
      try push("HEAD:\(base)")
    }

    /// Merges the open pull request at the forge, as a person does.
    func merge(_ style: Style, deletingBranch: Bool) throws {
      let index = try #require(forge.state.pulls.lastIndex { $0.state == .open })
      let branch = forge.state.pulls[index].branch
      for (name, local) in [(base, "theirs"), (branch, "ours")] {
        try repository.git("fetch", "-q", "file://" + served, "+\(name):\(local)")
      }
      try repository.git("checkout", "-q", "--detach", "theirs")
      switch style {
      case .merge: try repository.git("merge", "-q", "--no-ff", "-m", "Merge pull request", "ours")
      case .squash:
        try repository.git("merge", "-q", "--squash", "ours")
        try repository.git("commit", "-q", "-m", "Translations (#1)")
      case .rebase:
        try repository.git("checkout", "-q", "--detach", "ours")
        try repository.git(
          "-c", "user.name=Forge", "-c", "user.email=f@example.com", "rebase", "-q", "--no-ff", "theirs")
      case .fastForward: try repository.git("merge", "-q", "--ff-only", "ours")
      }
      try push("HEAD:\(base)")
      forge.change { $0.pulls[index].state = .merged }
      if deletingBranch { try push(":\(branch)") }
    }

    func close(deletingBranch: Bool) throws {
      let index = try #require(forge.state.pulls.lastIndex { $0.state == .open })
      let branch = forge.state.pulls[index].branch
      // The forge keeps the commit of a closed pull request.
      forge.change { $0.pulls[index].state = .closed }
      if deletingBranch { try push(":\(branch)") }
    }

    func reopen() { forge.change { $0.pulls[$0.pulls.count - 1].state = .open } }

    /// Renames the base, as a person does. The forge moves open pull requests to the new name.
    func rename(to name: String) throws {
      try TemporaryRepository.git(["branch", "-m", base, name], in: served)
      try TestSupport.run("chmod", ["-R", "a+rwX", git.repositories], in: folder.path)
      let before = base
      forge.change { state in
        for index in state.pulls.indices where state.pulls[index].state == .open && state.pulls[index].base == before {
          state.pulls[index].base = name
        }
      }
      base = name
    }
  }

  fileprivate static func text(_ keys: [String]) -> String {
    let strings = keys.map { "    \"\($0)\" : {\n\n    }" }.joined(separator: ",\n")
    return "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n\(strings)\n  },\n  \"version\" : \"1.0\"\n}"
  }

  @Test(
    "there is at most one pull request, and no text is lost while it is opened, updated, merged, closed and reopened",
    .timeLimit(.minutes(10)), arguments: ForgeKind.allCases)
  func life(_ kind: ForgeKind) throws {
    let place = try Place(kind)
    try place.run("new")
    #expect(place.forge.state.pulls.count == 1 && place.open.count == 1)
    try place.add("Close")
    try place.run("updated")
    #expect(place.forge.state.pulls.count == 1)
    #expect(place.open[0].body.contains("| de | 2 | 0 |"), "\(place.open[0].body)")
    for (number, style) in Style.allCases.enumerated() {
      try place.merge(style, deletingBranch: number % 2 == 1)
      try place.run("merged by \(style)")
      #expect(place.open.isEmpty)
      #expect(Set(place.translated(place.base)) == Set(place.keys))
      try place.add("After \(number)")
      try place.run("new after \(style)")
      #expect(place.open.count == 1 && place.forge.state.pulls.count == number + 2)
      #expect(place.open[0].body.contains("| de | 1 | 0 |"), "\(style): \(place.open[0].body)")
    }
    // A closed pull request stays closed until there are new translations.
    let count = place.forge.state.pulls.count
    try place.close(deletingBranch: false)
    try place.run("closed")
    #expect(place.open.isEmpty && place.forge.state.pulls.count == count)
    place.reopen()
    try place.add("More")
    try place.run("reopened")
    #expect(place.open.count == 1 && place.forge.state.pulls.count == count)
    try place.close(deletingBranch: true)
    try place.run("closed, and the branch deleted")
    #expect(place.open.isEmpty)
    try place.add("Most")
    try place.run("something new after that")
    #expect(place.open.count == 1 && place.forge.state.pulls.count == count + 1)
    #expect(place.open[0].body.contains("| de | 3 | 0 |"), "\(place.open[0].body)")
  }

  @Test(
    "a renamed base branch gets its own pull request in addition to the one that the forge moved to it",
    .timeLimit(.minutes(10)), arguments: [ForgeKind.github, .gitlab])
  func renamed(_ kind: ForgeKind) throws {
    let place = try Place(kind)
    try place.run("new")
    try place.rename(to: "trunk")
    try place.add("Close")
    let end = try ProgramEnd.of(
      Self.program, ["run", "app.yaml", "--once"], in: place.folder.path,
      environment: ["PATH": "/usr/bin:/bin", "LANG": "C", "SWIFT_BACKTRACE": "enable=no"])
    #expect(end.status == 0, "\(end)")
    #expect(place.open.map(\.branch).sorted() == ["l10n/main", "l10n/trunk"], "\(end)")
    #expect(Set(place.translated("l10n/trunk")) == Set(place.keys))
    // A person merges the new pull request, which contains all translations.
    try place.merge(.squash, deletingBranch: true)
    #expect(Set(place.translated("trunk")) == Set(place.keys))
  }
}
