import CLibGit2
import ChildPrograms
private import Glibc
import Localization
import Pipeline

/// A network connection to a remote, in the child process. All calls may block forever.
@safe final class RemoteConnection {
  private let remote: Owned
  private let request: NetworkRequest
  private let report: (GitProgress) -> Void
  private var isOverLimit = false
  /// The server's reason for refusing the pushed branch; `nil` if the server refused nothing.
  private var refusal: String?
  private var words = ServerWords()
  /// The connection over ssh; `nil` for other remotes.
  private let tunnel: SSHTunnel?
  /// The connection over http(s); `nil` for other remotes.
  private let web: HTTPTunnel?

  /// - Parameters:
  ///   - mirror: the repository to download into or to push from; `nil` if the connection is only used to list references.
  ///   - report: called whenever data arrives, is packed or is sent, which shows the parent that the child is working.
  init(
    _ request: NetworkRequest, mirror: RepositoryHandle?, report: @escaping (GitProgress) -> Void
  ) throws(GitError) {
    LibGit2.start()
    self.request = request
    self.report = report
    tunnel = request.ssh.map(SSHTunnel.init)
    if let invocation = request.http {
      web = try HTTPTunnel(request, invocation, report: report)
    } else {
      web = nil
    }
    // Over ssh, the tunnel has the server and the path. libgit2 only needs a URL that it accepts.
    let url = tunnel == nil ? request.url : "ssh://tunnel/"
    remote = try unsafe Owned(git_remote_free, "open \(request.url)") {
      if let mirror {
        unsafe git_remote_create_anonymous(&$0, mirror.repository, url)
      } else {
        unsafe git_remote_create_detached(&$0, url)
      }
    }
  }

  deinit {
    unsafe git_remote_disconnect(remote.pointer)
  }

  /// Connects to the remote, which then lists its references.
  /// - Parameter fetching: `true` for a fetch, `false` for a push. The server may require different permissions for a push.
  func connect(fetching: Bool) throws(GitError) {
    let direction = fetching ? GIT_DIRECTION_FETCH : GIT_DIRECTION_PUSH
    var options = unsafe git_remote_connect_options()
    try unsafe check(
      "connect", git_remote_connect_options_init(&options, UInt32(GIT_REMOTE_CONNECT_OPTIONS_VERSION)))
    unsafe options.callbacks = callbacks()
    unsafe options.follow_redirects = GIT_REMOTE_REDIRECT_NONE
    do {
      try unsafe check("connect to \(request.url)", git_remote_connect_ext(remote.pointer, direction, &options))
    } catch {
      if let responses, !responses.errorWords.isEmpty {
        throw GitError(.refused, error.operation, ServerWords.quoting("the server refuses", responses.errorWords))
      }
      if let responses, responses.isShallow { throw GitError.shallow(error.operation) }
      if let fault = tunnelFault("connect to \(request.url)") { throw fault }
      // libgit2 reports "Connection refused" as a system error, like a full disk. Connecting does not use the disk.
      throw error.kind == .disk ? GitError(.unreachable, error.operation, error.detail) : error
    }
    if let responses, responses.isShallow { throw GitError.shallow("connect to \(request.url)") }
  }

  /// Returns the references that the server advertised on this connection.
  func advertised() throws(GitError) -> (heads: RemoteHeads, ids: [String: ObjectID]) {
    var list: UnsafeMutablePointer<UnsafePointer<git_remote_head>?>?
    var count = 0
    try unsafe check("list \(request.url)", git_remote_ls(&list, &count, remote.pointer))
    var ids: [String: ObjectID] = [:]
    var headTarget: String?
    var unreadable: Set<String> = []
    for index in 0..<count {
      guard let head = unsafe list?[index]?.pointee, let text = unsafe head.name else { continue }
      guard let name = unsafe String(validatingCString: text) else {
        let bytes = unsafe UnsafeRawBufferPointer(start: text, count: strlen(text))
        unsafe unreadable.insert(String(escaping: bytes))
        continue
      }
      unsafe ids[name] = ObjectID(head.oid)
      if name == "HEAD", let target = unsafe head.symref_target {
        headTarget = unsafe String(cString: target)
      }
    }
    return (RemoteHeads(ids: ids, headTarget: headTarget, unreadable: unreadable), ids)
  }

