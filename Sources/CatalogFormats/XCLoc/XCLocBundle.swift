package import Localization

/// A localization bundle, `<language>.xcloc` (xcode-formats.md C).
package struct XCLocBundle: Hashable, Sendable {
  package var targetLanguage: LocaleIdentifier
  package var developmentRegion: LocaleIdentifier
  /// The project's file name, `App.xcodeproj` or `App.xcworkspace`, or the folder of a package; empty where a bundle does not say.
  package var project: String
  package var tool: ToolInfo?
  /// What `Localized Contents/<language>.xliff` holds.
  package var files: [ExchangeFile]
  /// The source-language files by project path.
  package var sourceContents: [TreePath: [UInt8]]
  /// Source-language files of the folder above the project's, by their path from there. Xcode puts them where `Source Contents/../` leads, into
  /// the bundle itself (26.4, Fred78290/caker).
  package var besideContents: [TreePath: [UInt8]] = [:]
  /// Files of the target language that are no texts, such as images of asset catalogs, by project path.
  package var localizedContents: [TreePath: [UInt8]] = [:]
  /// The originals of formats with a file a language whose file of the target language is not there yet; `nil` where that is not known.
  package var unwritten: Set<String>?
  /// Screenshots and notes for translators, by their path below `Notes`.
  package var notes: [TreePath: [UInt8]]
  /// What was noticed while reading.
  package var diagnostics: [Diagnostic] = []

  package init(
    targetLanguage: LocaleIdentifier, developmentRegion: LocaleIdentifier, project: String, tool: ToolInfo? = .newest,
    files: [ExchangeFile], sourceContents: [TreePath: [UInt8]] = [:], notes: [TreePath: [UInt8]] = [:]
  ) {
    self.targetLanguage = targetLanguage
    self.developmentRegion = developmentRegion
    self.project = project
    self.tool = tool
    self.files = files
    self.sourceContents = sourceContents
    self.notes = notes
  }
}

/// How much a bundle may ask for.
package struct XCLocLimits: Hashable, Sendable {
  /// Files of the whole bundle.
  package var entries: Int
  /// Bytes of the whole bundle.
  package var bytes: Int

  package init(entries: Int = 20_000, bytes: Int = 1 << 29) {
    self.entries = entries
    self.bytes = bytes
  }
}
