package import ChildPrograms
private import Glibc
internal import HTTPTransport
package import Localization
package import Pipeline
internal import Tracing

/// A bare mirror of a remote repository.
///
/// For a remote on the same machine, this process reads and writes the remote's files. Over HTTP, it lists the branches on a persistent connection,
/// and starts a child process for transfers and for ``checkPush()``. Over ssh, a child process also lists the branches.
package struct GitMirror: RepositoryMirror {
  /// A function that returns the secret for one operation: `user:password` or a token for HTTP, a private key or a password for ssh. The function is
  /// called for each operation, because tokens may be short-lived. A result of `nil` means that no credentials are sent over HTTP, and that ssh uses
  /// its agent and the account's default keys. The key for signing commits has the same type of source; `nil` then means that commits are not signed.
  package typealias CredentialSource = @Sendable () async throws -> Secret?

  /// A function that returns the settings for connecting to an http(s) server. The function is called for each operation, because secrets may change.
  package typealias ConnectionSource = @Sendable () async throws -> HTTPConnection

  package let url: RemoteURL
  /// The folder of the bare repository. It is a cache: it can be deleted at any time, and `refresh` creates it again.
  package let folder: String
  package var maintenance = MaintenanceLimits()

  private let credentials: CredentialSource
  private let pushCredentials: CredentialSource
  private let renewal: CredentialRenewal?
  let signingKey: CredentialSource
  private let connection: ConnectionSource
  private let fetchLimit: Int
  private let ssh: SSHSettings
  private let connectLimit: Duration
  let store: MirrorStore
  let workers: GitWorkers
  private let look: RemoteLook
  private let transfer: NetworkTransfer

  /// - Parameters:
  ///   - url: the remote's address, without credentials (see ``RemoteURL``).
  ///   - credentials: the source of secrets for reading, and for pushing if `pushCredentials` is `nil`.
  ///   - renewal: replaces credentials that the remote refuses; `nil` if they cannot be replaced.
  ///   - signingKey: returns the private SSH or OpenPGP key for signing commits, or `nil` if commits are not signed.
  ///   - networkChild: the program and the limits of network operations.
  ///   - workers: the threads and slots that all mirrors of the process share.
  ///   - progress: called with the progress of network transfers.
  /// - Throws: `unsupported` for a URL that ``RemoteURL`` does not accept.
  package init(
    url: String, folder: String, credentials: @escaping CredentialSource = { nil },
    pushCredentials: CredentialSource? = nil, renewal: CredentialRenewal? = nil,
    signingKey: @escaping CredentialSource = { nil },
    connection: @escaping ConnectionSource = { HTTPConnection() },
    networkChild: GitNetworkChild = GitNetworkChild(),
    ssh: SSHSettings = SSHSettings(readsConfiguration: true), workers: GitWorkers = .shared,
    progress: @escaping @Sendable (GitProgress) -> Void = { _ in }
  ) throws(GitError) {
    self.url = try RemoteURL(url)
    self.folder = folder
    self.credentials = credentials
    self.pushCredentials = pushCredentials ?? credentials
    self.renewal = renewal
    self.signingKey = signingKey
    self.connection = connection
    fetchLimit = networkChild.fetchLimit
    self.ssh = ssh
    connectLimit = min(networkChild.stallLimit, networkChild.deadline)
    self.workers = workers
    store = workers.store(folder: folder)
    look = RemoteLook(url: self.url, child: networkChild, network: workers.network)
    transfer = NetworkTransfer(child: networkChild, network: workers.network, progress: progress)
  }

  private var local: LocalRemote? { url.localPath.map { LocalRemote(path: $0) } }

  /// Runs an operation with the secret. If the remote refuses the secret, runs the operation once more with a new secret if there is one.
  /// - Throws: `refused` if the secret would be sent unencrypted.
  private func withSecret<Value>(
    from source: CredentialSource, _ operation: String, _ body: (Secret?) async throws -> Value
  ) async throws -> Value {
    try await CredentialRenewal.run(with: source, renewal) { secret in
      guard secret == nil || url.isSafeForSecrets else {
        throw GitError(
          .refused, operation,
          "http is not encrypted, so no credentials are sent over it. Use an https URL, or remove the credentials")
      }
      return try await body(secret)
    }
  }

  /// Lists the branches of a remote on another machine. Over ssh, a child process lists them; over HTTP, this process does.
  private func heads(_ operation: String) async throws -> RemoteHeads {
    if url.ssh != nil {
      guard case .heads(let heads) = try await ask(.list, operation, as: credentials) else {
        throw unexpected(operation)
      }
      return heads
    }
    let (look, connection) = (look, try await connection())
    return try await withSecret(from: credentials, operation) { secret in
      let credentials = secret.map(GitCredentials.init)
      return try await masking(credentials) {
        try await workers.network.requests.run(url.text, operation) { _ in
          try await look.heads(credentials, over: connection, operation)
        }
      }
    }
  }

  /// Runs `body`, and removes the credentials from the message of its error, because some servers repeat the credentials that they received.
  private func masking<Value>(_ credentials: GitCredentials?, _ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch let error as GitError {
      throw GitError(error.kind, error.operation, Self.mask(credentials).text(error.detail))
    }
  }

  private static func mask(_ credentials: GitCredentials?) -> SecretMask {
    SecretMask([], whole: [credentials?.secret, credentials.map { Secret("\($0.user ?? ""):\($0.secret.reveal())") }])
  }

  private func ask(
    _ request: NetworkRequest.Operation, _ operation: String, as source: CredentialSource
  ) async throws -> NetworkMessage {
    try await withSecret(from: source, operation) { try await ask(request, operation, with: $0) }
  }

  private func ask(
    _ request: NetworkRequest.Operation, _ operation: String, with secret: Secret?
  ) async throws -> NetworkMessage {
    var request = NetworkRequest(
      url: url.text, operation: request, fetchLimit: fetchLimit)
    let credentials = secret.map(GitCredentials.init)
    var command: SSHCommand?
    if let repository = url.ssh {
      do {
        let made = try SSHCommand(
          repository.server, secret.map(SSHCredentials.init) ?? .agent, ssh, connect: connectLimit)
        request.ssh = SSHInvocation(repository, made, knownHosts: ssh.knownHosts)
        command = made
      } catch { throw GitError(error, operation) }
    } else {
      request.http = HTTPInvocation(try await connection())
      if let credentials {
        request.user = credentials.user
        request.password = credentials.secret.reveal()
      }
    }
    let (transfer, sent) = (transfer, request)
    // The files with the secrets must exist until the account is authenticated.
    defer { withExtendedLifetime(command) {} }
    let reply = try await masking(credentials) {
      try await workers.network.children.run(url.text, operation) { listening in
        try await transfer.run(sent, operation, listening)
      }
    }
    guard case .push(.refused(let words)) = reply else { return reply }
    return .push(.refused(Self.mask(credentials).text(words)))
  }

  /// Returns the current branches of the remote, without using or changing the mirror.
  package func remoteBranches() async throws -> [BranchHead] { try await lookAtRemote().branches }

  /// Returns the current branches of the remote, and its default branch if the remote reports one. The mirror is neither used nor changed.
  package func lookAtRemote() async throws -> (branches: [BranchHead], defaultBranch: String?) {
    let found = if let local { try await store.list(local) } else { try await heads("list \(url)") }
    return (found.heads, found.defaultBranch)
  }

  /// Checks whether the remote accepts pushes with the configured credentials, as far as this is known before a push. Hooks and rules for individual
  /// branches can still refuse a push. Nothing is pushed, and the mirror is neither used nor changed.
  /// - Throws: `GitError` with the remote's message if it does not accept pushes. For a remote on the same machine, the error has the reason, such as
  ///   a missing permission or a hook.
  package func checkPush() async throws {
    let operation = "push to \(url)"
    if let local { return try await store.checkPush(to: local) }
    guard case .heads = try await ask(.listForPush, operation, as: pushCredentials) else { throw unexpected(operation) }
  }

  package func refresh() async throws -> [BranchHead] {
    try await withSpan("git fetch", ofKind: .client) { _ in try await refreshed() }
  }

  private func refreshed() async throws -> [BranchHead] {
    let operation = "fetch \(url)"
    return try await store.gate.run(operation) {
      if let local {
        let heads = try await store.list(local)
        await store.note(unreadable: heads.unreadable)
        if let known = try await store.unchanged(at: heads) { return known }
        return try await store.adopt(store.download(from: local))
      }
      let heads = try await heads(operation)
      await store.note(unreadable: heads.unreadable)
      if let known = try await store.unchanged(at: heads) { return known }
      let mirror = try await store.prepareDownload()
      let reply: NetworkMessage
      do { reply = try await ask(.fetch(mirror: mirror.folder), operation, as: credentials) } catch {
        await store.removeLeftovers()
        // The mirror lacks an object that the fetched objects refer to.
        if (error as? GitError)?.kind == .missingObject { await store.noteDamage() }
        throw error
      }
      guard case .heads(let fetched) = reply else { throw unexpected(operation) }
      return try await store.adopt(fetched)
    }
  }

  package func unreadableBranches() async throws -> [String] { await store.unreadable }

  package func fetch(_ reference: String) async throws -> CommitID? {
    let operation = "fetch \(reference) of \(url)"
    guard reference.hasPrefix("refs/"), References.isWellFormed(reference) else {
      throw GitError(.failed, operation, "git does not allow this reference name")
    }
    return try await store.gate.run(operation) {
      if let local { return try await store.download(reference, from: local) }
      return try await fetched(.fetchReference(mirror: store.prepareDownload().folder, name: reference), operation)
    }
  }

  package func fetch(_ commit: CommitID) async throws -> Bool {
    let operation = "fetch \(commit.short) of \(url)"
    return try await store.gate.run(operation) {
      if let local { return try await store.download(commit, from: local) }
      return try await fetched(.fetchCommit(mirror: store.prepareDownload().folder, commit: commit), operation) != nil
    }
  }

  private func fetched(_ request: NetworkRequest.Operation, _ operation: String) async throws -> CommitID? {
    let reply: NetworkMessage
    do { reply = try await ask(request, operation, as: credentials) } catch {
      await store.removeLeftovers()
      throw error
    }
    guard case .reference(let commit) = reply else { throw unexpected(operation) }
    return commit
  }

  package func push(_ commit: CommitID, to branch: String, expecting expected: CommitID?) async throws -> PushResult {
    try await withSpan("git push", ofKind: .client) { _ in try await pushed(commit, to: branch, expecting: expected) }
  }

  private func pushed(_ commit: CommitID, to branch: String, expecting expected: CommitID?) async throws -> PushResult {
    let operation = "push to \(url)"
    guard References.isWellFormed("refs/heads/" + branch) else {
      throw GitError(.failed, operation, "git does not allow '\(branch)' as a branch name")
    }
    return try await store.gate.run(operation) {
      // The branches are listed first. Over HTTP, this detects an unresponsive server without starting a process. The transfer checks the branch
      // again on its own connection.
      let heads = if let local { try await store.list(local) } else { try await heads(operation) }
      let current = heads.branches.first { $0.name == branch }?.commit
      if current == commit {
        try await store.note(commit, at: branch)
        return .upToDate
      }
      guard current == expected else { return .leaseLost(remote: current) }
      try heads.checkCollision(of: branch, operation)
      if let local {
        let result = try await store.push(commit, to: branch, expecting: expected, at: local)
        if result == .pushed || result == .upToDate { try await store.note(commit, at: branch) }
        return result
      }
      let request = NetworkRequest.Operation.push(
        mirror: try await store.prepare().folder, commit: commit, reference: try await store.name(commit, for: branch),
        branch: branch, expected: expected)
      guard case .push(let outcome) = try await ask(request, operation, as: pushCredentials) else {
        throw unexpected(operation)
      }
      switch outcome {
      case .pushed:
        try await store.note(commit, at: branch)
        return .pushed
      case .upToDate:
        try await store.note(commit, at: branch)
        return .upToDate
      case .leaseLost(let remote): return .leaseLost(remote: remote)
      case .refused(let reason): return .refused(reason)
      }
    }
  }

  package func maintain() async throws {
    let operation = "maintain the mirror of \(url)"
    let flag = CancellationFlag()
    try await withTaskCancellationHandler {
      try await store.gate.run(operation) {
        try await store.maintain(maintenance, now: Int(time(nil)), isCancelled: { flag.isCancelled })
      }
    } onCancel: {
      flag.cancel()
    }
  }

  private func unexpected(_ operation: String) -> GitError {
    GitError(.failed, operation, "the git network process sent an unexpected reply")
  }
}
