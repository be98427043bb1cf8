import Localization
import StringExtraction
import Testing

@Suite struct InfoPlistTests {
  static let path: TreePath = "App/Info.plist"
  static let catalog: TreePath = "App/InfoPlist.xcstrings"

  static func plist(_ members: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \(members)
    </dict>
    </plist>

    """
  }

  /// Returns the strings of a target that has these build settings and, if it is given, this Info.plist.
  static func extraction(
    _ file: [UInt8]?, _ settings: [String: String] = [:], table: String = "InfoPlist", isProject: Bool = true
  ) throws -> Extraction {
    var fixture = ExtractionFixture(bytes: file.map { [path: $0] } ?? [:])
    let standard = ["PRODUCT_NAME": "Birds", "TARGET_NAME": "Birds"].merging(settings) { $1 }
    let given = standard.map { name, value in
      (name, BuildSetting(value: value, path: "App.xcodeproj/project.pbxproj", line: 7, column: 9))
    }
    if isProject {
      fixture.project.targets[0].configurations = [
        BuildConfiguration(name: "Debug", settings: Dictionary(given) { first, _ in first })
      ]
    }
    let catalog = TreePath(trusted: "App/\(table).xcstrings")
    fixture.project.targets[0].catalogs[table] = catalog
    fixture.project.catalogs.append(
      ProjectCatalog(path: catalog, table: table, sourceLanguage: "en", targets: [fixture.project.targets[0].id]))
    fixture.existing[Self.catalog] = Catalog(
      path: Self.catalog, sourceLanguage: "en",
      entries: ["NSSiriUsageDescription": CatalogEntry(translations: ["en": Translation("known", state: .new)])])
    return try fixture.extract()
  }

  /// Returns each string as `key = value // comment`.
  static func found(_ extraction: Extraction) -> [String] {
    extraction.strings.map { string in
      string.key.text + (string.value.map { " = " + $0 } ?? "") + (string.comment.map { " // " + $0 } ?? "")
    }
  }

  @Test("names, copyright, known usage descriptions and SensorKit's link are extracted, with Xcode's comments")
  func keys() throws {
    let source = Self.plist(
      """
      <key>CFBundleName</key><string>$(PRODUCT_NAME)</string>
      <key>CFBundleDisplayName</key><string></string>
      <key>CFBundleSpokenName</key><string>bird's</string>
      <key>CFBundleIdentifier</key><string>no</string>
      <key>NSHumanReadableCopyright</key><string>©
      2026</string>
      <key>NSAppleMusicUsageDescription</key><string>${PRODUCT_NAME:upper} plays</string>
      <key>NSUserNotificationsUsageDescription</key><string>no</string>
      <key>NSCameraUsageDescription</key><true/>
      <key>NSSensorKitPrivacyPolicyURL</key><string>https://birds.example</string>
      """)
    let extraction = try Self.extraction(Array(source.utf8))
    #expect(
      Self.found(extraction) == [
        "CFBundleDisplayName =  // Bundle display name", "CFBundleName = Birds // Bundle name",
        "CFBundleSpokenName = bird's // Accessibility Bundle Name",
        "NSAppleMusicUsageDescription = BIRDS plays // Privacy - Media Library Usage Description",
        "NSHumanReadableCopyright = ©\n2026 // Copyright (human-readable)",
        "NSSensorKitPrivacyPolicyURL = https://birds.example // Privacy - SensorKit Privacy Policy URL",
      ])
    #expect(extraction.strings.allSatisfy { $0.origin == .infoPlist && $0.catalog == Self.catalog })
    #expect(extraction.strings.map(\.sites[0].line) == [6, 5, 7, 11, 9, 14])
    #expect(extraction.strings[0].sites[0].column == 31)
    #expect(extraction.incompleteCatalogs.isEmpty && extraction.diagnostics.isEmpty)
  }

  @Test(
    "descriptions of types (except document types), titles of shortcuts and other app names are keys"
  )
  func texts() throws {
    let source = Self.plist(
      """
      <key>CFBundleDocumentTypes</key><array><dict><key>CFBundleTypeName</key><string>no</string></dict></array>
      <key>UTExportedTypeDeclarations</key><array><dict><key>UTTypeDescription</key><string>Bird list</string></dict><true/></array>
      <key>UTImportedTypeDeclarations</key><array><dict><key>UTTypeDescription</key><string>Nest</string></dict><dict/></array>
      <key>UIApplicationShortcutItems</key><array><dict><key>UIApplicationShortcutItemTitle</key><string>Sing</string>
      <key>UIApplicationShortcutItemSubtitle</key><string>aloud</string></dict></array>
      <key>INAlternativeAppNames</key><array><dict><key>INAlternativeAppName</key><string>Wren</string>
      <key>INAlternativeAppNamePronunciationHint</key><string>ren</string></dict></array>
      """)
    #expect(
      Self.found(try Self.extraction(Array(source.utf8))) == ["Bird list", "Nest", "Sing", "Wren", "aloud", "ren"])
  }

  @Test(
    "settings apply only if Xcode generates the Info.plist, which then has the product's name, and the file takes precedence"
  )
  func generated() throws {
    let settings = [
      "INFOPLIST_KEY_CFBundleDisplayName": "My Birds", "INFOPLIST_KEY_NSHumanReadableCopyright": "",
      "INFOPLIST_KEY_NSLocationWhenInUseUsageDescription": "Where", "INFOPLIST_KEY_UILaunchScreen_Generation": "YES",
      "INFOPLIST_KEY_NSSiriUsageDescription[sdk=iphoneos*]": "Speak",
    ]
    #expect(try Self.extraction(nil, settings).strings.isEmpty)
    let on = settings.merging(["GENERATE_INFOPLIST_FILE": "YES"]) { $1 }
    let extraction = try Self.extraction(nil, on)
    #expect(
      Self.found(extraction) == [
        "CFBundleDisplayName = My Birds // Bundle display name", "CFBundleName = Birds // Bundle name",
        "NSHumanReadableCopyright =  // Copyright (human-readable)",
        "NSLocationWhenInUseUsageDescription = Where // Privacy - Location When In Use Usage Description",
        "NSSiriUsageDescription = Speak // Privacy - Siri Usage Description",
      ])
    #expect(extraction.strings[0].sites.map(\.path) == ["App.xcodeproj/project.pbxproj"])
    #expect(extraction.strings[0].sites.map(\.line) == [7])
    let file = Self.plist("<key>CFBundleDisplayName</key><string>From the file</string>")
    let both = try Self.extraction(Array(file.utf8), on)
    #expect(Self.found(both)[0] == "CFBundleDisplayName = From the file // Bundle display name")
    #expect(both.strings.count == 5)
  }

  @Test("a table may have a prefix; a text with an unknown setting is taken from the catalog, or omitted with a note")
  func tables() throws {
    let source = Self.plist(
      "<key>NSSiriUsageDescription</key><string>$(UNKNOWN)</string><key>CFBundleName</key><string>$(UNKNOWN:default=a)</string>"
    )
    let prefixed = try Self.extraction(Array(source.utf8), table: "Birds-InfoPlist")
    #expect(prefixed.strings.map(\.catalog.text) == ["App/Birds-InfoPlist.xcstrings"])
    #expect(prefixed.strings.map(\.value) == ["a"] && prefixed.diagnostics.map(\.line) == [5])
    let known = try Self.extraction(Array(source.utf8))
    #expect(known.strings.map(\.value) == ["a", "known"])
    #expect(known.diagnostics.map(\.line) == [5] && known.incompleteCatalogs.isEmpty)
  }

  @Test("a text with an unknown setting gives no key, and no key is removed from the catalog")
  func unknownTexts() throws {
    let source = Self.plist(
      """
      <key>UTExportedTypeDeclarations</key><array><dict><key>UTTypeDescription</key><string>$(UNKNOWN) file</string></dict>
      <dict><key>UTTypeDescription</key><string>$(PRODUCT_NAME) file</string></dict></array>
      """)
    let extraction = try Self.extraction(Array(source.utf8))
    #expect(Self.found(extraction) == ["Birds file"])
    #expect(extraction.diagnostics.map(\.severity) == [.note] && extraction.diagnostics.map(\.line) == [5])
    #expect(extraction.incompleteCatalogs.keys.elementsEqual([Self.catalog]))
  }

  @Test("a catalog's text is kept if one of the build configurations has it")
  func configurations() throws {
    func value(_ debug: String, _ release: String, file: String? = nil) throws -> String? {
      var fixture = ExtractionFixture(bytes: file.map { [Self.path: Array(Self.plist($0).utf8)] } ?? [:])
      fixture.project.targets[0].catalogs["InfoPlist"] = Self.catalog
      fixture.existing[Self.catalog] = Catalog(
        path: Self.catalog, sourceLanguage: "en",
        entries: ["CFBundleDisplayName": CatalogEntry(translations: ["en": Translation("Birds", state: .new)])])
      fixture.project.targets[0].configurations = [("Release", release), ("Debug", debug)].map { name, text in
        let given = ["GENERATE_INFOPLIST_FILE": "YES", "INFOPLIST_KEY_CFBundleDisplayName": text, "NAME": text]
        return BuildConfiguration(
          name: name, settings: given.mapValues { BuildSetting(value: $0, path: "p", line: 1, column: 1) })
      }
      return try fixture.extract().strings.first { $0.key == "CFBundleDisplayName" }?.value
    }
    #expect(try value("Birds (Debug)", "Birds") == "Birds")
    #expect(try value("Birds (Debug)", "Wrens") == "Birds (Debug)")
    let file = "<key>CFBundleDisplayName</key><string>$(NAME)</string>"
    #expect(try value("Birds (Debug)", "Birds", file: file) == "Birds")
    #expect(try value("Birds (Debug)", "Wrens", file: file) == "Birds (Debug)")
  }

  @Test("a catalog's text is kept if one of the targets of the catalog has it")
  func targets() throws {
    func value(_ names: String...) throws -> String? {
      var fixture = ExtractionFixture(bytes: [:])
      fixture.project.targets[0].catalogs["InfoPlist"] = Self.catalog
      fixture.existing[Self.catalog] = Catalog(
        path: Self.catalog, sourceLanguage: "en",
        entries: ["CFBundleDisplayName": CatalogEntry(translations: ["en": Translation("Birds", state: .new)])])
      let target = fixture.project.targets[0]
      fixture.project.targets = names.enumerated().map { index, name in
        var own = target
        own.id = TargetID(rawValue: name)
        own.name = name
        let given = ["GENERATE_INFOPLIST_FILE": "YES", "INFOPLIST_KEY_CFBundleDisplayName": name]
        own.configurations = [
          BuildConfiguration(
            name: "Debug", settings: given.mapValues { BuildSetting(value: $0, path: "p", line: index + 1, column: 1) })
        ]
        return own
      }
      return try fixture.extract().strings.first { $0.key == "CFBundleDisplayName" }?.value
    }
    #expect(try value("Birds Beta", "Birds") == "Birds")
    #expect(try value("Birds Beta", "Wrens") == "Birds Beta")
  }

  @Test("binary lists are read, and unreadable or unknown files make the catalog incomplete")
  func gaps() throws {
    let good = Array(Self.plist("<key>CFBundleName</key><string>a</string>").utf8)
    let bad: [([UInt8]?, [String: String], Bool)] = [
      (good.dropLast(10), [:], true), ([], [:], true), (Array("<plist><array/></plist>".utf8), [:], true),
      (nil, ["INFOPLIST_FILE": "Gone/Info.plist"], true), (good, [:], false), (Array("bplist00".utf8), [:], true),
    ]
    for (file, settings, isProject) in bad {
      let extraction = try Self.extraction(file, settings, isProject: isProject)
      #expect(extraction.incompleteCatalogs[Self.catalog]?.isEmpty == false)
      #expect(!extraction.diagnostics.isEmpty)
    }
    let binary =
      Array("bplist00".utf8) + [0xD1, 1, 2, 0x5C] + Array("CFBundleName".utf8) + [0x51, 0x62, 8, 11, 24]
      + [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 26]
    #expect(Self.found(try Self.extraction(binary)) == ["CFBundleName = b // Bundle name"])
  }

  @Test("a generator's Info.plist entries are extracted unless the file has them")
  func generatedFile() throws {
    var fixture = ExtractionFixture(bytes: [
      Self.path: Array(Self.plist("<key>CFBundleName</key><string>Own</string>").utf8)
    ])
    fixture.project.targets[0].catalogs["InfoPlist"] = Self.catalog
    fixture.project.catalogs.append(
      ProjectCatalog(
        path: Self.catalog, table: "InfoPlist", sourceLanguage: "en", targets: [fixture.project.targets[0].id]))
    for (name, value) in [
      ("CFBundleName", "Other"), ("NSCameraUsageDescription", "Takes pictures."), ("CFBundleVersion", "1"),
      ("CFBundleDisplayName", "$(APP_NAME)"),
    ] {
      fixture.project.targets[0].infoPlistOfGenerator[name] = BuildSetting(
        value: value, path: "project.yml", line: 9, column: 5)
    }
    let extraction = try fixture.extract()
    #expect(
      extraction.strings.map { "\($0.key.text)=\($0.value ?? "") \($0.sites[0].path):\($0.sites[0].line)" }
        == ["CFBundleName=Own App/Info.plist:5", "NSCameraUsageDescription=Takes pictures. project.yml:9"])
    #expect(extraction.strings.last?.comment == "Privacy - Camera Usage Description")
    // The build settings are unknown, so no key is removed.
    #expect(extraction.incompleteCatalogs[Self.catalog] != nil)
  }
}
