package import Localization

/// A submodule that is read with the repository. Nothing is ever written to it.
package struct SubmoduleSettings: Hashable, Sendable {
  /// Its path in the tree; for a submodule of a submodule, the whole path.
  package var path: TreePath
  /// The URL of its repository; `nil`: that of `.gitmodules`.
  package var url: String?
  /// The credentials of its repository. They require `url`, because a change of `.gitmodules` could otherwise send the secret elsewhere.
  /// `none`: those of the pipeline's repository if both are on the same server, or else none.
  package var credentials: CredentialReference

  package init(path: TreePath, url: String? = nil, credentials: CredentialReference = .none) {
    self.path = path
    self.url = url
    self.credentials = credentials
  }
}
