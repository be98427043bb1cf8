package import Localization

/// Which Xcode an export says it comes from.
package struct ToolInfo: Hashable, Sendable {
  /// `26.5`.
  package var version: String
  /// `17F42`.
  package var build: String

  package init(version: String, build: String) {
    self.version = version
    self.build = build
  }

  /// The newest Xcode whose exports are known (xcode-formats.md B): what our exports say where nothing else is asked for.
  package static let newest = ToolInfo(version: "27.0", build: "27A266a")

  /// Reads `VERSION/BUILD`, as `--xcode` takes it.
  package init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
    self.init(version: String(parts[0]), build: String(parts[1]))
  }
}

/// An XLIFF 1.2 file as Xcode writes it (xcode-formats.md B).
package struct XLIFFDocument: Hashable, Sendable {
  /// Absent in files of other tools.
  package var tool: ToolInfo?
  package var files: [ExchangeFile]
  /// What was noticed while reading, and did not keep the rest from being read.
  package var diagnostics: [Diagnostic]
  /// Files and units are printed in the order in which they stand here, not in Xcode's.
  package var keepsOrder: Bool
  /// The originals whose `<file>` has `datatype` before the languages: those of a format with a file a language whose file is not there yet
  /// (B1).
  var datatypeFirst: Set<String>

  /// An export of ours: printed in Xcode's order.
  /// - Parameter unwritten: the originals that have no file of the target language; `nil`: those of a format with a file a language that
  ///   have no target.
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

  /// Whether a file is of a format in which each language has a file of its own.
  static func isClassic(_ original: String) -> Bool {
    let path = TreePath(trusted: original)
    return path.isInterface || ["strings", "stringsdict", "plist"].contains(path.ending)
  }
}

/// XLIFF 1.2 in Xcode's dialect.
package enum XLIFF {
  static let namespace = "urn:oasis:names:tc:xliff:document:1.2"
  static let toolID = "com.apple.dt.xcode"
}
