import Foundation
import GitSource
import Localization
import Pipeline
import TestSupport
import Testing

/// A repository with submodules, made with git's own command.
private struct Family {
  let app: TemporaryRepository
  let kit: TemporaryRepository
  let folder: TemporaryFolder

  init() throws {
    app = try TemporaryRepository()
    kit = try TemporaryRepository()
    folder = try TemporaryFolder()
    try kit.commit(["Sources/Kit.swift": "1"])
    try app.commit(["App.swift": "app"])
  }

  /// Adds a submodule whose URL in `.gitmodules` differs from the URL from which git fetched it.
  func add(_ repository: TemporaryRepository, at path: String, to container: TemporaryRepository, url: String) throws {
    try container.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", repository.path, path)
    try container.git("config", "-f", ".gitmodules", "submodule.\(path).url", url)
    try container.commit()
  }

  /// Makes a commit in which a submodule is at another commit.
  /// - Returns: the new commit of the repository that contains the submodule.
  @discardableResult
  func move(_ path: String, to commit: String, in container: TemporaryRepository) throws -> CommitID {
    try container.git("update-index", "--cacheinfo", "160000,\(commit),\(path)")
    try container.git("commit", "-q", "-m", "Move")
    return CommitID(rawValue: try container.git("rev-parse", "HEAD"))
  }

  func mirror(_ paths: SubmoduleSettings..., url: String? = nil) throws -> SubmoduleMirror {
    let mirror = try localMirror(url ?? app.path, in: folder)
    return SubmoduleMirror(mirror, listed: paths) { [folder] location in
      try localMirror(location.url, in: folder, as: location.url.replacing("/", with: "_"))
    }
  }
}

@Suite("The trees of submodules")
struct SubmoduleMirrorTests {
  private let family: Family

  init() throws { family = try Family() }

