package import Localization
package import Pipeline
private import Synchronization

/// A mirror whose trees contain the trees of the submodules that a pipeline lists. Each submodule has its own mirror, which is fetched when it lacks
/// the commit that a tree references.
///
/// If a submodule cannot be read, reading the tree fails; the submodule never looks empty. The content of a submodule cannot be changed: commits are
/// made in the wrapped mirror, where a submodule is only a commit id.
package final class SubmoduleMirror: WrappingMirror {
  /// A function that opens the mirror of a submodule.
  package typealias Opening = @Sendable (SubmoduleLocation) throws -> GitMirror

  private let mirror: GitMirror
  /// The listed submodules, sorted by path. A nested submodule follows the submodule that contains it.
  private let listed: [SubmoduleSettings]
  private let open: Opening
  private let opened = Mutex<[SubmoduleLocation: GitMirror]>([:])

  package init(_ mirror: GitMirror, listed: [SubmoduleSettings], open: @escaping Opening) {
    self.mirror = mirror
    self.listed = listed.sorted { $0.path < $1.path }
    self.open = open
  }

  package var wrapped: any RepositoryMirror { mirror }

  package func tree(of commit: CommitID) async throws -> any SourceTree {
    let base = try await mirror.gitTree(of: commit)
    var parts: [Part] = []
    var notes: [Diagnostic] = []
    for settings in listed {
      guard let source = try await source(of: settings, in: base, parts) else {
        notes.append(Self.missing(settings.path))
        continue
      }
      let submodule = try mirror(at: source.location)
      try await provide(source, of: commit, from: submodule)
      parts.append(Part(source: source, tree: try await submodule.gitTree(of: source.commit)))
    }
    return GraftedTree(
      base,
      grafts: parts.map { GraftedTree.Graft(path: $0.source.path, tree: $0.tree, url: $0.source.location.url) },
      notes: notes)
  }

  /// Returns the submodules of a commit without fetching anything. If a submodule was not fetched yet, its nested submodules are omitted.
  package func sources(of commit: CommitID) async throws -> [SubmoduleSource] {
    let base = try await mirror.gitTree(of: commit)
    var parts: [Part] = []
    var found: [SubmoduleSource] = []
    for settings in listed {
      guard let source = try await source(of: settings, in: base, parts) else { continue }
      found.append(source)
      let submodule = try mirror(at: source.location)
      guard try await submodule.holds(source.commit) else { continue }
      parts.append(Part(source: source, tree: try await submodule.gitTree(of: source.commit)))
    }
    return found
  }

  /// Returns the mirror of a submodule, which is opened on first use.
  package func mirror(at location: SubmoduleLocation) throws -> GitMirror {
    try opened.withLock { opened in
      if let known = opened[location] { return known }
      let made = try open(location)
      opened[location] = made
      return made
    }
  }

  package func maintain() async throws {
    try await mirror.maintain()
    for submodule in opened.withLock({ Array($0.values) }) { try await submodule.maintain() }
  }

  /// A submodule that was read, with its tree.
  private struct Part {
    var source: SubmoduleSource
    var tree: GitTree
  }

  /// Returns a listed submodule: the location of its repository, and the commit that the containing tree references.
  /// - Parameter parts: the submodules that were already read. One of them may contain this submodule.
  /// - Returns: the submodule; `nil` if the commit has none at the path.
  private func source(
    of settings: SubmoduleSettings, in base: GitTree, _ parts: [Part]
  ) async throws -> SubmoduleSource? {
    let container = parts.last { settings.path.isWithin($0.source.path) }
    let (tree, rules) = (container?.tree ?? base, SubmoduleRules(repository: mirror.url))
    let place = container?.source.location ?? SubmoduleLocation(url: mirror.url.text, access: .asRepository)
    let prefix = container?.source.path ?? .root
    return try await mirror.workers.pool.run { () throws -> SubmoduleSource? in
      guard let inner = settings.path.relative(to: prefix), let commit = try tree.submodule(at: inner) else {
        return nil
      }
      do {
        let declared = settings.url == nil ? try Self.declaration(of: inner, in: tree) : nil
        return SubmoduleSource(
          path: settings.path, commit: commit, location: try rules.location(of: settings, declared: declared, in: place)
        )
      } catch let fault as SubmoduleURL.Fault {
        throw Self.unreadable(settings.path, fault.detail, .askPerson)
      } catch let fault as SubmoduleFile.Fault {
        throw Self.unreadable(settings.path, fault.detail, .askPerson)
      }
    }
  }

  private static func declaration(of path: TreePath, in tree: GitTree) throws -> String? {
    guard let entry = try tree.entry(at: SubmoduleFile.path) else { return nil }
    guard entry.isFile else { throw SubmoduleFile.Fault(detail: ".gitmodules is not a file") }
    return try SubmoduleFile(tree.read(SubmoduleFile.path)).urls[path]
  }

  /// Fetches the commit of a submodule if the submodule's mirror lacks the commit or may be damaged.
  /// - Parameter parent: the commit that references the submodule's commit.
  private func provide(_ source: SubmoduleSource, of parent: CommitID, from submodule: GitMirror) async throws {
    let (path, commit) = (source.path, source.commit)
    do throws(any Error) {
      if try await submodule.holdsSafely(commit) { return }
      _ = try await submodule.refresh()
      if try await submodule.holds(commit) { return }
      if try await submodule.fetch(commit) { return }
    } catch let error as GitError where error.kind == .noSuchRemote || error.kind == .unsupported {
      throw Self.unreadable(path, "cannot \(error.operation): \(error.detail)", .askPerson)
    } catch let error as GitError {
      throw GitError(error.kind, "read submodule \(path.text.withVisibleControls): \(error.operation)", error.detail)
    }
    throw Self.unreadable(
      path,
      """
      no branch or tag of \(SubmoduleURL.shown(source.location.url)) has commit \(commit), which commit \
      \(parent.short) of this repository references. Push it there, or make the branch reference another commit. Until then, \
      nothing of commit \(parent.short) is read
      """, .retry)
  }

  private static func unreadable(_ path: TreePath, _ detail: String, _ disposition: Disposition) -> PipelineError {
    PipelineError(
      .unreadableInput, operation: "read submodule \(path.text.withVisibleControls)", detail: detail,
      disposition: disposition)
  }

  private static func missing(_ path: TreePath) -> Diagnostic {
    Diagnostic(
      path: path.text, severity: .warning, message: "is listed in submodules, but this commit has no submodule there",
      hint: "correct the path in the pipeline file. For a nested submodule, also list the submodule that contains it")
  }
}
