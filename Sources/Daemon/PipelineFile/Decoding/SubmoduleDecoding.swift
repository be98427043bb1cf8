internal import Localization
internal import Pipeline

extension Field {
  func submodules() -> [SubmoduleSettings] {
    guard let items = items("a list of submodules", example: "[{ path: Packages/Kit }]") else { return [] }
    if items.isEmpty { report("is an empty list", hint: "add a submodule, or omit the key") }
    return items.distinct({ Section<SubmoduleKey>($0)?.settings() }, sameAs: \.path).map(\.value)
  }
}

extension Section<SubmoduleKey> {
  /// Reads a submodule; `nil` if the path is missing or invalid, which is reported.
  fileprivate func settings() -> SubmoduleSettings? {
    let url = self[.url].flatMap { $0.repositoryAddress() }
    let credentials = self[.credentials].flatMap { $0.credential() } ?? .none
    if let url {
      self[.credentials]?.reportClearText(to: url, credentials)
      self[.credentials]?.reportAgent(for: url, credentials)
    } else if self[.url] == nil {
      self[.credentials]?.report(
        "has no effect without `url`",
        hint: "add the URL of the submodule. Credentials are sent only to this URL, because anyone who can change "
          + ".gitmodules could otherwise send them elsewhere")
    }
    guard let path = self[.path]?.submodulePath() else { return nil }
    return SubmoduleSettings(path: path, url: url, credentials: credentials)
  }
}

extension Field {
  fileprivate func submodulePath() -> TreePath? {
    guard let text = text("the path of a submodule") else { return nil }
    let path = TreePath(checking: text)
    guard let path, !path.isRoot, !TreePath.components(of: text).contains(".."),
      path.text.utf8.allSatisfy({ $0 >= 0x20 })
    else {
      report("\(shown) is not a path below the repository's root", hint: "write it as in .gitmodules: Packages/Kit")
      return nil
    }
    return path
  }
}