  private func tree(_ mirror: SubmoduleMirror) async throws -> any SourceTree {
    let heads = try await mirror.refresh()
    return try await mirror.tree(of: #require(heads.first { $0.name == "main" }).commit)
  }

  private func failure(_ body: () async throws -> Void) async -> String {
    do { try await body() } catch { return "\(error)" }
    return "no error"
  }

  @Test("a listed submodule is read at its path and the tree's commit; an unlisted submodule is not read")
  func listed() async throws {
    try family.add(family.kit, at: "Packages/Kit", to: family.app, url: family.kit.path)
    try family.add(family.kit, at: "Other", to: family.app, url: family.kit.path)
    // The submodule's branch gets a commit that the app's repository does not reference.
    try family.kit.commit(["Sources/Kit.swift": "2"])
    let mirror = try family.mirror(SubmoduleSettings(path: "Packages/Kit"))
    let tree = try await tree(mirror)
    let walked = tree.walk().map(\.path.text)
    #expect(walked == [".gitmodules", "App.swift", "Other", "Packages/Kit/Sources/Kit.swift"])
    #expect(try tree.read("Packages/Kit/Sources/Kit.swift") == Array("1".utf8))
    #expect(try tree.entry(at: "Packages/Kit")?.kind == .folder)
    #expect(try tree.entry(at: "Packages/Kit/Sources/Kit.swift")?.isFile == true)
    #expect(try tree.entry(at: "Packages/Kit/None") == nil)
    #expect(try tree.entry(at: "Other")?.kind == .submodule)
    let error = #expect(throws: TreeError.self) { try tree.read("Packages/Kit/None") }
    #expect(error?.path == "Packages/Kit/None")
  }

  @Test("a submodule of a submodule is read if both are listed; a path without a submodule is reported")
  func nested() async throws {
    let deep = try TemporaryRepository()
    try deep.commit(["Deep.swift": "deep"])
    try family.add(deep, at: "Deep", to: family.kit, url: deep.path)
    try family.add(family.kit, at: "Kit", to: family.app, url: family.kit.path)
    let both = try family.mirror(SubmoduleSettings(path: "Kit/Deep"), SubmoduleSettings(path: "Kit"))
    let tree = try await tree(both)
    #expect(try tree.read("Kit/Deep/Deep.swift") == Array("deep".utf8))
    #expect(try tree.list("Kit").map(\.path.text) == ["Kit/.gitmodules", "Kit/Deep", "Kit/Sources"])
    let alone = try await self.tree(family.mirror(SubmoduleSettings(path: "Kit/Deep")))
    let notes = try #require(alone as? GraftedTree).notes
    #expect(notes.map(\.path) == ["Kit/Deep"] && notes[0].message.contains("no submodule there"))
  }

  @Test("a commit that is missing at the submodule's remote is an error until it is pushed to a branch or tag")
  func missing() async throws {
    try family.add(family.kit, at: "Kit", to: family.app, url: family.kit.path)
    let known = try family.kit.git("rev-parse", "HEAD")
    let remote = try family.kit.bareCopy()
    try family.app.git("config", "-f", ".gitmodules", "submodule.Kit.url", remote)
    try family.app.commit()
    let next = try family.kit.commit(["Sources/Kit.swift": "2"])
    try family.move("Kit", to: next, in: family.app)
    let mirror = try family.mirror(SubmoduleSettings(path: "Kit"))
    let words = await failure { _ = try await tree(mirror) }
    #expect(words.contains("cannot read submodule Kit: no branch or tag of \(remote) has commit \(next)"), "\(words)")
    // The earlier commit can still be read.
    try family.move("Kit", to: known, in: family.app)
    #expect(try await tree(mirror).read("Kit/Sources/Kit.swift") == Array("1".utf8))
    try family.move("Kit", to: next, in: family.app)
    try family.kit.git("push", "-q", remote, "HEAD:refs/tags/v2")
    #expect(try await tree(mirror).read("Kit/Sources/Kit.swift") == Array("2".utf8))
  }

  @Test("an unreachable submodule, a wrong .gitmodules and a URL on another server give errors that name the submodule")
  func faults() async throws {
    try family.add(family.kit, at: "Kit", to: family.app, url: "/nowhere/kit.git")
    let mirror = try family.mirror(SubmoduleSettings(path: "Kit"))
    #expect(await failure { _ = try await tree(mirror) }.contains("read submodule Kit: "))
    for (url, words) in [
      ("https://other.example.com/kit.git", "is on another server"), ("ext::sh -c touch", "read submodule Kit"),
      ("-x", "its URL in .gitmodules is empty, too long"), ("../../../../../../../../kit", "leaves the server"),
    ] {
      try family.app.git("config", "-f", ".gitmodules", "submodule.Kit.url", url)
      try family.app.commit()
      let said = await failure { _ = try await tree(mirror) }
      #expect(said.contains("read submodule Kit") && said.contains(words), "\(said)")
    }
    try family.app.commit([".gitmodules": "[submodule"])
    #expect(await failure { _ = try await tree(mirror) }.contains("line 1 of .gitmodules is not valid"))
    let link = try family.app.git("hash-object", "-w", "--stdin", input: "/etc/passwd")
    // git itself refuses to make a commit with these paths.
    let lines = try family.app.git("ls-tree", "HEAD").split(separator: "\n").map {
      $0.hasSuffix("\t.gitmodules") ? "120000 blob \(link)\t.gitmodules" : String($0)
    }
    let made = try family.app.git("mktree", input: lines.joined(separator: "\n") + "\n")
    try family.app.git(
      "update-ref", "refs/heads/main", family.app.git("commit-tree", made, "-p", "HEAD", "-m", "Link"))
    #expect(await failure { _ = try await tree(mirror) }.contains(".gitmodules is not a file"))
    // A submodule with a URL in the pipeline file needs no .gitmodules.
    let named = try family.mirror(SubmoduleSettings(path: "Kit", url: family.kit.path))
    #expect(try await tree(named).read("Kit/Sources/Kit.swift") == Array("1".utf8))
  }

  @Test("changed files below submodules are found, and a tree with a different set of submodules has a different id")
  func modified() async throws {
    try family.add(family.kit, at: "Kit", to: family.app, url: family.kit.path)
    let mirror = try family.mirror(SubmoduleSettings(path: "Kit"))
    let old = try #require(try await tree(mirror) as? GraftedTree)
    try family.move("Kit", to: family.kit.commit(["Sources/Kit.swift": "2"]), in: family.app)
    let new = try #require(try await tree(mirror) as? GraftedTree)
    #expect(new.modifiedFiles(since: old.id)?.map(\.path.text) == ["Kit/Sources/Kit.swift"])
    #expect(new.modifiedFiles(since: new.id) == [])
    #expect(new.modifiedFiles(since: new.base.id) == nil)
    try family.move("Kit", to: family.kit.commit(["Sources/New.swift": "3"]), in: family.app)
    #expect(try #require(try await tree(mirror) as? GraftedTree).modifiedFiles(since: new.id) == nil)
  }

  @Test("an object that is missing from a submodule's mirror is fetched again")
  func damaged() async throws {
    try family.add(family.kit, at: "Kit", to: family.app, url: family.kit.path)
    let mirror = try family.mirror(SubmoduleSettings(path: "Kit"))
    _ = try await tree(mirror)
    let blob = try family.kit.git("rev-parse", "HEAD:Sources/Kit.swift")
    let folder = family.folder.file("mirrors/" + family.kit.path.replacing("/", with: "_"))
    try FileManager.default.removeItem(atPath: folder + "/objects/\(blob.prefix(2))/\(blob.dropFirst(2))")
    let broken = try await tree(mirror)
    let error = #expect(throws: TreeError.self) { try broken.read("Kit/Sources/Kit.swift") }
    #expect(error?.kind == .unreadable)
    #expect(try await tree(mirror).read("Kit/Sources/Kit.swift") == Array("1".utf8))
  }

  @Test("edits below a submodule are refused")
  func readOnly() async throws {
    try family.add(family.kit, at: "Kit", to: family.app, url: family.kit.path)
    let mirror = try family.mirror(SubmoduleSettings(path: "Kit"))
    let head = try #require(try await mirror.refresh().first).commit
    _ = try await mirror.tree(of: head)
    let words = await failure {
      _ = try await mirror.makeCommit(
        TreeEdits(["Kit/Sources/Kit.swift": .write(Array("x".utf8))]), on: head, message: "m", author: signature,
        committer: signature)
    }
    #expect(words.contains("it is a submodule"), "\(words)")
  }
}

@Suite("Submodules over HTTP", .enabled(if: networkReasonToSkip == nil))
struct SubmoduleHTTPTests {
  private let family: Family
  private let server: GitHTTPServer

