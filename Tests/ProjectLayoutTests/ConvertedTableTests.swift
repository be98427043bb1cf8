import Localization
import Testing

@testable import ProjectLayout

@Suite("Project files whose tables became String Catalogs")
struct ConvertedTableTests {
  private static let path: TreePath = "P.xcodeproj/project.pbxproj"
  private static let files: [TreePath] = [
    "App/en.lproj/Localizable.strings", "App/de.lproj/Localizable.strings", "App/en.lproj/Localizable.stringsdict",
    "App/Base.lproj/Main.storyboard", "App/de.lproj/Main.strings",
  ]

  private static func file(_ id: String, _ name: String, _ path: String, _ type: String = "text.plist.strings")
    -> String
  {
    "\t\t\(id) /* \(name) */ = {isa = PBXFileReference; lastKnownFileType = \(type); name = \(name); path = \(path); sourceTree = \"<group>\"; };\n"
  }

  private static func group(_ id: String, _ name: String, _ children: [String]) -> String {
    "\t\t\(id) /* \(name) */ = {\n\t\t\tisa = PBXVariantGroup;\n\t\t\tchildren = (\n"
      + children.map { "\t\t\t\t\($0),\n" }.joined()
      + "\t\t\t);\n\t\t\tname = \(name);\n\t\t\tsourceTree = \"<group>\";\n\t\t};\n"
  }

  private static func build(_ id: String, _ file: String, _ name: String) -> String {
    "\t\t\(id) /* \(name) in Resources */ = {isa = PBXBuildFile; fileRef = \(file) /* \(name) */; };\n"
  }

