internal import Localization
internal import Pipeline

extension Section<GlossaryKey> {
  /// - Returns: `nil` if the file is missing; reported.
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
