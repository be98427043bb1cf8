import CLibGit2
private import Glibc
import Pipeline

/// A remote repository on this machine. This process reads and writes the repository itself, without a child process, because no server can delay the
/// work.
struct LocalRemote {
  let path: String

  /// Returns the branches. Only the reference files are read, not the objects.
  func heads() throws(GitError) -> RemoteHeads {
    let location = try RepositoryLocation.find(path, searchingUpwards: false)
    // A linked work tree stores its references in another folder, which `GitRepository` finds.
    guard FileKind(location.folder) == .folder, FileKind(location.folder + "/commondir") == nil else {
      return RemoteHeads(try GitRepository(path: path).references)
    }
    return RemoteHeads(References(folder: location.folder, commonFolder: location.folder))
  }

  /// Copies the objects of all branches into the mirror. If the mirror has no references yet, all objects of the remote are linked or copied first.
  /// The caller updates the mirror's references.
  func download(into mirror: GitRepository) throws(GitError) -> RemoteHeads {
    let remote = try GitRepository(path: path)
    // References are read first, because a reference is written only after its objects.
    let heads = RemoteHeads(remote.references)
    let tips = heads.branches.compactMap { ObjectID($0.commit) }
    try mirror.withHandle { (target) throws(GitError) in
      guard !tips.allSatisfy(target.holds) else { return }
      if mirror.references.list("refs/").isEmpty {
        try ObjectFiles(folder: remote.commonFolder + "/objects")
          .link(into: ObjectFiles(folder: mirror.commonFolder + "/objects"))
      }
      try remote.withHandle { (source) throws(GitError) in
        var transfer = ObjectTransfer(source: source, target: target)
        for tip in tips { try transfer.addHistory(of: tip) }
        try transfer.copy(into: mirror.commonFolder + "/objects")
      }
    }
    return heads
  }

  /// Copies the objects of one reference into the mirror.
  /// - Returns: the commit of the reference; `nil` if the remote does not have the reference.
  func download(_ reference: String, into mirror: GitRepository) throws(GitError) -> CommitID? {
    let remote = try GitRepository(path: path)
    guard let tip = remote.references.resolve(reference) else { return nil }
    try copy(tip, of: remote, into: mirror)
    return tip.commit
  }

  /// Copies the objects of a commit into the mirror, even if no branch of the remote contains the commit.
  /// - Returns: whether the remote has the commit.
  func download(_ commit: CommitID, into mirror: GitRepository) throws(GitError) -> Bool {
    let remote = try GitRepository(path: path)
    let id = try remote.objectID(commit)
    guard try remote.withHandle({ (source) throws(GitError) in try source.holdsCommit(id) }) else { return false }
    try copy(id, of: remote, into: mirror)
    return true
  }

  private func copy(_ tip: ObjectID, of remote: GitRepository, into mirror: GitRepository) throws(GitError) {
    try mirror.withHandle { (target) throws(GitError) in
      guard !target.holds(tip) else { return }
      try remote.withHandle { (source) throws(GitError) in
        var transfer = ObjectTransfer(source: source, target: target)
        try transfer.addHistory(of: tip)
        try transfer.copy(into: mirror.commonFolder + "/objects")
      }
    }
  }

  /// Pushes a commit if the branch is still at the expected commit. The repository's hooks are not run, so the push fails if the repository has a
  /// hook that can refuse pushes. It also fails if the branch is checked out in the repository.
  func push(
    _ commit: ObjectID, to branch: String, expecting expected: ObjectID?, from mirror: GitRepository
  ) throws(GitError) -> PushResult {
    let remote = try GitRepository(path: path)
    let name = "refs/heads/" + branch
    let current = remote.references.resolve(name)
    if current == commit { return .upToDate }
    guard current == expected else { return .leaseLost(remote: current?.commit) }
    if let reason = remote.readOnlyReason { return .refused("\(path) is read-only: \(reason)") }
    if !remote.isBare && remote.references.headBranch == branch {
      throw GitError(
        .refused, "push to \(path)",
        "branch '\(branch)' is checked out there, and a push would not update its files. Push to a bare repository, check "
          + "out another branch there, or set deliver.mode: branch")
    }
    return try remote.withHandle { (target) throws(GitError) in
      if let hook = hook(of: remote, target) { throw refusal(because: hook) }
      try mirror.withHandle { (source) throws(GitError) in
        var transfer = ObjectTransfer(source: source, target: target)
        try transfer.addHistory(of: commit)
        try transfer.copy(
          into: remote.commonFolder + "/objects", filesOf: (mirror.commonFolder + "/objects", mirror.written))
      }
      if try target.moveReference(name, from: expected, to: commit) { return .pushed }
      return .leaseLost(remote: remote.references.resolve(name)?.commit)
    }
  }

  /// Checks, as far as possible without a push, whether a push would succeed.
  /// - Throws: the reason why a push would fail.
  func checkPush() throws(GitError) {
    let operation = "push to \(path)"
    let remote = try GitRepository(path: path)
    if let reason = remote.readOnlyReason { throw GitError(.refused, operation, "it is read-only: \(reason)") }
    for folder in ["objects", "refs/heads"] where unsafe access("\(remote.commonFolder)/\(folder)", W_OK) != 0 {
      throw GitError(.refused, operation, "this account has no permission to write to \(remote.commonFolder)/\(folder)")
    }
    try remote.withHandle { (target) throws(GitError) -> Void in
      if let hook = hook(of: remote, target) { throw refusal(because: hook) }
    }
  }

  private func refusal(because hook: String) -> GitError {
    GitError(
      .refused, "push to \(path)",
      "\(hook) may refuse a push, but a push to a local path runs no hooks. Set repository.url to an https:// or "
        + "http://localhost URL, or remove the hook")
  }

  /// Returns the path of a hook that can refuse a push; `nil` if there is none.
  private func hook(of remote: GitRepository, _ handle: RepositoryHandle) -> String? {
    var folder = remote.commonFolder + "/hooks"
    if let set = handle.setting("core.hookspath") {
      folder = set.hasPrefix("/") ? set : (remote.isBare ? remote.folder : path) + "/" + set
    }
    return ["pre-receive", "update", "reference-transaction"].map { folder + "/" + $0 }
      .first { unsafe access($0, X_OK) == 0 }
  }
}

extension RepositoryHandle {
  /// Returns a value of the repository's own configuration; `nil` if the value is not set.
  fileprivate func setting(_ name: String) -> String? {
    var config: OpaquePointer?
    defer {
      unsafe git_config_free(config)
      git_error_clear()
    }
    var value = unsafe git_buf()
    guard unsafe git_repository_config_snapshot(&config, repository) == 0,
      unsafe git_config_get_string_buf(&value, config, name) == 0
    else { return nil }
    defer { unsafe git_buf_dispose(&value) }
    return unsafe value.ptr.map { unsafe String(cString: $0) }
  }
}
