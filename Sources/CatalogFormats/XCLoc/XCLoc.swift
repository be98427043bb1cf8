package import Localization
internal import StructuredText

/// Reads and writes localization bundles.
package enum XCLoc {
  static let contents: TreePath = "contents.json"
  static let localizedContents: TreePath = "Localized Contents"
  static let sourceContents: TreePath = "Source Contents"
  package static let notes: TreePath = "Notes"

  /// Returns the folder name for a language's bundle.
  package static func name(of language: LocaleIdentifier) -> TreePath {
    TreePath(trusted: fileName(of: language) + ".xcloc")
  }

  /// Returns a language in a form that is safe in file names. Catalogs are untrusted input and can have a language named `../x`.
  private static func fileName(of language: LocaleIdentifier) -> String {
    guard !language.isWellFormed else { return language.rawValue }
    let name = language.rawValue.unicodeScalars.map { scalar -> Character in
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
      return isPlain || scalar == "-" || scalar == "_" ? Character(scalar) : "_"
    }
    return name.isEmpty ? "_" : String(name)
  }

  /// Returns the files of a bundle in Xcode's layout, relative to `<language>.xcloc/`.
  ///
  /// A file without units gets no `<file>` element. As in Xcode, a source file whose path is outside the bundle (`../../` for a package next
  /// to the project) is omitted.
  package static func files(of bundle: XCLocBundle) -> [TreePath: [UInt8]] {
    var files: [TreePath: [UInt8]] = [:]
    files[contents] = contentsFile(of: bundle)
    let document = XLIFFDocument(
      tool: bundle.tool, files: bundle.files.filter { !$0.units.isEmpty }, unwritten: bundle.unwritten)
    files[localizedContents.appending(fileName(of: bundle.targetLanguage) + ".xliff")] = XLIFF.write(document)
    for (path, bytes) in bundle.sourceContents where !isOutside(path) { files[sourceContents.appending(path)] = bytes }
    let own = [contents, localizedContents, sourceContents, notes]
    for (path, bytes) in bundle.besideContents where !isOutside(path) && !own.contains(where: path.isWithin) {
      files[path] = bytes
    }
    for (path, bytes) in bundle.localizedContents where !isOutside(path) && path.ending != "xliff" {
      files[localizedContents.appending(path)] = bytes
    }
    for (path, bytes) in bundle.notes where !isOutside(path) { files[notes.appending(path)] = bytes }
    return files
  }

  /// Returns whether Xcode or an export may have written a file of a bundle: `contents.json`, a file in one of the bundle's folders, or a catalog
  /// beside these folders. Hidden files, such as those of the macOS Finder, are not part of a bundle.
  /// - Parameter path: the path relative to `<language>.xcloc/`.
  package static func isPart(_ path: TreePath) -> Bool {
    guard !path.components.contains(where: { $0.hasPrefix(".") }) else { return false }
    let own = [contents, localizedContents, sourceContents, notes]
    return own.contains(where: path.isWithin) || path.catalogKind != nil
  }

  private static func isOutside(_ path: TreePath) -> Bool { path.text.hasPrefix("/") || path.components.contains("..") }

  /// Returns `contents.json`, with its keys in alphabetical order and without a final newline.
  private static func contentsFile(of bundle: XCLocBundle) -> [UInt8] {
    let tool = bundle.tool ?? .newest
    let isWorkspace = bundle.project.hasSuffix(".xcworkspace")
    var members = [
      JSONValue.Member("developmentRegion", .string(bundle.developmentRegion.rawValue)),
      JSONValue.Member("targetLocale", .string(bundle.targetLanguage.rawValue)),
      JSONValue.Member(
        "toolInfo",
        .object([
          JSONValue.Member("toolBuildNumber", .string(tool.build)),
          JSONValue.Member("toolID", .string(XLIFF.toolID)),
          JSONValue.Member("toolName", .string("Xcode")),
          JSONValue.Member("toolVersion", .string(tool.version)),
        ])),
      JSONValue.Member("version", .string("1.0")),
    ]
    // Xcode 11.6 wrote no project name.
    if !bundle.project.isEmpty {
      let project = JSONValue.Member(isWorkspace ? "workspace" : "project", .string(bundle.project))
      members.insert(project, at: isWorkspace ? members.count : 1)
    }
    var output: [UInt8] = []
    JSONPrinter(.xcode).print(.object(members), into: &output)
    return output
  }
}