  /// Downloads the advertised objects that the mirror lacks.
  /// - Parameter references: the refspec of the references to download. No reference of the mirror is changed.
  func download(_ references: String = "+refs/heads/*:refs/heads/*") throws(GitError) {
    var options = unsafe git_fetch_options()
    try unsafe check("fetch", git_fetch_options_init(&options, UInt32(GIT_FETCH_OPTIONS_VERSION)))
    unsafe options.callbacks = callbacks()
    unsafe options.download_tags = GIT_REMOTE_DOWNLOAD_TAGS_NONE
    unsafe options.follow_redirects = GIT_REMOTE_REDIRECT_NONE
    try unsafe withStrings([references]) { (refspecs) throws(GitError) in
      try unsafe transferring("fetch", git_remote_download(remote.pointer, refspecs, &options))
    }
  }

  /// Downloads a commit that no reference of the server points to. Many servers allow this, because git's own submodule commands need it.
  /// - Returns: `false` if the server does not allow this or does not have the commit.
  func downloadUnadvertised(_ commit: CommitID, into mirror: RepositoryHandle) throws(GitError) -> Bool {
    guard let id = ObjectID(commit) else { return false }
    do { try download("+\(commit):refs/dragoman/\(commit)") } catch {
      // The messages of libgit2, git's server and JGit's server.
      let refusals = ["cannot fetch a specific object", "not our ref", "not valid"]
      guard refusals.contains(where: error.detail.contains) else { throw error }
      return false
    }
    return mirror.holds(id)
  }

  /// Pushes a commit on the connection on which the branch's current commit was checked.
  /// - Parameter reference: the full name of a reference of the mirror, because libgit2 can only push references.
  /// - Returns: the reason why the server refused; `nil` if the server accepted the commit.
  func push(_ reference: String, to branch: String) throws(GitError) -> String? {
    var options = unsafe git_push_options()
    try unsafe check("push", git_push_options_init(&options, UInt32(GIT_PUSH_OPTIONS_VERSION)))
    unsafe options.callbacks = callbacks()
    unsafe options.follow_redirects = GIT_REMOTE_REDIRECT_NONE
    // The plus sign permits a push that is not a fast-forward, for a rebuilt branch. The lease prevents the loss of other commits.
    try unsafe withStrings(["+\(reference):refs/heads/\(branch)"]) { (refspecs) throws(GitError) in
      try unsafe transferring("push to", git_remote_upload(remote.pointer, refspecs, &options))
    }
    return refusal.map { ServerWords.quoting($0, words.summary) }
  }

  /// Throws an error if a transfer failed. The server's messages are preferred, because they are more precise than libgit2's error.
  private func transferring(_ verb: String, _ code: Int32) throws(GitError) {
    guard code < 0 else { return }
    if isOverLimit {
      git_error_clear()
      throw GitError(
        .refused, "\(verb) \(request.url)",
        "the server sends more than \(request.fetchLimit >> 20) MiB, the limit of one fetch. If the "
          + "repository is that large, raise DRAGOMAN_FETCH_LIMIT")
    }
    let error = lastError("\(verb) \(request.url)", code)
    let words = [responses?.errorWords ?? "", words.summary].filter { !$0.isEmpty }.joined(separator: "; ")
    let isFetch = verb == "fetch"
    if let responses, !responses.errorWords.isEmpty {
      // The server listed its branches before, so most failures are temporary.
      let kind = isFetch ? GitError.Kind(refusing: responses.errorWords) ?? .unreachable : error.kind
      throw GitError(kind, error.operation, ServerWords.quoting("the transfer failed", words))
    }
    if let fault = tunnelFault(error.operation) { throw fault }
    // Missing delta bases are objects that the mirror should have. All other errors in a pack come from the server or the network.
    let isDamaged =
      isFetch && [.missingObject, .unreachable].contains(error.kind) && !error.detail.contains("missing delta bases")
    guard isDamaged || !words.isEmpty else { throw error }
    let what = isDamaged ? "the server's response is damaged or cut off: \(error.detail)" : "the transfer failed"
    throw GitError(isDamaged ? .unreachable : error.kind, error.operation, ServerWords.quoting(what, words))
  }

  private var responses: ServerResponses? { tunnel?.responses ?? web?.responses }

  /// Returns the reason why the connection ended; `nil` if the tunnel has recorded none.
  private func tunnelFault(_ operation: String) -> GitError? {
    if let fault = web?.fault { return GitError(fault.kind, operation, fault.detail) }
    guard let tunnel else { return nil }
    if let fault = tunnel.startFault { return GitError(.refused, fault.operation, fault.detail) }
    if let fault = tunnel.responses.limitFault(operation) { return fault }
    if tunnel.usesOtherHash {
      return GitError(.unsupported, operation, "the repository's object ids are not SHA-1; only SHA-1 is supported")
    }
    if let line = tunnel.greeting {
      return GitError(
        .refused, operation,
        ServerWords.quoting("the server did not start git", line)
          + ". Allow the account to run git there; if this is a greeting, remove it from the startup files of the "
          + "account's shell")
    }
    return tunnel.lastWords.map { GitError(ssh: $0, request, operation, wasConnected: tunnel.hasReceived) }
  }

