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

  /// Returns the address of a repository, like ``address(_:)``, with two differences. `.git` at the end of a URL is removed, because servers
  /// accept both spellings, and `user@host:path` is converted to a URL.
  package static func repository(_ text: String) -> String {
    var text = text
    if case .ssh = Address(text), let colon = text.firstIndex(of: ":") {
      text = "ssh://" + text[..<colon] + "/" + text[text.index(after: colon)...].drop { $0 == "/" }
    }
    let address = address(text)
    return address.contains("://") && address.hasSuffix(".git") ? String(address.dropLast(4)) : address
  }

  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(validatingCString: real)
  }
}
