import Localization
import Testing

@testable import ProjectLayout

/// A project file with parts that the tests change.
extension ConvertedTableTests {
  static let path: TreePath = "P.xcodeproj/project.pbxproj"
  static let files: [TreePath] = [
    "App/en.lproj/Localizable.strings", "App/de.lproj/Localizable.strings", "App/en.lproj/Localizable.stringsdict",
    "App/Base.lproj/Main.storyboard", "App/de.lproj/Main.strings",
  ]

  static func file(_ id: String, _ name: String, _ path: String, _ type: String = "text.plist.strings")
    -> String
  {
    "\t\t\(id) /* \(name) */ = {isa = PBXFileReference; lastKnownFileType = \(type); name = \(name); path = \(path); sourceTree = \"<group>\"; };\n"
  }

  static func group(_ id: String, _ name: String, _ children: [String]) -> String {
    "\t\t\(id) /* \(name) */ = {\n\t\t\tisa = PBXVariantGroup;\n\t\t\tchildren = (\n"
      + children.map { "\t\t\t\t\($0),\n" }.joined()
      + "\t\t\t);\n\t\t\tname = \(name);\n\t\t\tsourceTree = \"<group>\";\n\t\t};\n"
  }

  static func build(_ id: String, _ file: String, _ name: String) -> String {
    "\t\t\(id) /* \(name) in Resources */ = {isa = PBXBuildFile; fileRef = \(file) /* \(name) */; };\n"
  }

  /// The project file, in Xcode's layout.
  static let project = """
    // !$*UTF8*$!
    {
    \tarchiveVersion = 1;
    \tclasses = {
    \t};
    \tobjectVersion = 56;
    \tobjects = {

    /* Begin PBXBuildFile section */
    \(build("000000000000000000000B01", "00000000000000000000AA03", "Localizable.strings"))\
    \(build("000000000000000000000B02", "00000000000000000000AA04", "Localizable.stringsdict"))\
    \(build("000000000000000000000B03", "00000000000000000000AA05", "Main.storyboard"))\
    /* End PBXBuildFile section */

    /* Begin PBXFileReference section */
    \(file("000000000000000000000001", "en", "en.lproj/Localizable.strings"))\
    \(file("000000000000000000000002", "de", "de.lproj/Localizable.strings"))\
    \(file("000000000000000000000003", "en", "en.lproj/Localizable.stringsdict", "text.plist.stringsdict"))\
    \(file("000000000000000000000004", "Base", "Base.lproj/Main.storyboard", "file.storyboard"))\
    \(file("000000000000000000000005", "de", "de.lproj/Main.strings"))\
    /* End PBXFileReference section */

    /* Begin PBXGroup section */
    \t\t00000000000000000000AA01 = {
    \t\t\tisa = PBXGroup;
    \t\t\tchildren = (
    \t\t\t\t00000000000000000000AA02 /* App */,
    \t\t\t);
    \t\t\tsourceTree = "<group>";
    \t\t};
    \t\t00000000000000000000AA02 /* App */ = {
    \t\t\tisa = PBXGroup;
    \t\t\tchildren = (
    \t\t\t\t00000000000000000000AA03 /* Localizable.strings */,
    \t\t\t\t00000000000000000000AA05 /* Main.storyboard */,
    \t\t\t\t00000000000000000000AA04 /* Localizable.stringsdict */,
    \t\t\t);
    \t\t\tpath = App;
    \t\t\tsourceTree = "<group>";
    \t\t};
    /* End PBXGroup section */

    /* Begin PBXNativeTarget section */
    \t\t00000000000000000000CC00 /* App */ = {
    \t\t\tisa = PBXNativeTarget;
    \t\t\tbuildPhases = (
    \t\t\t\t00000000000000000000CC01 /* Resources */,
    \t\t\t);
    \t\t\tname = App;
    \t\t\tproductType = "com.apple.product-type.application";
    \t\t};
    /* End PBXNativeTarget section */

    /* Begin PBXProject section */
    \t\t00000000000000000000DD00 /* Project object */ = {
    \t\t\tisa = PBXProject;
    \t\t\tdevelopmentRegion = en;
    \t\t\tknownRegions = (
    \t\t\t\ten,
    \t\t\t\tBase,
    \t\t\t\tde,
    \t\t\t);
    \t\t\tmainGroup = 00000000000000000000AA01;
    \t\t\ttargets = (
    \t\t\t\t00000000000000000000CC00 /* App */,
    \t\t\t);
    \t\t};
    /* End PBXProject section */

    /* Begin PBXResourcesBuildPhase section */
    \t\t00000000000000000000CC01 /* Resources */ = {
    \t\t\tisa = PBXResourcesBuildPhase;
    \t\t\tfiles = (
    \t\t\t\t000000000000000000000B02 /* Localizable.stringsdict in Resources */,
    \t\t\t\t000000000000000000000B01 /* Localizable.strings in Resources */,
    \t\t\t\t000000000000000000000B03 /* Main.storyboard in Resources */,
    \t\t\t);
    \t\t};
    /* End PBXResourcesBuildPhase section */

    /* Begin PBXVariantGroup section */
    \(group("00000000000000000000AA03", "Localizable.strings", ["000000000000000000000001 /* en */", "000000000000000000000002 /* de */"]))\
    \(group("00000000000000000000AA04", "Localizable.stringsdict", ["000000000000000000000003 /* en */"]))\
    \(group("00000000000000000000AA05", "Main.storyboard", ["000000000000000000000004 /* Base */", "000000000000000000000005 /* de */"]))\
    /* End PBXVariantGroup section */
    \t};
    \trootObject = 00000000000000000000DD00 /* Project object */;
    }

    """

