package import Localization

/// A submodule that is read with the repository. Nothing is ever written to it.
package struct SubmoduleSettings: Hashable, Sendable {
  /// The path of the submodule in the tree; for a submodule of a submodule, the whole path.
  package var path: TreePath
  /// The URL of the submodule's repository; `nil` for the URL in `.gitmodules`.
  package var url: String?
  /// The credentials of the submodule's repository. They require `url`, because a change of `.gitmodules` could otherwise send the secret
  /// elsewhere. With `none`, the credentials of the pipeline's repository are used if both are on the same server.
  package var credentials: CredentialReference

  package init(path: TreePath, url: String? = nil, credentials: CredentialReference = .none) {
    self.path = path
    self.url = url
    self.credentials = credentials
  }
}
