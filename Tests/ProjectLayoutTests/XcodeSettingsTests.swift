import Localization
import ProjectLayout
import Testing

@Suite struct XcodeSettingsTests {
  private func settings(
    _ target: String, project: String = "", base: String = "", files: [String: String] = [:], objects: String = "",
    children: String = "", sources: [String] = []
  ) throws -> (settings: [String: BuildSetting], project: ProjectDescription) {
    let project = try layout(
      files.merging([
        "Sub/App.xcodeproj/project.pbxproj": pbxproj(
          ProjectLayoutTests.target("T", "My App", sources: sources, settings: target, base: base) + objects,
          children: children,
          targets: "T", settings: project)
      ]) { $1 })
    let found = try #require(project["Sub/App.xcodeproj:My App"])
    return (try #require(found.builtConfiguration).settings, project)
  }

  @Test(
    "references to settings are replaced if the project defines the settings",
    arguments: [
      ("\"$(TARGET_NAME)\"", "My App"), ("\"${PRODUCT_NAME:c99extidentifier}\"", "My_App"),
      ("\"$(TARGET_NAME:rfc1034identifier:lower)\"", "my-app"), ("\"$(SDKROOT)/x\"", "$(SDKROOT)/x"),
      ("\"$(NOTHING:default=none)\"", "none"), ("\"$(B)\"", "b"), ("\"$($(N))\"", "b"),
      ("\"a $ (b) $(\"", "a $ (b) $("),
      ("\"$(A)\"", ""), ("(one, \"two three\")", "one \"two three\""), ("\"$(D:dir)\"", "x/y/"),
      ("\"$(D:file:base)\"", "z"), ("\"$(C1)\"", "$(C1)"), ("\"$(inherited) t\"", "p t"), ("\"$(X) t\"", "p t"),
    ])
  func references(written: String, expected: String) throws {
    let found = try settings(
      "X = \(written); B = b; N = B; A = \"$(A)\"; D = x/y/z.plist; C1 = \"$(C2)\"; C2 = \"$(C1)\";",
      project: "X = p;")
    #expect(found.settings["X"]?.value == expected)
  }

  @Test("settings take precedence in this order: target, the target's file, project, the project's file")
  func precedence() throws {
    let found = try settings(
      "D = 4; \"E[sdk=macosx*]\" = 5; L = \"$(inherited) target\";", project: "B = 2; C = 2; D = 2; L = project;",
      base: "baseConfigurationReference = XC;",
      files: [
        "Sub/Config/App.xcconfig": """
        // A comment
        #include "Common"   // with the ending left out
        #include? "Missing.xcconfig"
        C = 3 // http://example.org
        D = 3;
        E = one \\
            two
        L = $(inherited) file
        M[config=Debug] = debug
        M[config=Release][sdk=*] = release
        """,
        "Sub/Config/Common.xcconfig": "F = common\nC = common\r\nL = $(inherited) common\n",
      ], objects: file("XC", "Config/App.xcconfig"), children: "XC")
    #expect(found.settings["B"]?.value == "2")
    #expect(found.settings["C"]?.value == "3")
    #expect(found.settings["D"]?.value == "4")
    #expect(found.settings["E"]?.value == "one two")
    #expect(found.settings["E[sdk=macosx*]"]?.value == "5")
    #expect(found.settings["F"]?.value == "common")
    #expect(found.settings["L"]?.value == "project common file target")
    #expect(found.settings["M"]?.value == "debug")
    let place = try #require(found.settings["C"])
    #expect(place.path == "Sub/Config/App.xcconfig" && place.line == 4 && place.column == 5)
    #expect(found.settings["D"]?.path == "Sub/App.xcodeproj/project.pbxproj")
    #expect(found.project.diagnostics.isEmpty)
  }

  @Test("a settings file in a synchronized folder is found by the folder and its relative path")
  func anchored() throws {
    let found = try settings(
      "", base: "baseConfigurationReferenceAnchor = F; baseConfigurationReferenceRelativePath = \"In/App.xcconfig\";",
      files: ["Sub/Config/In/App.xcconfig": "A = 1"], objects: folder("F", "Config"), children: "F")
    #expect(found.settings["A"]?.value == "1")
  }

  @Test("cyclic and missing inclusions are reported with their line, and other lines are read")
  func cycles() throws {
    let found = try settings(
      "", base: "baseConfigurationReference = XC;",
      files: [
        "Sub/A.xcconfig":
          "A = 1\n#include \"B.xcconfig\"\n#include \"Gone.xcconfig\"\nwhat is this\n#import \"x\"\nZ = 2",
        "Sub/B.xcconfig": "B = 1\n  #include \"A.xcconfig\"\n",
      ], objects: file("XC", "A.xcconfig"), children: "XC")
    #expect(found.settings["A"]?.value == "1" && found.settings["B"]?.value == "1" && found.settings["Z"]?.value == "2")
    #expect(
      Set(found.project.diagnostics.map(\.description).map { $0.split(separator: "\n").first ?? "" }) == [
        "Sub/B.xcconfig:2:12: warning: A.xcconfig includes itself; this include is ignored",
        "Sub/A.xcconfig:3:10: note: the included file Gone.xcconfig does not exist",
        "Sub/A.xcconfig:4:6: warning: expected `=` after what; this line is ignored",
        "Sub/A.xcconfig:5:8: warning: #import is not a directive; this line is ignored",
      ])
  }

