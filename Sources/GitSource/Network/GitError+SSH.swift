import ChildPrograms

extension GitError {
  /// Creates the error for a connection that ssh did not make or that ended.
  /// - Parameters:
  ///   - words: the standard error output of ssh and of the program on the server.
  ///   - wasConnected: whether the server sent anything.
  init(ssh words: String, _ request: NetworkRequest, _ operation: String, wasConnected: Bool) {
    guard let server = request.ssh?.server else {
      self.init(.failed, operation, "the request names no ssh server")
      return
    }
    let fault = SSHFault(
      words, server, address: "url", knownHosts: request.ssh?.knownHosts,
      usesAgent: request.ssh?.usesAgent ?? false, wasConnected: wasConnected)
    guard fault.kind == .lost else {
      self.init(fault, operation)
      return
    }
    // The program on the server, or the forge in its place, sent a message, such as "ERROR: Repository not found." or "fatal: '/x' does not appear to
    // be …".
    var said = ServerWords()
    said.add(words)
    let text = words.lowercased()
    func says(_ parts: String...) -> Bool { parts.contains { text.contains($0) } }
    let (kind, what): (Kind, String) =
      if says("command not found", "git-upload-pack: not found", "git-receive-pack: not found") {
        (.refused, "git is not installed on the server")
      } else if says("does not appear to be a git repository", "not found", "does not exist", "could not be found") {
        (.noSuchRemote, "the server has no such repository, or the account may not see it")
      } else if let kind = Kind(refusing: words) {
        (kind, "the server refuses access")
      } else {
        (.unreachable, wasConnected ? "the ssh connection ended" : "ssh ended without a connection")
      }
    self.init(kind, operation, ServerWords.quoting(what, said.summary))
  }

  /// Creates the error for a fault of ssh itself.
  init(_ fault: SSHFault, _ operation: String) {
    let kind: Kind =
      switch fault.kind {
      case .notStarted, .refused: .refused
      case .hostNotFound, .noConnection, .lost: .unreachable
      case .noResponse: .timedOut
      }
    self.init(kind, operation, fault.detail)
  }
}

extension GitError.Kind {
  /// - Returns: `refused` if the server's message says that access is denied; otherwise `nil`.
  init?(refusing words: String) {
    let text = words.lowercased()
    let refusals = ["denied", "read only", "read-only", "not allowed", "unauthorized", "forbidden", "not permitted"]
    guard refusals.contains(where: text.contains) else { return nil }
    self = .refused
  }
}
