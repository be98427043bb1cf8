import Localization
import ProjectLayout
import Testing

@Suite struct XcodeMembershipTests {
  @Test("a target has the files of its build phases, wherever their groups are, and adds keys only to its own catalogs")
  func phases() throws {
    let project = try layout([
      "Apps/App.xcodeproj/project.pbxproj": pbxproj(
        """
        GA = { isa = PBXGroup; children = (A, CAT, SB, M); path = Main; sourceTree = "<group>"; };
        GB = { isa = PBXGroup; children = (B, W, WCAT); name = "Not a folder"; sourceTree = "<group>"; };
        \(file("A", "A.swift")) \(file("CAT", "Localizable.xcstrings")) \(file("M", "M.m"))
        SB = { isa = PBXVariantGroup; children = (SBB, SBS); name = Main.storyboard; sourceTree = "<group>"; };
        \(file("SBB", "Base.lproj/Main.storyboard")) \(file("SBS", "mul.lproj/Main.xcstrings"))
        \(file("B", "../Shared/B.swift")) \(file("W", "Widget/W.swift", tree: "SOURCE_ROOT"))
        \(file("WCAT", "Widget/Localizable.xcstrings", tree: "SOURCE_ROOT"))
        \(target("T1", "App", sources: ["A", "B", "M"], resources: ["CAT", "SB"]))
        \(target("T2", "Widget", type: "app-extension", sources: ["W", "B"], resources: ["WCAT"]))
        """, children: "GA, GB", targets: "T1, T2"),
      "Apps/Main/A.swift": "", "Apps/Main/M.m": "", "Apps/Main/M.h": "",
      "Apps/Main/Localizable.xcstrings": catalog("de"),
      "Apps/Main/Base.lproj/Main.storyboard": "", "Apps/Main/mul.lproj/Main.xcstrings": catalog("de"),
      "Shared/B.swift": "", "Apps/Widget/W.swift": "", "Apps/Widget/Localizable.xcstrings": catalog("de"),
      "Apps/Main/Unused.swift": "", "Apps/Other/Localizable.xcstrings": catalog("de"),
    ])
    let app = try #require(project["Apps/App.xcodeproj:App"])
    let widget = try #require(project["Apps/App.xcodeproj:Widget"])
    #expect(app.sources == ["Apps/Main/A.swift", "Shared/B.swift"])
    #expect(
      app.otherSources.map(\.path.text) == ["Apps/Main/Base.lproj/Main.storyboard", "Apps/Main/M.h", "Apps/Main/M.m"])
    #expect(
      app.catalogs == ["Localizable": "Apps/Main/Localizable.xcstrings", "Main": "Apps/Main/mul.lproj/Main.xcstrings"])
    #expect(app.kind == .xcode(project: "Apps/App.xcodeproj/project.pbxproj"))
    #expect(app.resourceFolder == "Apps/Main")
    #expect(widget.sources == ["Apps/Widget/W.swift", "Shared/B.swift"])
    #expect(widget.catalogs == ["Localizable": "Apps/Widget/Localizable.xcstrings"])
    #expect(project.ids == ["Apps/App.xcodeproj:App", "Apps/App.xcodeproj:Widget"])
    // A file that is in no build phase belongs to no target.
    #expect(project.feeders(of: "Apps/Other/Localizable.xcstrings") == [])
    #expect(
      project.diagnostics.map(\.path) == ["Apps/App.xcodeproj/project.pbxproj", "Apps/Other/Localizable.xcstrings"])
    #expect(project.diagnostics.allSatisfy { $0.severity == .note })
  }

  @Test(
    "the versions of a Core Data model are sources of the targets that include it, in projects, folders and packages"
  )
  func dataModels() throws {
    let project = try layout([
      "App.xcodeproj/project.pbxproj": pbxproj(
        folder("F", "Shared")
          + """
          G = { isa = PBXGroup; children = (A, M); path = App; sourceTree = "<group>"; }; \(file("A", "A.swift"))
          M = { isa = XCVersionGroup; children = (M1, M2); path = Store.xcdatamodeld; sourceTree = "<group>"; };
          \(file("M1", "Store.xcdatamodel")) \(file("M2", "Store 2.xcdatamodel"))
          """ + target("T1", "App", sources: ["A", "M"])
          + target("T2", "Tool", more: "fileSystemSynchronizedGroups = (F);"),
        children: "F, G", targets: "T1, T2"),
      "App/A.swift": "", "App/Store.xcdatamodeld/Store.xcdatamodel/contents": "<model/>",
      "App/Store.xcdatamodeld/Store 2.xcdatamodel/contents": "<model/>", "App/Store.xcdatamodeld/.xccurrentversion": "",
      "App/Store.xcdatamodeld/Store.xcdatamodel/layout": "", "Shared/Old.xcdatamodel/contents": "<model/>",
      "Kit/Package.swift": manifest("targets: [.target(name: \"Kit\")]"), "Kit/Sources/Kit/K.swift": "",
      "Kit/Sources/Kit/K.xcdatamodeld/K.xcdatamodel/contents": "<model/>",
      "Left/Left.xcdatamodeld/Left.xcdatamodel/contents": "<model/>",
    ])
    #expect(
      project["App.xcodeproj:App"]?.sources == [
        "App/A.swift", "App/Store.xcdatamodeld/Store 2.xcdatamodel/contents",
        "App/Store.xcdatamodeld/Store.xcdatamodel/contents",
      ])
    #expect(project["App.xcodeproj:Tool"]?.sources == ["Shared/Old.xcdatamodel/contents"])
    #expect(
      project["Kit:Kit"]?.sources == [
        "Kit/Sources/Kit/K.swift", "Kit/Sources/Kit/K.xcdatamodeld/K.xcdatamodel/contents",
      ])
    #expect(!project.targets.contains { $0.sources.contains { $0.hasPrefix("Left") } })
  }

  @Test(
    "only the current version of a Core Data model is a source, if it is known",
    arguments: [
      ("Store 2.xcdatamodel", ["Store 2"]), ("Store 3.xcdatamodel", ["Store 2", "Store"]), (nil, ["Store 2", "Store"]),
    ] as [(String?, [String])])
  func currentModel(name: String?, versions: [String]) throws {
    var files = [
      "App/A.swift": "", "App/Localizable.xcstrings": catalog("de"),
      "App/Store.xcdatamodeld/Store.xcdatamodel/contents": "<model/>",
      "App/Store.xcdatamodeld/Store 2.xcdatamodel/contents": "<model/>",
      "App.xcodeproj/project.pbxproj": pbxproj(
        folder("F", "App") + target("T1", "App", more: "fileSystemSynchronizedGroups = (F);"), children: "F",
        targets: "T1"),
    ]
    files["App/Store.xcdatamodeld/.xccurrentversion"] = name.map {
      "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>\($0)</string></dict></plist>"
    }
    let sources = try #require(try layout(files)["App.xcodeproj:App"]?.sources)
    #expect(sources == ["App/A.swift"] + versions.map { "App/Store.xcdatamodeld/\($0).xcdatamodel/contents" })
  }

  @Test("both targets that contain a catalog add keys to it")
  func shared() throws {
    let project = try layout([
      "App.xcodeproj/project.pbxproj": pbxproj(
        folder("F", "Shared") + folder("G", "Watch")
          + target("T1", "App", more: "fileSystemSynchronizedGroups = (F);")
          + target("T2", "Watch App", more: "fileSystemSynchronizedGroups = (F, G);"),
        children: "F, G", targets: "T1, T2"),
      "Shared/S.swift": "", "Shared/Localizable.xcstrings": catalog("de"), "Watch/W.swift": "",
      "Watch/Sub/Localizable.xcstrings": catalog("de"),
    ])
    #expect(project.feeders(of: "Shared/Localizable.xcstrings") == ["App.xcodeproj:App", "App.xcodeproj:Watch App"])
    let watch = try #require(project["App.xcodeproj:Watch App"])
    #expect(watch.sources == ["Shared/S.swift", "Watch/W.swift"])
    #expect(watch.name == "Watch_App")
    // If there are two catalogs of one table, the outer catalog is used, with a warning.
    #expect(watch.catalogs["Localizable"] == "Shared/Localizable.xcstrings")
    #expect(project.diagnostics.map(\.path) == ["Watch/Sub/Localizable.xcstrings"])
  }

  @Test(
    "a target gets all of a synchronized folder except its exceptions; another target gets only the files that it adds")
  func exceptions() throws {
    let project = try layout([
      "App.xcodeproj/project.pbxproj": pbxproj(
        folder(
          "F", "App", exceptions: "E1, E2, E3",
          more: "explicitFolders = (Copied); explicitFileTypes = { Text.swift = text; };")
            + """
            E1 = { isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = T1;
              membershipExceptions = ("Info.plist", "Sub/Out.swift", "/Localized: Sub/Main.storyboard"); };
            E2 = { isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = T2;
              membershipExceptions = ("Sub/Both.swift", "/Localized/InfoPlist.strings", Localizable.xcstrings); };
            E3 = { isa = PBXFileSystemSynchronizedGroupBuildPhaseMembershipExceptionSet; buildPhase = T1COPY;
              membershipExceptions = (Script.swift); };
            T1COPY = { isa = PBXCopyFilesBuildPhase; files = (); };
            """
          + target("T1", "App", more: "fileSystemSynchronizedGroups = (F);").replacing("T1FWK)", with: "T1FWK, T1COPY)")
          + target("T2", "Widget", type: "app-extension"),
        children: "F", targets: "T1, T2"),
      "App/A.swift": "", "App/Info.plist": "", "App/Sub/Out.swift": "", "App/Sub/Both.swift": "",
      "App/Script.swift": "",
      "App/Sub/Base.lproj/Main.storyboard": "", "App/en.lproj/InfoPlist.strings": "",
      "App/Localizable.xcstrings": catalog("de"),
      "App/Copied/C.swift": "", "App/Copied/Errors.xcstrings": catalog("de"), "App/Text.swift": "",
      "App/Kit/Package.swift": manifest("targets: [.target(name: \"Kit\")]"), "App/Kit/Sources/Kit/K.swift": "",
    ])
    let app = try #require(project["App.xcodeproj:App"])
    let widget = try #require(project["App.xcodeproj:Widget"])
    #expect(app.sources == ["App/A.swift", "App/Sub/Both.swift"])
    #expect(app.otherSources.isEmpty)
    #expect(
      app.catalogs == ["InfoPlist": "App/en.lproj/InfoPlist.strings", "Localizable": "App/Localizable.xcstrings"])
    #expect(app.folder == "App")
    #expect(widget.sources == ["App/Sub/Both.swift"])
    #expect(
      widget.catalogs == ["InfoPlist": "App/en.lproj/InfoPlist.strings", "Localizable": "App/Localizable.xcstrings"])
    #expect(project.feeders(of: "App/Copied/Errors.xcstrings") == [])
    #expect(project["App/Kit:Kit"]?.sources == ["App/Kit/Sources/Kit/K.swift"])
  }

  @Test("a file is found even if its name differs in case or in Unicode form")
  func names() throws {
    let project = try layout([
      "App.xcodeproj/project.pbxproj": pbxproj(
        file("A", "app/a.swift") + file("B", "App/U\u{308}.swift") + folder("F", "sub")
          + target("T", "App", sources: ["A", "B"], more: "fileSystemSynchronizedGroups = (F);"),
        children: "A, B, F", targets: "T"),
      "App/A.swift": "", "App/Ü.swift": "", "Sub/S.swift": "",
    ])
    #expect(project["App.xcodeproj:App"]?.sources == ["App/A.swift", "App/Ü.swift", "Sub/S.swift"])
    #expect(project.diagnostics.isEmpty)
  }

  @Test("a target without a catalog uses the tables of the development region")
  func tables() throws {
    let project = try layout([
      "App.xcodeproj/project.pbxproj": pbxproj(
        """
        V = { isa = PBXVariantGroup; children = (VE, VD); name = Localizable.strings; sourceTree = "<group>"; };
        \(file("VE", "en.lproj/Localizable.strings")) \(file("VD", "de.lproj/Localizable.strings"))
        \(file("D", "de.lproj/Only.strings")) \(file("P", "Plain.strings")) \(file("A", "A.swift"))
        \(target("T", "App", sources: ["A"], resources: ["V", "D", "P"]))
        \(target("N", "Nothing", sources: ["A"]))
        """, children: "V, D, P, A", targets: "T, N"),
      "A.swift": "", "en.lproj/Localizable.strings": "", "de.lproj/Localizable.strings": "",
      "de.lproj/Only.strings": "",
      "Plain.strings": "",
    ])
    #expect(
      project["App.xcodeproj:App"]?.catalogs == [
        "Localizable": "en.lproj/Localizable.strings", "Plain": "Plain.strings",
      ])
    #expect(project["App.xcodeproj:App"]?.feedsCatalogs == true)
    #expect(project["App.xcodeproj:Nothing"]?.catalogs == project["App.xcodeproj:App"]?.catalogs)
    #expect(project.catalogs.map(\.path) == ["en.lproj/Localizable.strings"])
    #expect(project.languages == ["en", "de"])
  }

  @Test("tests add keys to no catalog, even to their own, but their host app does")
  func tests() throws {
    let project = try layout([
      "App.xcodeproj/project.pbxproj": pbxproj(
        folder("F", "Host") + folder("G", "AppTests")
          + target("T1", "Host", more: "fileSystemSynchronizedGroups = (F);")
          + target(
            "T2", "AppTests", type: "bundle.unit-test",
            more: "fileSystemSynchronizedGroups = (G); dependencies = (D);")
          + "D = { isa = PBXTargetDependency; target = T1; };",
        children: "F, G", targets: "T1, T2"),
      "Host/H.swift": "", "Host/Localizable.xcstrings": catalog("de"), "AppTests/T.swift": "",
      "AppTests/Localizable.xcstrings": catalog("xx"),
    ])
    let tests = try #require(project["App.xcodeproj:AppTests"])
    #expect(!tests.feedsCatalogs && tests.catalogs.isEmpty && tests.sources == ["AppTests/T.swift"])
    #expect(tests.dependencies == [TargetID(rawValue: "App.xcodeproj:Host")])
    #expect(project["App.xcodeproj:Host"]?.feedsCatalogs == true)
    #expect(project.feeders(of: "AppTests/Localizable.xcstrings") == [])
    #expect(!project.languages.contains("xx"))
  }
}
