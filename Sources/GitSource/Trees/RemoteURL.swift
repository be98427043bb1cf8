import ChildPrograms

/// The location of a remote repository: a path, a `file:`, `http(s):` or `ssh:` URL, or git's short form `user@host:path` for ssh.
package struct RemoteURL: Hashable, Sendable, CustomStringConvertible {
  /// The location as text, without credentials.
  package let text: String
  /// The folder of a repository on this machine; `nil` for a repository on another machine.
  package let localPath: String?
  /// The host of an http(s) URL in lower case, with the port if the URL has one; `nil` for all other locations.
  let host: String?
  /// The server and path of a repository that is reached over ssh; `nil` for all other locations.
  let ssh: SSHRepository?

  /// - Throws: `unsupported` for an invalid URL, for other schemes, and for an http(s) URL with credentials, because secrets must be given by
  ///   reference.
  package init(_ text: String) throws(GitError) {
    guard let colon = text.range(of: "://") else {
      // `git@host:path` means ssh. A path may have a colon after its first slash.
      if let at = text.firstIndex(of: ":"), !text[..<at].contains("/"), text[..<at].contains("@") {
        self.init(
          text: text, ssh: try SSHRepository(text[..<at], path: String(text[text.index(after: at)...]), text))
        return
      }
      self.init(text: text.hasPrefix("file:") ? String(text.dropFirst(5)) : text)
      return
    }
    let scheme = text[..<colon.lowerBound].lowercased()
    let rest = text[colon.upperBound...]
    switch scheme {
    case "file":
      guard let path = Self.decoded(rest.drop { $0 != "/" }) else {
        throw GitError(.unsupported, "open \(text)", "the URL has an invalid percent escape")
      }
      self.init(text: text, localPath: path, host: nil)
    case "http", "https":
      let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
      guard !authority.contains("@") else {
        let shown =
          "\(scheme)://…@" + rest[(rest.lastIndex(of: "@") ?? rest.startIndex)...].dropFirst()
        throw GitError(
          .unsupported, "open \(shown)",
          "the URL contains credentials. Remove them, and set credentials: env:NAME, file:PATH or credential:NAME "
            + "instead")
      }
      guard !authority.isEmpty else {
        throw GitError(.unsupported, "open \(text)", "the URL has no host")
      }
      self.init(text: text, localPath: nil, host: authority.lowercased())
    case "ssh", "git+ssh", "ssh+git":
      let authority = rest.prefix { $0 != "/" }
      guard let account = Self.decoded(authority), var path = Self.decoded(rest.dropFirst(authority.count)) else {
        throw GitError(.unsupported, "open \(text)", "the URL has an invalid percent escape")
      }
      // As in git, `/~user/path` and `/~/path` are relative to a home folder.
      if path.hasPrefix("/~") { path.removeFirst() }
      self.init(text: text, ssh: try SSHRepository(account, path: path, text))
    default:
      throw GitError(
        .unsupported, "open \(text)", "\(scheme) is not supported. Use an https, ssh or file URL, or a path")
    }
  }

  private init(text: String) { self.init(text: text, localPath: text, host: nil) }

  private init(text: String, ssh: SSHRepository) { self.init(text: text, localPath: nil, host: nil, ssh: ssh) }

  private init(text: String, localPath: String?, host: String?, ssh: SSHRepository? = nil) {
    self.text = text
    self.localPath = localPath
    self.host = host
    self.ssh = ssh
  }

  package var description: String { text }

  /// Whether secrets are protected in transit, because the scheme is not http or the host is this machine.
  var isSafeForSecrets: Bool {
    guard let host, text.lowercased().hasPrefix("http://") else { return true }
    let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
    return name == "localhost" || name == "[::1]" || name.hasSuffix(".localhost") || Self.isLoopback(name)
  }

  /// Returns whether the host is an IPv4 address in `127.0.0.0/8`.
  private static func isLoopback(_ host: Substring) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), value != 0
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

/// A repository that is reached over ssh.
struct SSHRepository: Hashable, Sendable {
  let server: SSHAddress
  /// The path on the server. It is relative to the account's home folder unless it begins with `/` or with `~` and the name of a user.
  let path: String

  /// - Parameters:
  ///   - authority: `user@host:port`, without percent escapes.
  ///   - text: the whole location, for messages.
  init(_ authority: some StringProtocol, path: String, _ text: String) throws(GitError) {
    do { server = try SSHAddress(authority) } catch {
      throw GitError(.unsupported, "open \(text)", error.detail)
    }
    guard !path.isEmpty, path != "/" else { throw GitError(.unsupported, "open \(text)", "the URL has no path") }
    // The program on the server would interpret a path with a leading dash as an option.
    guard !path.hasPrefix("-"), !path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw GitError(.unsupported, "open \(text)", "the path begins with - or contains a control character")
    }
    self.path = path
  }

  /// Returns the command for the server's shell. Forges also parse this command and expect git's quoting.
  func command(_ program: String) -> String {
    "\(program) '" + path.replacing("'", with: "'\\''").replacing("!", with: "'\\!'") + "'"
  }
}

extension String {
  /// Returns the range of the first occurrence of an ASCII text; `nil` if there is none.
  func range(of text: String) -> Range<String.Index>? {
    var start = utf8.startIndex
    while start < utf8.endIndex {
      if utf8[start...].starts(with: text.utf8) {
        return start..<utf8.index(start, offsetBy: text.utf8.count)
      }
      start = utf8.index(after: start)
    }
    return nil
  }
}