  @Test("settings that double in size at every step stop at a limit")
  func doubling() throws {
    var text = "X0 = \(String(repeating: "x", count: 1000))\n"
    for step in 1...60 { text += "X\(step) = $(X\(step - 1))$(X\(step - 1))\n" }
    let includes = (0..<40).map { ("Sub/I\($0).xcconfig", "#include \"I\($0 + 1)\"\n#include \"I\($0 + 1)\"\n") }
    let found = try settings(
      "", base: "baseConfigurationReference = XC;",
      files: Dictionary(includes) { $1 }.merging(["Sub/A.xcconfig": text + "#include \"I0\""]) { $1 },
      objects: file("XC", "A.xcconfig"), children: "XC")
    #expect(found.settings.values.allSatisfy { $0.value.utf8.count <= 1 << 16 })
    #expect(found.project.diagnostics.contains { $0.message.contains("more than 2000 inclusions") })
  }

  @Test("a value that uses the previous value twice is computed once for each line")
  func inheritedTwice() throws {
    let lines = String(repeating: "A = $(inherited)$(inherited)\n", count: 40)
    let many = "B = " + String(repeating: "$(inherited)", count: 1000) + "\n"
    let found = try settings(
      "", base: "baseConfigurationReference = XC;",
      files: ["Sub/A.xcconfig": lines + String(repeating: many, count: 4) + "A = $(inherited)a"],
      objects: file("XC", "A.xcconfig"), children: "XC")
    #expect(found.settings["A"]?.value == "a" && found.settings["B"]?.value == "")
    #expect(found.project.diagnostics.isEmpty)
  }

  @Test("references beyond the limit of a configuration stay unchanged, with a warning")
  func tooManyReferences() throws {
    let line = String(repeating: "$(E)", count: 1000)
    let text = (100..<200).map { "X\($0) = \(line)\n" }.joined()
    let found = try settings(
      "", base: "baseConfigurationReference = XC;", files: ["Sub/A.xcconfig": "E =\n" + text],
      objects: file("XC", "A.xcconfig"), children: "XC")
    #expect(found.settings["X100"]?.value == "" && found.settings["X199"]?.value == line)
    #expect(found.project.diagnostics.map(\.severity) == [.warning])
    #expect(found.project.diagnostics.first?.message.contains("too many references") == true)
  }