  init() throws {
    family = try Family()
    server = try GitHTTPServer()
  }

  private func open(_ url: String, _ credentials: Secret?) throws -> GitMirror {
    try GitMirror(
      url: url, folder: family.folder.file(url.replacing("/", with: "_")), credentials: { credentials },
      networkChild: GitNetworkChild(executable: networkProgram))
  }

  @Test(
    """
    a relative URL leads to the same server with the same credentials; a tag is found, and without one what the server \
    sends; redirects elsewhere are not followed
    """)
  func http() async throws {
    let secret = Secret("\(GitHTTPServer.user):\(GitHTTPServer.password)")
    try family.add(family.kit, at: "Kit", to: family.app, url: "../kit.git")
    let kit = try server.serve(family.kit, as: "kit")
    let app = try server.serve(family.app, as: "app")
    let mirror = SubmoduleMirror(
      try open(server.url + "/git/app.git", secret), listed: [SubmoduleSettings(path: "Kit")]
    ) { location in
      #expect(location.url.hasPrefix(server.url) && location.access == .asRepository)
      return try open(location.url, secret)
    }
    func read() async throws -> [UInt8] {
      let head = try #require(try await mirror.refresh().first).commit
      return try await mirror.tree(of: head).read("Kit/Sources/Kit.swift")
    }
    func push() throws {
      try family.app.git("push", "-q", "file://" + app, "main")
      try run("chmod", ["-R", "a+rwX", server.repositories], in: family.folder.path)
    }
    #expect(try await read() == Array("1".utf8))

    let next = try family.kit.commit(["Sources/Kit.swift": "2"])
    try family.move("Kit", to: next, in: family.app)
    try push()
    var words = ""
    do { _ = try await read() } catch { words = "\(error)" }
    #expect(words.contains("has commit \(next), which commit"), "\(words)")
    try family.kit.git("tag", "-a", "-m", "v2", "v2")
    try family.kit.git("push", "-q", "file://" + kit, "v2")
    try run("chmod", ["-R", "a+rwX", kit], in: family.folder.path)
    #expect(try await read() == Array("2".utf8))
    #expect(try await read() == Array("2".utf8))

    // A commit that no reference contains is read if the server sends it.
    let loose = try family.kit.commit(["Sources/Kit.swift": "3"])
    try family.move("Kit", to: loose, in: family.app)
    try family.kit.git("push", "-q", "file://" + kit, "HEAD:refs/heads/gone")
    try TemporaryRepository.git(["update-ref", "-d", "refs/heads/gone"], in: kit)
    try push()
    do { _ = try await read() } catch { words = "\(error)" }
    #expect(words.contains("has commit \(loose), which commit"), "\(words)")
    try TemporaryRepository.git(["config", "uploadpack.allowAnySHA1InWant", "true"], in: kit)
    #expect(try await read() == Array("3".utf8))

    // A redirect to another server is not followed, so that server does not get the credentials.
    try family.app.git("config", "-f", ".gitmodules", "submodule.Kit.url", "\(server.url)/elsewhere/kit.git")
    try family.app.commit()
    try family.move("Kit", to: next, in: family.app)
    try push()
    do { _ = try await read() } catch { words = "\(error)" }
    #expect(words.contains("read submodule Kit") && words.contains("redirect"), "\(words)")
  }
}
