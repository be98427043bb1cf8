package import Localization

/// A localization bundle, `<language>.xcloc` (xcode-formats.md C).
package struct XCLocBundle: Hashable, Sendable {
  package var targetLanguage: LocaleIdentifier
  package var developmentRegion: LocaleIdentifier
  /// The project's file name, `App.xcodeproj` or `App.xcworkspace`, or the folder of a package; empty if the bundle does not contain it.
  package var project: String
  package var tool: ToolInfo?
  /// The content of `Localized Contents/<language>.xliff`.
  package var files: [ExchangeFile]
  /// The source-language files by their paths in the project.
  package var sourceContents: [TreePath: [UInt8]]
  /// Source-language files from the parent of the project's folder, by their paths in that parent. Xcode resolves `Source Contents/../`, so it writes
  /// these files to the top level of the bundle (seen in an export of Xcode 26.4 in the repository Fred78290/caker).
  package var besideContents: [TreePath: [UInt8]] = [:]
  /// Files in the target language that contain no texts, such as images of asset catalogs, by their paths in the project.
  package var localizedContents: [TreePath: [UInt8]] = [:]
  /// The `original` of each file whose format has one file per language and that does not exist in the target language yet; `nil` if unknown.
  package var unwritten: Set<String>?
  /// Screenshots and notes for translators, by their paths below `Notes`.
  package var notes: [TreePath: [UInt8]]
  /// Problems found while reading.
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

/// The limits for reading a bundle.
package struct XCLocLimits: Hashable, Sendable {
  /// The maximum number of files in the bundle.
  package var entries: Int
  /// The maximum size of the bundle in bytes.
  package var bytes: Int

  package init(entries: Int = 20_000, bytes: Int = 1 << 29) {
    self.entries = entries
    self.bytes = bytes
  }
}
