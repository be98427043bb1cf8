package import Localization
package import Pipeline

/// A submodule of a commit: what is read, and from where.
package struct SubmoduleSource: Hashable, Sendable {
  package var path: TreePath
  /// The commit that the containing tree names.
  package var commit: CommitID
  package var location: SubmoduleLocation
}

/// The location of a submodule's repository, and the credentials for it.
package struct SubmoduleLocation: Hashable, Sendable {
  package enum Access: Hashable, Sendable {
    /// Like the repository of the pipeline, which is on the same server.
    case asRepository
    /// Like the repository of the pipeline. The pipeline file names the URL, so a GitHub app may be asked for a token for it.
    case asNamed
    /// With these credentials; without any for `none`.
    case with(CredentialReference)
  }

  package var url: String
  package var access: Access

  package init(url: String, access: Access) {
    self.url = url
    self.access = access
  }
}

/// Decides from where submodules may be read.
struct SubmoduleRules {
  let repository: RemoteURL

  /// - Parameters:
  ///   - declared: the URL in the `.gitmodules` of the container; `nil`: it has none.
  ///   - container: the repository whose tree contains the submodule.
  /// - Throws: the reason why it is not read, and the next step.
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