  @Test("a settings file that two projects share includes files of each project")
  func sharedFile() throws {
    func project(_ name: String) -> String {
      pbxproj(
        ProjectLayoutTests.target("T", name, base: "baseConfigurationReference = XC;")
          + file("XC", "../Shared/S.xcconfig"), children: "XC", targets: "T")
    }
    let found = try layout([
      "A/A.xcodeproj/project.pbxproj": project("A"), "B/B.xcodeproj/project.pbxproj": project("B"),
      "Shared/S.xcconfig": "#include \"Own.xcconfig\"", "A/Own.xcconfig": "X = a", "B/Own.xcconfig": "X = b",
    ])
    let values = ["A/A.xcodeproj:A", "B/B.xcodeproj:B"].map { found[$0]?.builtConfiguration?.settings["X"]?.value }
    #expect(values == ["a", "b"], "\(found.ids)")
  }

  @Test(
    "a settings file missing from the repository makes extraction uncertain, unless the setting is defined elsewhere",
    arguments: [
      ("", "Secrets.xcconfig", true, ProjectTarget.CodeStrings.typed),
      ("", "Pods/Target/Pods-App.debug.xcconfig", false, .searched),
      ("SWIFT_EMIT_LOC_STRINGS = NO;", "Secrets.xcconfig", false, .searched),
      ("SWIFT_EMIT_LOC_STRINGS = YES;", "Secrets.xcconfig", false, .typed),
    ])
  func missingFile(_ text: String, _ name: String, _ isUncertain: Bool, _ taken: ProjectTarget.CodeStrings) throws {
    let found = try settings(
      text, base: "baseConfigurationReference = XC;", objects: file("XC", name), children: "XC")
    let target = try #require(found.project["Sub/App.xcodeproj:My App"])
    #expect(target.areCodeStringsUncertain == isUncertain && target.codeStrings == taken)
  }

  @Test(
    "a settings file that is not UTF-8 or has a missing include also makes extraction uncertain",
    arguments: [
      ("#include \"Secrets.xcconfig\"", true), ("#include \"/Users/me/Secrets.xcconfig\"", true),
      ("#include \"Own.xcconfig\"", true), ("#include? \"Secrets.xcconfig\"", false),
      ("#include \"Pods/Target/Pods-App.xcconfig\"", false), ("#include \"<DEVELOPER_DIR>/A.xcconfig\"", false),
      ("SWIFT_EMIT_LOC_STRINGS = NO\n#include \"Secrets.xcconfig\"", false),
      ("<<<<<<< HEAD\nA = 1\n=======\n>>>>>>> b", true), ("S\0W\0", true),
    ])
  func missingInclusion(_ text: String, _ isUncertain: Bool) throws {
    let found = try settings(
      "", base: "baseConfigurationReference = XC;",
      files: ["Sub/App.xcconfig": text, "Sub/Own.xcconfig": "A = 1\n#include \"Gone.xcconfig\""],
      objects: file("XC", "App.xcconfig"), children: "XC")
    let target = try #require(found.project["Sub/App.xcodeproj:My App"])
    #expect(target.areCodeStringsUncertain == isUncertain && (target.codeStrings == .typed) == isUncertain)
    let errors = found.project.diagnostics.filter { $0.severity == .error }
    #expect(errors.isEmpty == !(text.hasPrefix("S\0") || text.hasPrefix("<")), "\(errors)")
  }

