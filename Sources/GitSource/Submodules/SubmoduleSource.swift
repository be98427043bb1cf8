package import Localization
package import Pipeline

/// A submodule of a commit: its path, its own commit, and the location of its repository.
package struct SubmoduleSource: Hashable, Sendable {
  package var path: TreePath
  /// The commit that the containing tree references.
  package var commit: CommitID
  package var location: SubmoduleLocation
}

/// The location of a submodule's repository, and the credentials for it.
package struct SubmoduleLocation: Hashable, Sendable {
  package enum Access: Hashable, Sendable {
    /// The same access as to the pipeline's repository, which is on the same server.
    case asRepository
    /// The same access as to the pipeline's repository. The submodule's URL is from the pipeline file, so a token of the GitHub app may be requested
    /// for the submodule's repository.
    case asNamed
    /// Access with these credentials. `none` means no credentials.
    case with(CredentialReference)
  }

  package var url: String
  package var access: Access

  package init(url: String, access: Access) {
    self.url = url
    self.access = access
  }
}

/// The rules that decide from which location a submodule may be read.
struct SubmoduleRules {
  let repository: RemoteURL

  /// Returns the location from which a submodule is read.
  /// - Parameters:
  ///   - declared: the URL in the `.gitmodules` of the container; `nil` if there is none.
  ///   - container: the repository whose tree contains the submodule.
  /// - Throws: the reason why the submodule cannot be read, and the next step.
  func location(
    of settings: SubmoduleSettings, declared: String?, in container: SubmoduleLocation
  ) throws(SubmoduleURL.Fault) -> SubmoduleLocation {
    if let url = settings.url {
      let isBeside = settings.credentials == .none && (try? RemoteURL(url))?.server == repository.server
      return SubmoduleLocation(url: url, access: isBeside ? .asNamed : .with(settings.credentials))
    }
    guard let declared else {
      throw SubmoduleURL.Fault(
        detail: ".gitmodules has no URL for this path. Add it there, or set url in submodules of the pipeline file")
    }
    let text = try SubmoduleURL.resolved(declared, in: container.url)
    let shown = SubmoduleURL.shown(text)
    let url: RemoteURL
    do { url = try RemoteURL(text) } catch {
      throw SubmoduleURL.Fault(detail: "its URL \(shown) in .gitmodules cannot be used: \(error.detail)")
    }
    if url.server == (try? RemoteURL(container.url))?.server {
      return SubmoduleLocation(url: text, access: container.access == .asNamed ? .asRepository : container.access)
    }
    if url.server == repository.server { return SubmoduleLocation(url: text, access: .asRepository) }
    throw SubmoduleURL.Fault(
      detail: """
        its URL \(shown) in .gitmodules is on another server than \(SubmoduleURL.shown(container.url)). If it is right, \
        set it as url in submodules of the pipeline file, with credentials if the server needs them
        """)
  }
}