  private func callbacks() -> git_remote_callbacks {
    var callbacks = unsafe git_remote_callbacks()
    unsafe git_remote_init_callbacks(&callbacks, UInt32(GIT_REMOTE_CALLBACKS_VERSION))
    unsafe callbacks.payload = Unmanaged.passUnretained(self).toOpaque()
    unsafe callbacks.push_update_reference = noteReferenceStatus
    unsafe callbacks.transfer_progress = noteTransfer
    unsafe callbacks.push_transfer_progress = noteUpload
    unsafe callbacks.sideband_progress = noteWords
    unsafe callbacks.pack_progress = notePacking
    if tunnel != nil || web != nil { unsafe callbacks.transport = makeTunnelTransport }
    return unsafe callbacks
  }
}

extension RemoteConnection {
  fileprivate func makeTransport(
    _ out: UnsafeMutablePointer<UnsafeMutablePointer<git_transport>?>?, _ remote: OpaquePointer?
  ) -> Int32 { unsafe tunnel?.makeTransport(out, remote) ?? web?.makeTransport(out, remote) ?? GIT_ERROR.rawValue }

  fileprivate func noteRefusal(_ text: String) { refusal = text }
  fileprivate func note(_ progress: GitProgress) { report(progress) }

  /// Reports the progress of a download, and checks the limit of a fetch.
  /// - Returns: whether the transfer can continue.
  fileprivate func noteReceived(_ progress: GitProgress) -> Bool {
    tunnel?.responses.isInPack = true
    web?.responses.isInPack = true
    isOverLimit = progress.bytes > request.fetchLimit
    report(progress)
    return !isOverLimit
  }

  fileprivate func hear(_ text: String) {
    words.add(text)
    report(GitProgress(objects: 0, totalObjects: 0, bytes: 0))
  }
}

/// Runs `body` with texts as a `git_strarray`.
private func withStrings(
  _ texts: [String], _ body: (UnsafePointer<git_strarray>) throws(GitError) -> Void
) throws(GitError) {
  var copies = unsafe texts.map { unsafe strdup($0) }
  defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
  let result: Result<Void, GitError> = unsafe copies.withUnsafeMutableBufferPointer { buffer in
    var array = unsafe git_strarray(strings: buffer.baseAddress, count: buffer.count)
    do throws(GitError) { return .success(try unsafe body(&array)) } catch { return .failure(error) }
  }
  try result.get()
}

// Callbacks get their connection from the payload. The connection outlives every call, because the caller holds it. Callbacks never throw.

private func connection(_ payload: UnsafeMutableRawPointer?) -> RemoteConnection? {
  unsafe payload.map { unsafe Unmanaged<RemoteConnection>.fromOpaque($0).takeUnretainedValue() }
}

private let makeTunnelTransport: git_transport_cb = { out, remote, payload in
  unsafe connection(payload)?.makeTransport(out, remote) ?? GIT_ERROR.rawValue
}

private let noteReferenceStatus: git_push_update_reference_cb = { _, status, payload in
  if let words = unsafe status.map({ unsafe String(cString: $0) }) {
    unsafe connection(payload)?.noteRefusal(words)
  }
  return 0
}

private let noteTransfer: git_indexer_progress_cb = { progress, payload in
  guard let progress = unsafe progress?.pointee, let connection = unsafe connection(payload) else { return 0 }
  let mayGoOn = connection.noteReceived(
    GitProgress(
      objects: Int(progress.received_objects), totalObjects: Int(progress.total_objects),
      bytes: progress.received_bytes))
  return mayGoOn ? 0 : GIT_EUSER.rawValue
}

private let noteUpload: git_push_transfer_progress_cb = { current, total, bytes, payload in
  unsafe connection(payload)?.note(GitProgress(objects: Int(current), totalObjects: Int(total), bytes: bytes))
  return 0
}

private let noteWords: git_transport_message_cb = { text, count, payload in
  let bytes = unsafe UnsafeRawBufferPointer(start: text, count: max(0, Int(count)))
  unsafe connection(payload)?.hear(String(decoding: bytes, as: UTF8.self))
  return 0
}

private let notePacking: git_packbuilder_progress = { _, current, total, payload in
  unsafe connection(payload)?.note(GitProgress(objects: Int(current), totalObjects: Int(total), bytes: 0))
  return 0
}
