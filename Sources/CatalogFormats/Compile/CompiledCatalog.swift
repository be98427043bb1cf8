package import Localization
internal import StructuredText

/// The result of compiling a catalog: for each language, a `.strings` table of the plain texts and a `.stringsdict` table of the texts with
/// variations (xcode-formats.md F, "Compile"). A table without texts has no file.
package struct CompiledCatalog: Sendable {
  /// The encodings of a property list.
  package enum Form: String, CaseIterable, Sendable {
    /// XML, as `xcstringstool` writes it.
    case text
    case binary
  }

  struct Language: Sendable {
    /// The texts without variations and substitutions, and the `other` forms of texts that vary by device unless they reference substitutions.
    var plain: [TextDictionary.Member] = []
    var varied: [TextDictionary.Member] = []
  }

  package let catalog: TreePath
  /// The texts of each language, by the name of its `.lproj` folder.
  var languages: [String: Language] = [:]
  /// The errors and warnings of the compilation. They have the messages of Apple's compiler where these are known.
  package var diagnostics: [Diagnostic] = []

  /// Whether any of the diagnostics is an error. If so, Xcode writes no files.
  package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  /// Returns the files: `de.lproj/Table.strings`, `de.lproj/Table.stringsdict`. A language without texts has no files.
  package func files(as form: Form) -> [TreePath: [UInt8]] {
    var files: [TreePath: [UInt8]] = [:]
    for (folder, texts) in languages {
      for (ending, members) in [("strings", texts.plain), ("stringsdict", texts.varied)] where !members.isEmpty {
        let path = TreePath(trusted: "\(folder).lproj/\(catalog.stem).\(ending)")
        let list = TextDictionary.dictionary(members)
        files[path] = form == .binary ? list.binary : list.xml
      }
    }
    return files
  }
}
