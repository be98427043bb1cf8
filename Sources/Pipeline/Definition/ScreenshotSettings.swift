/// The folders of screenshots that show translators what they translate.
package struct ScreenshotSettings: Hashable, Sendable {
  /// A folder of the repository, read at the commit whose strings are sent; `nil`: none.
  package var repository: String?
  /// A folder on this machine; `nil`: none.
  package var folder: String?

  package init(repository: String? = nil, folder: String? = nil) {
    self.repository = repository
    self.folder = folder
  }
}
