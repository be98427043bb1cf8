import Localization
import Testing

@testable import ProjectLayout

@Suite("Project files whose tables became String Catalogs")
struct ConvertedTableTests {

  static let strings = [
    (file("000000000000000000000001", "en", "en.lproj/Localizable.strings"), ""),
    (file("000000000000000000000002", "de", "de.lproj/Localizable.strings"), ""),
    (
      group(
        "00000000000000000000AA03", "Localizable.strings",
        ["000000000000000000000001 /* en */", "000000000000000000000002 /* de */"]), ""
    ),
  ]
  static let rules = [
    (file("000000000000000000000003", "en", "en.lproj/Localizable.stringsdict", "text.plist.stringsdict"), ""),
    (group("00000000000000000000AA04", "Localizable.stringsdict", ["000000000000000000000003 /* en */"]), ""),
  ]

  @Test("a variant group is replaced with one reference in its group and build file, and no other line changes")
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
    #expect(try exchanged([table]).text == text, "the identifier is the same each time")
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

  @Test("remaining files keep their group, and the catalog is added to the group and the build phase")
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

  @Test("files of a table that a project lists beside its catalog are removed, and the catalog is not added again")
  func listed() throws {
    let path: TreePath = "App/Localizable.xcstrings"
    let german = ConvertedTable(catalog: path, removed: ["App/de.lproj/Localizable.strings"])
    let both = try #require(try exchanged([german]).text)
    let english = ConvertedTable(catalog: path, removed: ["App/en.lproj/Localizable.strings"])
    let (text, told) = try exchanged([english], in: both, more: [path.text: catalog()])
    let rest = try #require(text)
    #expect(!rest.contains(#/Localizable\.strings[^d]/#))
    #expect(rest.ranges(of: Self.reference(try Self.id("Localizable.xcstrings", in: both))).count == 1)
    #expect(rest.ranges(of: "Localizable.xcstrings in Resources").count == 2)
    #expect(told.isEmpty)
  }

  @Test("the catalog of a storyboard becomes another child of its group, and needs a project of Xcode 15")
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

  @Test("line endings and single-line lists and objects are kept, and converting all tables gives a valid project file")
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
    // The project file has no comments and few line breaks.
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

  @Test("a table whose catalog cannot be added to the project file is refused, and other tables are replaced")
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
    // The group also has a missing file with another name.
    let other = Self.replacing([("path = en.lproj/Localizable.strings;", "path = fr.lproj/Other.strings;")])
    let missing = try result(
      [
        ConvertedTable(catalog: inside[0].catalog, removed: ["Sub/App/de.lproj/Localizable.strings"]), inside[1],
      ], other)
    #expect(missing.refused == [inside[0].catalog])
    #expect(missing.diagnostics.map(\.severity) == [.error])
    #expect(missing.edits.paths == ["Sub/P.xcodeproj/project.pbxproj"])
    // The storyboard is outside the project's folder.
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

  @Test("files that the project does not list are in no target; without projects, all files are included")
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

  @Test("generated projects, and manifests that list a removed file, are reported and not changed")
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