  /// Returns the project file after these tables were replaced with catalogs, or `nil` if it was not changed, and the messages about the changes.
  func exchanged(
    _ tables: [ConvertedTable], in text: String = project, more: [String: String] = [:]
  ) throws -> (text: String?, told: [String]) {
    var texts = more
    texts["P.xcodeproj/project.pbxproj"] = text
    for file in Self.files { texts[file.text] = "" }
    let tree = InMemoryTree(texts: texts)
    let project = try RepositoryLayout().project(in: tree, excluding: [])
    let result = RepositoryLayout().exchanging(tables, of: project, in: tree)
    guard case .write(let content)? = result.edits.edits[Self.path] else {
      return (nil, result.diagnostics.map(\.message))
    }
    return (String(decoding: content.bytes, as: UTF8.self), result.diagnostics.map(\.message))
  }

  /// Returns the identifier of the new reference with this name.
  static func id(_ name: String, in text: String?) throws -> String {
    let line = try #require(
      text?.split(separator: "\n").first { $0.contains("/* \(name) */ = {isa = PBXFileReference") })
    return String(line.drop(while: \.isWhitespace).prefix(24))
  }

  static func reference(_ id: String) -> String {
    "\t\t\(id) /* Localizable.xcstrings */ = {isa = PBXFileReference; lastKnownFileType = text.json.xcstrings; path = Localizable.xcstrings; sourceTree = \"<group>\"; };\n"
  }

  /// Replaces parts of a text, each of which must occur once.
  static func replacing(_ changes: [(String, String)], in text: String = project) -> String {
    changes.reduce(text) { text, change in
      #expect(text.ranges(of: change.0).count == 1, "\(change.0)")
      return text.replacing(change.0, with: change.1)
    }
  }

  /// Adds an object at the position that its identifier has among the identifiers of the objects 1 to 5.
  static func adding(_ object: String, _ id: String, to text: String) -> String {
    let next = (1...5).map { "00000000000000000000000\($0)" }.first {
      $0 > id && text.contains("\t\t\($0) /*") && text.contains("\($0) /* en */ = ")
    }
    let mark = next.map { "\t\t\($0) /* en */ = " } ?? "/* End PBXFileReference section */"
    return replacing([(mark, object + mark)], in: text)
  }
}
