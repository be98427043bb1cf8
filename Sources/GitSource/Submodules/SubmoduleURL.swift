import ChildPrograms
import Localization

/// The URL of a submodule in `.gitmodules`. It is untrusted, so it may only refer to the server of the repository that contains the submodule, or of
/// the pipeline's repository (``SubmoduleRules``).
enum SubmoduleURL {
  /// The reason why the URL cannot be used, and the next step.
  struct Fault: Error, Hashable {
    let detail: String
  }

  private static let lengthLimit = 2048

  /// Resolves a URL that begins with `./` or `../` against the repository that contains the submodule, as git does. Returns other URLs unchanged.
  /// - Throws: a fault if the URL is empty or too long, begins with `-` or has control characters, or if a relative URL leaves the server.
  static func resolved(_ text: String, in container: String) throws(Fault) -> String {
    guard !text.isEmpty, text.utf8.count <= lengthLimit, !text.hasPrefix("-"),
      text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { throw Fault(detail: "its URL in .gitmodules is empty, too long, begins with - or has a control character") }
    guard text.hasPrefix("./") || text.hasPrefix("../") else { return text }
    let (head, path) = parts(of: container)
    var components = TreePath.components(of: path).map(String.init)
    let leaves = Fault(detail: "its URL \(shown(text)) in .gitmodules leaves the server of \(shown(container))")
    var isClimbing = true
    for component in TreePath.components(of: text) where component != "." {
      if component == ".." {
        guard isClimbing, let last = components.popLast(), last != ".." else { throw leaves }
      } else {
        isClimbing = false
        components.append(String(component))
      }
    }
    guard !components.isEmpty else { throw leaves }
    return head + (path.hasPrefix("/") ? "/" : "") + components.joined(separator: "/")
  }

  /// Splits a location into the part with the server and the path.
  private static func parts(of location: String) -> (head: String, path: String) {
    if let scheme = location.range(of: "://") {
      let path = location[scheme.upperBound...].drop { $0 != "/" }
      return (String(location[..<path.startIndex]), String(path))
    }
    if let colon = location.firstIndex(of: ":"),
      location.hasPrefix("file:") || (!location[..<colon].contains("/") && location[..<colon].contains("@"))
    {
      let path = location[location.index(after: colon)...]
      return (String(location[..<path.startIndex]), String(path))
    }
    return ("", location)
  }

  /// Returns a URL for messages: shortened, without credentials, and with visible control characters.
  static func shown(_ text: String) -> String {
    RemoteURL.withoutCredentials(String(text.prefix(200))).withVisibleControls
  }
}

extension RemoteURL {
  /// The server: scheme, host and port, and over ssh also the account. All repositories on this machine have the same value.
  var server: String {
    if localPath != nil { return "file:" }
    if let ssh { return "ssh://\(ssh.server.user ?? "")@\(ssh.server.knownName)" }
    let scheme = text.range(of: "://").map { text[..<$0.lowerBound].lowercased() } ?? ""
    return "\(scheme)://\(host ?? "")"
  }

  /// Returns a URL in which `…` replaces the user name and the password.
  static func withoutCredentials(_ text: String) -> String {
    guard let scheme = text.range(of: "://") else { return text }
    let authority = text[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard let at = authority.lastIndex(of: "@") else { return text }
    return text[..<scheme.upperBound] + "…" + text[at...]
  }
}
