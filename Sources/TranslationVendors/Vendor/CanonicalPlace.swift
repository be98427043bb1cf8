internal import Foundation
private import Glibc

/// Functions that return the canonical spelling of a folder or URL, so different spellings of a place compare as equal.
package enum CanonicalPlace {
  /// Returns a path as an absolute path without `.`, `..` and double slashes. Symbolic links are resolved as far as the path exists.
  ///
  /// - Parameter directory: the base of relative paths.
  package static func path(_ path: String, in directory: String = FileManager.default.currentDirectoryPath) -> String {
    var pending = Array(
      (path.hasPrefix("/") ? path : directory + "/" + path).split(separator: "/").map(String.init).reversed())
    var resolved: [String] = []
    while let part = pending.popLast() {
      switch part {
      case ".": continue
      case "..": _ = resolved.popLast()
      default:
        let next = "/" + (resolved + [part]).joined(separator: "/")
        if let real = realPath(next) {
          resolved = real.split(separator: "/").map(String.init)
        } else {
          resolved.append(part)
        }
      }
    }
    return "/" + resolved.joined(separator: "/")
  }

  /// Returns the canonical spelling of a path or URL. Paths and `file` URLs become absolute paths, as in ``path(_:in:)``. In other URLs, the scheme
  /// and the host become lower case; the scheme's default port, `.` segments, and repeated and trailing slashes are removed.
  package static func address(_ text: String) -> String {
    guard case .url(let scheme, let authority) = Address(text), let start = text.firstRange(of: "://") else {
      return path(text)
    }
    let rest = text[start.upperBound...].dropFirst(authority.count)
    if scheme == "file" { return path(String(rest).removingPercentEncoding ?? String(rest)) }
    // Account names are case-sensitive, so their case is kept.
    let account = authority.lastIndex(of: "@").map { authority[...$0] } ?? ""
    var host = String(account) + authority.dropFirst(account.count).lowercased()
    let ports = [
      "http": ":80", "dav": ":80", "https": ":443", "davs": ":443", "sftp": ":22", "ssh": ":22",
    ]
    let port = ports[scheme] ?? ""
    if !port.isEmpty, host.hasSuffix(port) { host.removeLast(port.count) }
    let parts = rest.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    return "\(scheme)://\(host)" + (parts.isEmpty ? "" : "/" + parts)
  }

  /// Returns an identity of a repository, which is the same for the different addresses of the repository. It is only for comparisons, and must not
  /// be stored.
  ///
  /// On a server, it consists of the host and the path, without the scheme, the account, the scheme's default port and `.git` at the end, because
  /// servers provide a repository over https and ssh with the same path. In `user@host:path`, a path that does not begin with a slash can be in the
  /// account's home folder, so the account is kept, unless it is `git`, the shared account of git servers.
  package static func repository(_ text: String) -> String {
    var text = text
    var account = ""
    switch Address(text) {
    case .path: return localRepository(Self.path(text))
    case .url(let scheme, _):
      guard ["http", "https", "git+ssh", "ssh", "ssh+git"].contains(scheme) else {
        let place = Self.address(text)
        return scheme == "file" ? localRepository(place) : place
      }
      if scheme != "http", scheme != "https", let start = text.firstRange(of: "://") {
        text = "ssh://\(text[start.upperBound...])"
      }
    case .ssh:
      guard let colon = text.firstIndex(of: ":") else { return text }
      let authority = text[..<colon]
      let rest = text[text.index(after: colon)...]
      if !rest.hasPrefix("/"), let at = authority.lastIndex(of: "@"), authority[..<at] != "git" {
        account = String(authority[...at])
      }
      text = "ssh://\(authority)/\(rest.drop { $0 == "/" })"
    }
    let address = Self.address(text)
    guard let start = address.firstRange(of: "://") else { return address }
    let authority = address[start.upperBound...].prefix { $0 != "/" }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    let encoded = String(address[authority.endIndex...])
    let decoded = encoded.removingPercentEncoding ?? encoded
    return "\(account)\(host)\(decoded.hasSuffix(".git") ? String(decoded.dropLast(4)) : decoded)"
  }

  /// Returns the path of a repository on this machine. Git also finds the repository `app.git` at the path `app`.
  private static func localRepository(_ path: String) -> String {
    realPath(path) == nil ? realPath(path + ".git") ?? path : path
  }

  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(validatingCString: real)
  }
}
