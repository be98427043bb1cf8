internal import ChildPrograms
internal import HTTPTransport
internal import Localization

/// The address of a drop folder on an SFTP server: `sftp://user@host:port/path`. The path is absolute; `/~/path` is below the account's
/// home.
struct SFTPAddress: Hashable, Sendable {
  let server: SSHAddress
  /// The percent-decoded path: absolute, or relative to the account's home. Only `/` ends with a slash; `.` is the account's home.
  let path: String
  /// The normalized address, which is equal for different spellings of the same folder.
  let text: String

  /// - Throws: `configuration` for invalid addresses and for addresses with a password.
  init(_ text: String) throws(VendorError) {
    func fault(_ detail: String) -> VendorError {
      VendorError(kind: .configuration, operation: "use path “\(text)”", detail: detail)
    }
    guard !Address.holdsCredentials(text) else {
      throw VendorError(
        kind: .configuration, operation: "use the path of the vendor folder",
        detail: "it contains a password; remove the password and set `credentials`")
    }
    guard text.lowercased().hasPrefix("sftp://") else { throw fault("an SFTP folder needs sftp://user@host/path") }
    let rest = text.dropFirst("sftp://".count)
    let authority = rest.prefix { $0 != "/" }
    guard let decoded = HTTPURL.decode(authority) else { throw fault("the user name before the @ is invalid") }
    do { server = try SSHAddress(decoded) } catch { throw fault(error.detail) }
    var parts: [String] = []
    for part in rest.dropFirst(authority.count).split(separator: "/") where part != "." {
      guard let name = HTTPURL.decode(part), name != "..", !name.utf8.contains(where: { $0 < 0x20 }) else {
        throw fault("the path is invalid. Write an absolute path, or /~/ and a path below the account's home")
      }
      parts.append(name)
    }
    if parts.first == "~" {
      path = parts.count == 1 ? "." : parts.dropFirst().joined(separator: "/")
    } else {
      path = parts.isEmpty ? "/" : "/" + parts.joined(separator: "/")
    }
    let shown = server.host.contains(":") ? "[\(server.host)]" : server.host
    let account = server.user.map { HTTPURL.encode($0) + "@" } ?? ""
    let port = server.port.map { $0 == 22 ? "" : ":\($0)" } ?? ""
    let tail = parts.map { "/" + ($0 == "~" ? $0 : HTTPURL.encode($0)) }.joined()
    self.text = "sftp://\(account)\(shown)\(port)\(tail)"
  }

  /// Returns the server's path for a path relative to the folder.
  func full(_ path: TreePath) -> String {
    if path.isRoot { return self.path }
    return self.path == "/" ? "/" + path.text : self.path + "/" + path.text
  }
}
