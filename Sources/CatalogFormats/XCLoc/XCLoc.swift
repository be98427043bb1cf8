package import Localization
internal import StructuredText

/// Bundles as files.
package enum XCLoc {
  static let contents: TreePath = "contents.json"
  static let localizedContents: TreePath = "Localized Contents"
  static let sourceContents: TreePath = "Source Contents"
  static let notes: TreePath = "Notes"

  /// The name of a language's bundle.
  package static func name(of language: LocaleIdentifier) -> TreePath { TreePath(trusted: "\(language).xcloc") }

  /// The files of a bundle, relative to `<language>.xcloc/`, as Xcode lays them out.
  ///
  /// A source file whose path would leave the bundle (`../`, a package beside the project) is left out, as Xcode does.
  package static func files(of bundle: XCLocBundle) -> [TreePath: [UInt8]] {
    var files: [TreePath: [UInt8]] = [:]
    files[contents] = contentsFile(of: bundle)
    var document = XLIFFDocument(tool: bundle.tool, files: bundle.files)
    document.keepsOrder = false
    files[localizedContents.appending("\(bundle.targetLanguage).xliff")] = XLIFF.write(document)
    for (path, bytes) in bundle.sourceContents where !isOutside(path) { files[sourceContents.appending(path)] = bytes }
    for (path, bytes) in bundle.notes where !isOutside(path) { files[notes.appending(path)] = bytes }
    return files
  }

  private static func isOutside(_ path: TreePath) -> Bool { path.text.hasPrefix("/") || path.components.contains("..") }

  /// `contents.json`: keys in order, no final newline.
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
    let project = JSONValue.Member(isWorkspace ? "workspace" : "project", .string(bundle.project))
    members.insert(project, at: isWorkspace ? members.count : 1)
    var output: [UInt8] = []
    JSONPrinter(.xcode).print(.object(members), into: &output)
    return output
  }
}
