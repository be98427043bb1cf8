/// The page on which a person signs in. Some servers return this page, or a redirect to it, instead of status 401 if a token is wrong or
/// has expired.
package struct SignInPage: Hashable, Sendable {
  /// The address to which the server redirects; `nil` if the page itself is the response.
  package var address: HTTPURL?

  /// - Returns: `nil` if the response is not a sign-in page.
  package init?(_ head: HTTPResponseHead) {
    if head.status == 203, head.header("Content-Type")?.lowercased().contains("html") == true { return }
    guard (300..<400).contains(head.status), let location = head.header("Location"),
      let target = try? head.url.resolving(location), Self.isAt(target)
    else { return nil }
    address = target
  }

  /// Returns whether this is the address of a sign-in page: `/_signin` (Azure DevOps), `/users/sign_in` (GitLab), `/user/login` (Gitea, Forgejo), or
  /// `/login` (Bitbucket Data Center, GitHub Enterprise). The server's address may have a path before it.
  package static func isAt(_ url: HTTPURL) -> Bool {
    let parts = url.path.split(separator: "/").map { $0.lowercased() }
    guard let last = parts.last else { return false }
    return switch last {
    case "_signin": true
    case "sign_in": parts.dropLast().last == "users"
    // A longer path could belong to a repository with this name.
    case "login": parts.dropLast().last == "user" || parts.count <= 2
    default: false
    }
  }

  /// Returns a description of the response for messages.
  package func words(status: Int) -> String {
    let page = address.map { "a redirect to its sign-in page \($0)" } ?? "its sign-in page"
    return "the server returned \(status) with \(page), which usually means that it did not accept the credentials"
  }
}

extension HTTPResponseHead {
  /// The effective status of the response: 401 for a sign-in page.
  package var meaning: Int { SignInPage(self) == nil ? status : 401 }
}
