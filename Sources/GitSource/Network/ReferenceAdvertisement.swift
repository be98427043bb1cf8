import Localization

/// The references that a server lists, in protocol version 0, 1 or 2.
struct ReferenceAdvertisement {
  var ids: [String: ObjectID] = [:]
  /// The full names of references that are not UTF-8, with escapes (`String.init(escaping:)`).
  var unreadable: Set<String> = []
  /// The full name of the reference to which HEAD points; `nil` if the server does not report it.
  var headTarget: String?
  /// Whether the server supports the commands of version 2. Such a server lists its references only in the response to the command `ls-refs`.
  var speaksVersion2 = false

  /// Parses the response to `GET info/refs?service=git-upload-pack`.
  static func reading(_ bytes: [UInt8], _ operation: String) throws(GitError) -> ReferenceAdvertisement {
    var lines = PacketLines(bytes)
    var found = ReferenceAdvertisement()
    var isFirst = true
    var isEnded = false
    while let line = try lines.next(operation) {
      guard case .data(let content) = line else {
        // The flush packet after the line with the service name is not the end of the list.
        isEnded = !isFirst
        continue
      }
      isEnded = false
      if content.starts(with: "# service=".utf8) || content.elementsEqual("version 1".utf8) { continue }
      if content.elementsEqual("version 2".utf8) {
        found.speaksVersion2 = true
      } else if found.speaksVersion2 {
        try checkHash(String(decoding: content, as: UTF8.self), operation)
      } else {
        try found.add(content, isFirst: isFirst, operation)
      }
      isFirst = false
    }
    // For an empty repository, an old server sends an empty list.
    guard isEnded || isFirst && bytes.count >= 4 else {
      throw GitError(.unreachable, operation, "the server's response is cut off after \(bytes.count) bytes")
    }
    return found
  }

  private mutating func add(_ content: ArraySlice<UInt8>, isFirst: Bool, _ operation: String) throws(GitError) {
    try Self.checkError(content, operation)
    let parts = content.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    if isFirst, parts.count == 2 {
      for capability in String(decoding: parts[1], as: UTF8.self).split(separator: " ") {
        try Self.checkHash(String(capability), operation)
        if capability.hasPrefix("symref=HEAD:") { headTarget = String(capability.dropFirst("symref=HEAD:".count)) }
      }
    }
    guard let line = parts.first else { return }
    guard !line.starts(with: "shallow ".utf8) else { throw GitError.shallow(operation) }
    guard line.count > 41, line[line.startIndex + 40] == UInt8(ascii: " "),
      let id = ObjectID(hex: String(decoding: line.prefix(40), as: UTF8.self))
    else { throw Self.damaged(line, operation) }
    guard let name = readable(line.dropFirst(41)), name != "capabilities^{}" else { return }
    ids[name] = id
  }

  /// Parses the response to the command `ls-refs` of version 2.
  static func readingCommand(_ bytes: [UInt8], _ operation: String) throws(GitError) -> ReferenceAdvertisement {
    var lines = PacketLines(bytes)
    var found = ReferenceAdvertisement()
    found.speaksVersion2 = true
    while let line = try lines.next(operation) {
      guard case .data(let content) = line else { return found }
      try checkError(content, operation)
      let parts = content.split(separator: UInt8(ascii: " "))
      guard parts.count < 2 || found.readable(parts[1]) != nil else { continue }
      let words = String(decoding: content, as: UTF8.self).split(separator: " ")
      guard words.count >= 2 else { throw damaged(content, operation) }
      for word in words.dropFirst(2) where words[1] == "HEAD" && word.hasPrefix("symref-target:") {
        found.headTarget = String(word.dropFirst("symref-target:".count))
      }
      if words[0] == "unborn" { continue }
      guard let id = ObjectID(hex: words[0]) else { throw damaged(content, operation) }
      found.ids[String(words[1])] = id
    }
    throw GitError(.unreachable, operation, "the server's response is cut off after \(bytes.count) bytes")
  }

  /// Returns a name as text. If it is not UTF-8, adds it to `unreadable` and returns `nil`.
  private mutating func readable(_ name: ArraySlice<UInt8>) -> String? {
    if let text = String(validating: name, as: UTF8.self) { return text }
    unreadable.insert(String(escaping: name))
    return nil
  }

  /// The request of the command `ls-refs` for the branches and HEAD.
  static let command: [UInt8] =
    PacketLines.line("command=ls-refs\n") + Array("0001".utf8) + PacketLines.line("symrefs\n")
    + PacketLines.line("ref-prefix HEAD\n") + PacketLines.line("ref-prefix refs/heads/\n") + Array("0000".utf8)

  private static func checkError(_ content: ArraySlice<UInt8>, _ operation: String) throws(GitError) {
    guard content.starts(with: "ERR ".utf8) else { return }
    let words = ServerWords.cleaned(String(decoding: content.dropFirst(4), as: UTF8.self))
    throw GitError(.refused, operation, ServerWords.quoting("the server refuses", words))
  }

  private static func checkHash(_ capability: String, _ operation: String) throws(GitError) {
    guard capability.hasPrefix("object-format="), capability != "object-format=sha1" else { return }
    throw GitError(
      .unsupported, operation, "the repository uses \(capability.dropFirst(14)) object ids; only sha1 is supported")
  }

  private static func damaged(_ content: ArraySlice<UInt8>, _ operation: String) -> GitError {
    let start = ServerWords.cleaned(String(decoding: content.prefix(60), as: UTF8.self))
    return GitError(.unreachable, operation, "the server's response is damaged: \"\(start)\" is not a reference")
  }
}

extension GitError {
  /// Returns the error for a remote that is a shallow clone. Its history is incomplete, and libgit2 cannot fetch from it.
  static func shallow(_ operation: String) -> GitError {
    GitError(
      .unsupported, operation,
      "the repository is a shallow clone. Give the URL of a complete repository, or complete this one with "
        + "`git fetch --unshallow` on the server")
  }
}

extension RemoteHeads {
  init(_ advertised: ReferenceAdvertisement) {
    self.init(ids: advertised.ids, headTarget: advertised.headTarget, unreadable: advertised.unreadable)
  }

  /// - Parameters:
  ///   - ids: the references of the remote, by full name.
  ///   - headTarget: the full name of the reference to which HEAD points, if the remote reports it.
  ///   - unreadable: the full names of references that are not UTF-8, with escapes.
  init(ids: [String: ObjectID], headTarget: String?, unreadable: Set<String> = []) {
    // Like git, this initializer ignores names that git does not allow.
    var branches = ids.compactMap { name, id in
      name.hasPrefix("refs/heads/") && References.isWellFormed(name)
        ? Branch(name: String(name.dropFirst("refs/heads/".count)), commit: id.commit) : nil
    }
    var defaultBranch = headTarget.flatMap {
      $0.hasPrefix("refs/heads/") ? String($0.dropFirst("refs/heads/".count)) : nil
    }
    if let name = defaultBranch, !branches.contains(where: { $0.name == name }) { defaultBranch = nil }
    if let head = ids["HEAD"]?.commit, defaultBranch == nil {
      if branches.isEmpty { branches = [Branch(name: Self.detachedName, commit: head)] }
      defaultBranch =
        ["main", "master"].first { name in branches.contains { $0.name == name && $0.commit == head } }
        ?? branches.first { $0.commit == head }?.name
    }
    self.init(branches: branches, defaultBranch: defaultBranch)
    self.unreadable = unreadable.filter { $0.hasPrefix("refs/heads/") }.map {
      String($0.dropFirst("refs/heads/".count))
    }
    .sorted()
  }
}
