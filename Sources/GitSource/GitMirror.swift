package import Localization
package import Pipeline

/// A bare mirror of a remote repository, by path, `file:` or `http(s):` URL.
///
/// A remote on this machine is read in this process; one behind a network in a child that has a deadline.
package struct GitMirror: RepositoryMirror {
  package let url: RemoteURL
  /// Where the bare repository is. It is a cache: it may be deleted at any time and is made anew by `refresh`.
  package let folder: String

  private let credentials: @Sendable () throws -> GitCredentials?
  private let pushCredentials: @Sendable () throws -> GitCredentials?
  private let certificates: String?
  private let store: MirrorStore
  private let network: NetworkLane

  /// - Parameters:
  ///   - url: a path, a `file:` or an `http(s):` URL, without credentials.
  ///   - networkChild: the program and the limits of network operations.
  ///   - progress: told about transfers over a network.
  /// - Throws: `unsupported` for any other URL.
  package init(
    url: String, folder: String, credentials: GitCredentials? = nil, networkChild: GitNetworkChild = GitNetworkChild(),
    progress: @escaping @Sendable (GitProgress) -> Void = { _ in }
  ) throws(GitError) {
    try self.init(
      url: url, folder: folder, credentials: { credentials }, pushCredentials: { credentials },
      networkChild: networkChild, progress: progress)
  }

  /// - Parameters:
  ///   - credentials: asked before each operation, so that a secret that changes is used without a restart.
  ///   - pushCredentials: those for pushing.
  package init(
    url: String, folder: String, credentials: @escaping @Sendable () throws -> GitCredentials?,
    pushCredentials: @escaping @Sendable () throws -> GitCredentials?,
    networkChild: GitNetworkChild = GitNetworkChild(),
    progress: @escaping @Sendable (GitProgress) -> Void = { _ in }
  ) throws(GitError) {
    self.url = try RemoteURL(url)
    self.folder = folder
    self.credentials = credentials
    self.pushCredentials = pushCredentials
    certificates = networkChild.certificates
    store = MirrorStore(folder: folder)
    network = NetworkLane(networkChild, progress: progress)
  }

  private var local: LocalRemote? { url.localPath.map { LocalRemote(path: $0) } }

  private func ask(_ operation: NetworkRequest.Operation, _ words: String) async throws -> NetworkMessage {
    let credentials = if case .push = operation { try pushCredentials() } else { try credentials() }
    return try await network.run(
      NetworkRequest(
        url: url.text, operation: operation, user: credentials?.user, password: credentials?.secret.reveal(),
        certificates: certificates), "\(words) \(url)")
  }

  /// The branches of the remote now; the mirror is neither needed nor changed.
  package func remoteBranches() async throws -> [BranchHead] {
    if let local { return try await store.list(local) }
    guard case .heads(let heads) = try await ask(.list, "list") else { throw unexpected("list") }
    return heads.heads
  }

  package func refresh() async throws -> [BranchHead] {
    if let local { return try await store.adopt(store.download(from: local)) }
    let mirror = try await store.prepare()
    let answer: NetworkMessage
    do { answer = try await ask(.fetch(mirror: mirror.folder), "fetch") } catch {
      await store.removeLeftovers()
      throw error
    }
    guard case .heads(let heads) = answer else { throw unexpected("fetch") }
    return try await store.adopt(heads)
  }

  package func push(_ commit: CommitID, to branch: String, expecting expected: CommitID?) async throws -> PushResult {
    guard References.isWellFormed("refs/heads/" + branch) else {
      throw GitError(.failed, "push to \(url)", "'\(branch)' is not a name that a branch may have")
    }
    if let local { return try await store.push(commit, to: branch, expecting: expected, at: local) }
    let request = NetworkRequest.Operation.push(
      mirror: try await store.prepare().folder, commit: commit, reference: try await store.name(commit, for: branch),
      branch: branch, expected: expected)
    guard case .push(let outcome) = try await ask(request, "push to") else { throw unexpected("push to") }
    switch outcome {
    case .pushed: return .pushed
    case .upToDate: return .upToDate
    case .leaseLost(let remote): return .leaseLost(remote: remote)
    case .refused(let reason): return .refused(reason)
    }
  }

  private func unexpected(_ words: String) -> GitError {
    GitError(.failed, "\(words) \(url)", "the network child answers something else")
  }
}

extension GitMirror {
  package func defaultBranch() async throws -> String? { try await store.defaultBranch() }

  package func branches() async throws -> [BranchHead] { try await store.branches() }

  package func commit(_ id: CommitID) async throws -> CommitInfo { try await store.commit(id) }

  package func tree(of commit: CommitID) async throws -> any SourceTree { try await store.tree(of: commit) }

  package func changes(from: CommitID?, to: CommitID) async throws -> [TreeChange] {
    try await store.changes(from: from, to: to)
  }

  package func mergeBase(_ a: CommitID, _ b: CommitID) async throws -> CommitID? { try await store.mergeBase(a, b) }

  package func history(of tip: CommitID, excluding excluded: CommitID?, limit: Int) async throws -> [CommitInfo] {
    try await store.history(of: tip, excluding: excluded, limit: limit)
  }

  package func makeCommit(
    _ edits: TreeEdits, on parent: CommitID, message: String, author: CommitSignature, committer: CommitSignature
  ) async throws -> CommitID {
    try await store.makeCommit(edits, on: parent, message: message, author: author, committer: committer)
  }

  package func makeMerge(
    of first: CommitID, and second: CommitID, resolving resolved: [TreePath: [UInt8]?], message: String,
    author: CommitSignature, committer: CommitSignature
  ) async throws -> MergeResult {
    throw GitError(.unsupported, "merge \(first.short) and \(second.short)", "not built yet")
  }

  package func holds(_ commit: CommitID) async throws -> Bool {
    do { _ = try await store.commit(commit) } catch { return false }
    return true
  }

  package func maintain() async throws {}

  package func moveLocalBranch(_ name: String, from old: CommitID?, to new: CommitID) async throws -> Bool {
    try await store.moveLocalBranch(name, from: old, to: new)
  }

  package func localBranch(_ name: String) async throws -> CommitID? { try await store.localBranch(name) }

  package func statistics(from: CommitID, to: CommitID) async throws -> [FileStatistics] {
    try await store.statistics(from: from, to: to)
  }
}
