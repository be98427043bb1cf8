package import Localization

/// The Xcode version in the header of an export.
package struct ToolInfo: Hashable, Sendable {
  /// The version, such as `26.5`.
  package var version: String
  /// The build, such as `17F42`.
  package var build: String

  package init(version: String, build: String) {
    self.version = version
    self.build = build
  }

  /// The newest Xcode version with known exports (xcode-formats.md B). Our exports contain it by default.
  package static let newest = ToolInfo(version: "27.0", build: "27A266a")

  /// Parses `VERSION/BUILD`, the format of `--xcode`. Returns `nil` for any other text.
  package init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
    self.init(version: String(parts[0]), build: String(parts[1]))
  }
}

/// The content of an XLIFF 1.2 file from Xcode or another tool (xcode-formats.md B).
package struct XLIFFDocument: Hashable, Sendable {
  /// The Xcode version; `nil` in files of other tools.
  package var tool: ToolInfo?
  package var files: [ExchangeFile]
  /// Problems found while reading that did not prevent reading the rest.
  package var diagnostics: [Diagnostic]
  /// Whether files and units are printed in their current order instead of Xcode's order.
  package var keepsOrder: Bool
  /// The originals whose `<file>` has `datatype` before the languages. In formats with one file per language, these are the originals that
  /// have no file in the target language yet (xcode-formats.md B1).
  var datatypeFirst: Set<String>

  /// Creates a document for export, printed in Xcode's order.
  /// - Parameter unwritten: the originals that have no file in the target language; `nil` selects the originals that have no targets. Only
  ///   originals in formats with one file per language count.
  package init(tool: ToolInfo? = .newest, files: [ExchangeFile], unwritten: Set<String>? = nil) {
    self.tool = tool
    self.files = files
    diagnostics = []
    keepsOrder = false
    let classic = files.filter { Self.isClassic($0.original) }
    datatypeFirst = Set(
      classic.filter { file in
        unwritten?.contains(file.original) ?? file.units.allSatisfy { $0.target == nil }
      }.map(\.original))
  }

  /// Returns whether the file's format has one file per language.
  static func isClassic(_ original: String) -> Bool {
    let path = TreePath(trusted: original)
    return path.ending == "plist" || path.catalogKind.map { !$0.holdsAllLanguages } == true
  }
}

/// Functions that read and write XLIFF 1.2 in Xcode's dialect.
package enum XLIFF {
  static let namespace = "urn:oasis:names:tc:xliff:document:1.2"
  static let toolID = "com.apple.dt.xcode"
}
