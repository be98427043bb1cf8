internal import Localization
internal import Pipeline

extension Section<GlossaryKey> {
  /// Reads the section `glossary`; `nil` if the key `file` is missing or invalid, which is reported.
  func settings() -> GlossarySettings? {
    let missing: GlossarySettings.Missing = self[.missing].flatMap { $0.choice() } ?? .report
    return self[.file].flatMap { $0.text("the path of a glossary") }.map {
      GlossarySettings(file: $0, missing: missing)
    }
  }
}

extension Section<MemoryKey> {
  func settings() -> MemorySettings {
    var settings = MemorySettings()
    settings.files =
      self[.files]?.items("a list of TMX files", example: "[/srv/l10n/birds.tmx]")?
      .distinct({ $0.text("the path of a TMX file") }, sameAs: { $0 }).map(\.value) ?? []
    if let field = self[.state], let state = field.text("needs_review or translated") {
      switch state {
      case "needs_review": break
      case "translated": settings.arrivesTranslated = true
      default: field.report("\(field.shown) is not known", hint: "use needs_review or translated")
      }
    }
    return settings
  }
}

extension Section<ScreenshotsKey> {
  /// Reads the folders of screenshots. If no folder is specified, this is reported, and the result has no folder.
  func settings() -> ScreenshotSettings? {
    var settings = ScreenshotSettings()
    if let field = self[.repository], let text = field.text("a folder of the repository, such as Screenshots") {
      if let path = TreePath(checking: text), !path.isRoot {
        settings.repository = path.text
      } else {
        field.report("\(field.shown) is not a path in the repository", hint: "write it without / at the beginning")
      }
    }
    settings.folder = self[.folder].flatMap { $0.text("a folder on this machine, such as /srv/ci/screenshots") }
    if self[.repository] == nil, self[.folder] == nil {
      field.report("names no folder", hint: "add `repository: Screenshots` or `folder: /srv/ci/screenshots`")
    }
    return settings
  }
}