  @Test("module name, macro names, Info.plist and platforms are read from the settings")
  func uses() throws {
    let found = try settings(
      "LOCALIZED_STRING_MACRO_NAMES = (NSLocalizedString, CFCopyLocalizedString, L10n, \"$(inherited)\"); "
        + "INFOPLIST_FILE = \"$(SRCROOT)/Support/Mine.plist\"; PRODUCT_NAME = \"$(TARGET_NAME)-Beta\"; SDKROOT = auto; "
        + "SUPPORTED_PLATFORMS = \"iphoneos iphonesimulator macosx\"; SWIFT_EMIT_LOC_STRINGS = NO; LOCALIZED_STRING_SWIFTUI_SUPPORT = NO;",
      project: "LOCALIZED_STRING_MACRO_NAMES = Text2;", files: ["Sub/Support/Mine.plist": ""])
    let target = try #require(found.project["Sub/App.xcodeproj:My App"])
    #expect(target.name == "My_App_Beta")
    #expect(target.macros == ["L10n", "Text2"])
    #expect(target.otherSources.map(\.path) == ["Sub/Support/Mine.plist"])
    #expect(target.platforms == [.iOS, .macOS])
    #expect(target.codeStrings == .none)
    let plain = try #require(try settings("SDKROOT = macosx;").project["Sub/App.xcodeproj:My App"])
    #expect(plain.platforms == [.macOS] && plain.codeStrings == .searched && plain.name == "My_App")
    let typed = try settings("SWIFT_EMIT_LOC_STRINGS = YES; LOCALIZED_STRING_SWIFTUI_SUPPORT = NO;").project
    #expect(typed["Sub/App.xcodeproj:My App"]?.codeStrings == .typed)
    #expect(try settings("SDKROOT = auto;").project["Sub/App.xcodeproj:My App"]?.platforms == nil)
  }

  @Test(
    "files in EXCLUDED_SOURCE_FILE_NAMES do not belong to the target",
    arguments: [
      ("EXCLUDED_SOURCE_FILE_NAMES = \"Mock.swift\";", ["Sub/App/App.swift", "Sub/App/Debug Only/More.swift"]),
      (
        "EXCLUDED_SOURCE_FILE_NAMES = (\"$(inherited)\", \"Moc?.*\");",
        ["Sub/App/App.swift", "Sub/App/Debug Only/More.swift"]
      ),
      ("EXCLUDED_SOURCE_FILE_NAMES = \"*/Debug\\\\ Only/*\";", ["Sub/App/App.swift", "Sub/App/Mock.swift"]),
      ("EXCLUDED_SOURCE_FILE_NAMES = (\"$(SRCROOT)/App/Debug Only/*\");", ["Sub/App/App.swift", "Sub/App/Mock.swift"]),
      ("EXCLUDED_SOURCE_FILE_NAMES = \"*.swift\"; INCLUDED_SOURCE_FILE_NAMES = App.swift;", ["Sub/App/App.swift"]),
      (
        "EXCLUDED_SOURCE_FILE_NAMES = \"*.swift\"; \"INCLUDED_SOURCE_FILE_NAMES[sdk=macosx*]\" = Mock.swift;",
        ["Sub/App/Mock.swift"]
      ),
    ] as [(String, [String])])
  func excluded(text: String, expected: [String]) throws {
    #expect(try sources(text) == expected)
  }

  @Test(
    "a file that is excluded for only one SDK is kept",
    arguments: [
      "", "EXCLUDED_SOURCE_FILE_NAMES = \"\";", "\"EXCLUDED_SOURCE_FILE_NAMES[sdk=macosx*]\" = \"*.swift\";",
      "EXCLUDED_SOURCE_FILE_NAMES = \"*.swift\"; \"EXCLUDED_SOURCE_FILE_NAMES[sdk=macosx*]\" = \"\";",
      "EXCLUDED_SOURCE_FILE_NAMES = \"$(UNKNOWN)/*\";", "EXCLUDED_SOURCE_FILE_NAMES = \"Other/Mock.swift\";",
      "EXCLUDED_SOURCE_FILE_NAMES = \"*.swift\"; INCLUDED_SOURCE_FILE_NAMES = \"$(UNKNOWN)\";",
    ])
  func notExcluded(text: String) throws {
    #expect(try sources(text).count == 3)
  }

  private func sources(_ text: String) throws -> [String] {
    let names = ["App", "Mock", "Debug Only/More"]
    let found = try settings(
      text, files: Dictionary(uniqueKeysWithValues: names.map { ("Sub/App/\($0).swift", "") }),
      objects: names.enumerated().map { file("F\($0)", "App/\($1).swift") }.joined(), children: "F0, F1, F2",
      sources: names.indices.map { "F\($0)" })
    let target = try #require(found.project["Sub/App.xcodeproj:My App"])
    return target.sources
  }
}
