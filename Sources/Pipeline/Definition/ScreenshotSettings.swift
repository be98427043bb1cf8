/// The folders of screenshots, which show translators the strings in the app.
package struct ScreenshotSettings: Hashable, Sendable {
  /// A folder of the repository, read at the commit whose strings are sent; `nil` if there is none.
  package var repository: String?
  /// A folder on this machine; `nil` if there is none.
  package var folder: String?

  package init(repository: String? = nil, folder: String? = nil) {
    self.repository = repository
    self.folder = folder
  }
}