  /// As Xcode lays a project out.
  private static let project = """
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

  /// The project file where these tables are catalogs, the removed files are gone and all others are there.
  private func exchanged(
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

  /// The identifier that a reference with this name has got.
  private static func id(_ name: String, in text: String?) throws -> String {
    let line = try #require(
      text?.split(separator: "\n").first { $0.contains("/* \(name) */ = {isa = PBXFileReference") })
    return String(line.drop(while: \.isWhitespace).prefix(24))
  }

  private static func reference(_ id: String) -> String {
    "\t\t\(id) /* Localizable.xcstrings */ = {isa = PBXFileReference; lastKnownFileType = text.json.xcstrings; path = Localizable.xcstrings; sourceTree = \"<group>\"; };\n"
  }

  /// A text without parts and with others in their place; each must be there once.
  private static func replacing(_ changes: [(String, String)], in text: String = project) -> String {
    changes.reduce(text) { text, change in
      #expect(text.ranges(of: change.0).count == 1, "\(change.0)")
      return text.replacing(change.0, with: change.1)
    }
  }

  /// Where an object with this identifier stands among those from 1 to 5.
  private static func adding(_ object: String, _ id: String, to text: String) -> String {
    let next = (1...5).map { "00000000000000000000000\($0)" }.first {
      $0 > id && text.contains("\t\t\($0) /*") && text.contains("\($0) /* en */ = ")
    }
    let mark = next.map { "\t\t\($0) /* en */ = " } ?? "/* End PBXFileReference section */"
    return replacing([(mark, object + mark)], in: text)
  }

  private static let strings = [
    (file("000000000000000000000001", "en", "en.lproj/Localizable.strings"), ""),
    (file("000000000000000000000002", "de", "de.lproj/Localizable.strings"), ""),
    (
      group(
        "00000000000000000000AA03", "Localizable.strings",
        ["000000000000000000000001 /* en */", "000000000000000000000002 /* de */"]), ""
    ),
  ]
  private static let rules = [
    (file("000000000000000000000003", "en", "en.lproj/Localizable.stringsdict", "text.plist.stringsdict"), ""),
    (group("00000000000000000000AA04", "Localizable.stringsdict", ["000000000000000000000003 /* en */"]), ""),
  ]

  @Test("one reference takes the place of a variant group in its group and its build file; no other line changes")
  func variantGroup() throws {
    let table = ConvertedTable(catalog: "App/Localizable.xcstrings", removed: Set(Self.files[..<2]))
    let (text, told) = try exchanged([table])
    let id = try Self.id("Localizable.xcstrings", in: text)
    let expected = Self.replacing(
      Self.strings + [
        ("00000000000000000000AA03 /* Localizable.strings */,", "\(id) /* Localizable.xcstrings */,"),
        (
          "000000000000000000000B01 /* Localizable.strings in Resources */,",
          "000000000000000000000B01 /* Localizable.xcstrings in Resources */,"
        ),
        (
          Self.build("000000000000000000000B01", "00000000000000000000AA03", "Localizable.strings"),
          Self.build("000000000000000000000B01", id, "Localizable.xcstrings")
        ),
      ])
    #expect(text == Self.adding(Self.reference(id), id, to: expected))
    #expect(told.isEmpty)
    #expect(try exchanged([table]).text == text, "the same identifier each time")
    let read = try layout(["P.xcodeproj/project.pbxproj": try #require(text), "App/Localizable.xcstrings": catalog()])
    #expect(read.catalogs.map(\.path) == ["App/Localizable.xcstrings"])
  }

  @Test("a .strings and a .stringsdict of one table become one reference with one build file")
  func twins() throws {
    let (text, told) = try exchanged([
      ConvertedTable(catalog: "App/Localizable.xcstrings", removed: Set(Self.files[..<3]))
    ])
    let id = try Self.id("Localizable.xcstrings", in: text)
    #expect(text?.ranges(of: "Localizable.xcstrings in Resources").count == 2)
    #expect(text?.contains("Localizable.strings") == false)
    #expect(text?.contains("stringsdict") == false)
    #expect(text?.ranges(of: "\t\t\t\t\(id) /* Localizable.xcstrings */,\n").count == 1)
    #expect(told.isEmpty)
  }

  @Test("what stays keeps its group, and the catalog stands beside it in the group and in the phase")
  func stays() throws {
    let (text, told) = try exchanged([
      ConvertedTable(catalog: "App/Localizable.xcstrings", removed: ["App/de.lproj/Localizable.strings"])
    ])
    let id = try Self.id("Localizable.xcstrings", in: text)
    let phase = try #require(text?.firstMatch(of: #/\t([0-9A-F]{24}) \/\* Localizable.xcstrings in Resources \*\/,/#))
      .output.1
    let german = (Self.file("000000000000000000000002", "de", "de.lproj/Localizable.strings"), "")
    let expected = Self.replacing([
      german, ("\t\t\t\t000000000000000000000002 /* de */,\n", ""),
      (
        "\t\t\t\t00000000000000000000AA03 /* Localizable.strings */,\n",
        "\t\t\t\t00000000000000000000AA03 /* Localizable.strings */,\n\t\t\t\t\(id) /* Localizable.xcstrings */,\n"
      ),
      (
        "\t\t\t\t000000000000000000000B01 /* Localizable.strings in Resources */,\n",
        "\t\t\t\t000000000000000000000B01 /* Localizable.strings in Resources */,\n\t\t\t\t\(phase) /* Localizable.xcstrings in Resources */,\n"
      ),
      (
        "/* End PBXBuildFile section */",
        Self.build(String(phase), id, "Localizable.xcstrings") + "/* End PBXBuildFile section */"
      ),
    ])
    #expect(text == Self.adding(Self.reference(id), id, to: expected))
    #expect(told.isEmpty)
  }

  @Test("the catalog of a storyboard is one more child of its group, and needs a project of Xcode 15")
  func interface() throws {
    let (text, told) = try exchanged([
      ConvertedTable(
        catalog: "App/mul.lproj/Main.xcstrings", removed: ["App/de.lproj/Main.strings"],
        interface: "App/Base.lproj/Main.storyboard")
    ])
    let id = try Self.id("mul", in: text)
    let object = Self.file(id, "mul", "mul.lproj/Main.xcstrings", "text.json.xcstrings")
    let expected = Self.replacing([
      ("objectVersion = 56;", "objectVersion = 60;"),
      (Self.file("000000000000000000000005", "de", "de.lproj/Main.strings"), ""),
      ("000000000000000000000005 /* de */,", "\(id) /* mul */,"),
    ])
    #expect(text == Self.adding(object, id, to: expected))
    #expect(told.isEmpty)
  }

  @Test("line ends, and lists and objects on one line, are as before, and all tables at once read back")
  func layouts() throws {
    let tables = [
      ConvertedTable(catalog: "App/Localizable.xcstrings", removed: Set(Self.files[..<3])),
      ConvertedTable(
        catalog: "App/mul.lproj/Main.xcstrings", removed: ["App/de.lproj/Main.strings"],
        interface: "App/Base.lproj/Main.storyboard"),
    ]
    let windows = Self.project.replacing("\n", with: "\r\n")
    let (text, _) = try exchanged(tables, in: windows)
    #expect(text?.replacing("\r\n", with: "").contains("\n") == false)
    // Without marks and comments, all on few lines.
    let bare = Self.project.replacing(#/\/\*.*?\*\//#, with: "").replacing(#/,\n\t*/#, with: ", ").replacing(
      #/\(\n\t*/#, with: "( ")
    let (flat, told) = try exchanged(tables, in: bare)
    #expect(told.isEmpty)
    let read = try layout([
      "P.xcodeproj/project.pbxproj": try #require(flat), "App/Localizable.xcstrings": catalog(),
      "App/Base.lproj/Main.storyboard": "", "App/mul.lproj/Main.xcstrings": catalog(),
    ])
    #expect(read.catalogs.map(\.path).contains("App/Localizable.xcstrings"))
  }

  @Test("a table whose catalog a project file cannot take is refused, and the others are exchanged")
  func refused() throws {
    let tables = [
      ConvertedTable(catalog: "App/Localizable.xcstrings", removed: Set(Self.files[..<2])),
      ConvertedTable(
        catalog: "App/mul.lproj/Main.xcstrings", removed: ["App/de.lproj/Main.strings"],
        interface: "App/Base.lproj/Main.storyboard"),
    ]
    func result(_ tables: [ConvertedTable], _ text: String) throws -> ExchangedTables {
      var texts = ["Sub/P.xcodeproj/project.pbxproj": text]
      for table in tables { for file in table.removed { texts[file.text] = "" } }
      for table in tables { if let interface = table.interface { texts[interface.text] = "" } }
      let tree = InMemoryTree(texts: texts)
      let project = try RepositoryLayout().project(in: tree, excluding: [])
      return RepositoryLayout().exchanging(tables, of: project, in: tree)
    }
    let inside = tables.map { table in
      ConvertedTable(
        catalog: TreePath(trusted: "Sub/" + table.catalog.text),
        removed: Set(table.removed.map { TreePath(trusted: "Sub/" + $0.text) }),
        interface: table.interface.map { TreePath(trusted: "Sub/" + $0.text) })
    }
    #expect(try result(inside, Self.project).refused.isEmpty)
    // A file of another name in the group, which is not there.
    let other = Self.replacing([("path = en.lproj/Localizable.strings;", "path = fr.lproj/Other.strings;")])
    let missing = try result(
      [
        ConvertedTable(catalog: inside[0].catalog, removed: ["Sub/App/de.lproj/Localizable.strings"]), inside[1],
      ], other)
    #expect(missing.refused == [inside[0].catalog])
    #expect(missing.diagnostics.map(\.severity) == [.error])
    #expect(missing.edits.paths == ["Sub/P.xcodeproj/project.pbxproj"])
    // A storyboard that lies beside the project's folder.
    let shared = Self.replacing([
      (
        "path = Base.lproj/Main.storyboard; sourceTree = \"<group>\"",
        "path = ../Shared/Base.lproj/Main.storyboard; sourceTree = SOURCE_ROOT"
      ),
      (
        "path = de.lproj/Main.strings; sourceTree = \"<group>\"",
        "path = ../Shared/de.lproj/Main.strings; sourceTree = SOURCE_ROOT"
      ),
    ])
    let beside = ConvertedTable(
      catalog: "Shared/mul.lproj/Main.xcstrings", removed: ["Shared/de.lproj/Main.strings"],
      interface: "Shared/Base.lproj/Main.storyboard")
    let outside = try result([inside[0], beside], shared)
    #expect(outside.refused == [beside.catalog])
    guard case .write(let content)? = outside.edits.edits["Sub/P.xcodeproj/project.pbxproj"] else {
      Issue.record("the other table is exchanged")
      return
    }
    let text = String(decoding: content.bytes, as: UTF8.self)
    #expect(text.contains("Localizable.xcstrings"))
    #expect(text.contains("de.lproj/Main.strings"))
    #expect(text.contains("objectVersion = 56;"))
  }

  @Test("a file that the project does not list is taken by no target; where none decides all are")
  func taken() throws {
    let tree = InMemoryTree(texts: [
      "P.xcodeproj/project.pbxproj": Self.project, "App/en.lproj/Localizable.strings": "",
      "App/ru.lproj/Localizable.strings": "",
    ])
    let paths: [TreePath] = ["App/en.lproj/Localizable.strings", "App/ru.lproj/Localizable.strings"]
    let project = try RepositoryLayout().project(in: tree, excluding: [])
    #expect(RepositoryLayout().taken(paths, by: project.targets, in: tree) == [paths[0]])
    #expect(RepositoryLayout().taken(paths, by: [], in: tree) == Set(paths))
  }

  @Test("a project that is generated is told and left alone; so is a manifest that names a file which went")
  func told() throws {
    let table = ConvertedTable(catalog: "App/Localizable.xcstrings", removed: Set(Self.files[..<2]))
    let generated = try exchanged([table], more: ["project.yml": "name: P\ntargets:\n  App:\n    platform: iOS\n"])
    #expect(generated.text == nil)
    #expect(generated.told.count == 1)
    #expect(generated.told.first?.contains("project.yml") == true)
    let tree = InMemoryTree(texts: [
      "Package.swift": manifest("targets: [.target(name: \"Kit\", resources: [.process(\"en.lproj\")])]"),
      "Sources/Kit/en.lproj/T.strings": "", "Sources/Kit/A.swift": "",
    ])
    let project = try RepositoryLayout().project(in: tree, excluding: [])
    let result = RepositoryLayout().exchanging(
      [ConvertedTable(catalog: "Sources/Kit/T.xcstrings", removed: ["Sources/Kit/en.lproj/T.strings"])], of: project,
      in: tree)
    #expect(result.edits.isEmpty)
    #expect(result.diagnostics.map(\.path) == ["Package.swift"])
  }
}
