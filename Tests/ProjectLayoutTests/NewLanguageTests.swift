import Localization
import Testing

@testable import ProjectLayout

@Suite("Adding languages to a project")
struct NewLanguageTests {
  /// A project file in Xcode's layout, in which `@` marks the positions of additions.
  private static let marked = """
    // !$*UTF8*$!
    {
    \tarchiveVersion = 1;
    \tclasses = {
    \t};
    \tobjectVersion = 56;
    \tobjects = {

    /* Begin PBXBuildFile section */
    \t\t000000000000000000000B01 /* Localizable.strings in Resources */ = {isa = PBXBuildFile; fileRef = 00000000000000000000AA00 /* Localizable.strings */; };
    /* End PBXBuildFile section */

    /* Begin PBXFileReference section */
    \t\t000000000000000000000E01 /* en */ = {isa = PBXFileReference; lastKnownFileType = text.plist.strings; name = en; path = en.lproj/Localizable.strings; sourceTree = "<group>"; };
    @file@\t\tFFFFFFFFFFFFFFFFFFFFFFFF /* App.app */ = {isa = PBXFileReference; explicitFileType = wrapper.application; path = App.app; sourceTree = BUILT_PRODUCTS_DIR; };
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
    \t\t\t\t00000000000000000000AA00 /* Localizable.strings */,
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
    \t\t\thasScannedForEncodings = 0;
    \t\t\tknownRegions = (
    \t\t\t\ten,
    \t\t\t\tBase,
    @region@\t\t\t);
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
    \t\t\t\t000000000000000000000B01 /* Localizable.strings in Resources */,
    \t\t\t);
    \t\t};
    /* End PBXResourcesBuildPhase section */

    /* Begin PBXVariantGroup section */
    \t\t00000000000000000000AA00 /* Localizable.strings */ = {
    \t\t\tisa = PBXVariantGroup;
    \t\t\tchildren = (
    \t\t\t\t000000000000000000000E01 /* en */,
    @child@\t\t\t);
    \t\t\tname = Localizable.strings;
    \t\t\tsourceTree = "<group>";
    \t\t};
    /* End PBXVariantGroup section */
    \t};
    \trootObject = 00000000000000000000DD00 /* Project object */;
    }

    """

  private static let path: TreePath = "P.xcodeproj/project.pbxproj"

  private static func project(file: String = "", region: String = "", child: String = "") -> String {
    marked.replacing("@file@", with: file).replacing("@region@", with: region).replacing("@child@", with: child)
  }

  /// Returns the project file after languages were added to its only catalog, or `nil` if it was not changed, and the diagnostics.
  private func registered(
    _ text: String, _ languages: [LocaleIdentifier], isNew: Bool = true, more: [String: String] = [:]
  ) throws -> (text: String?, diagnostics: [Diagnostic]) {
    let tree = InMemoryTree(
      texts: more.merging(["P.xcodeproj/project.pbxproj": text, "App/en.lproj/Localizable.strings": ""]) { $1 })
    let project = try RepositoryLayout().project(in: tree, excluding: [])
    let catalog = try #require(project.catalogs.first)
    let new = languages.map {
      NewLocalization(catalog: catalog, language: $0, file: isNew ? catalog.files.path(for: $0) : nil)
    }
    let result = RepositoryLayout().registering(new, of: project, in: tree)
    guard let edit = result.edits.edits[Self.path] else { return (nil, result.diagnostics) }
    guard case .write(let content) = edit else { return ("removed", result.diagnostics) }
    return (String(decoding: content.bytes, as: UTF8.self), result.diagnostics)
  }

  @Test(
    "a language is added to the end of knownRegions and its file to references and group, and no other byte changes")
  func variantGroup() throws {
    let (text, diagnostics) = try registered(Self.project(), ["zh-Hans"])
    let id = try #require(text?.firstMatch(of: #/\t\t([0-9A-F]{24}) /\* zh-Hans \*/ = /#)).output.1
    #expect(
      text
        == Self.project(
          file:
            "\t\t\(id) /* zh-Hans */ = {isa = PBXFileReference; lastKnownFileType = text.plist.strings; name = \"zh-Hans\"; path = \"zh-Hans.lproj/Localizable.strings\"; sourceTree = \"<group>\"; };\n",
          region: "\t\t\t\t\"zh-Hans\",\n", child: "\t\t\t\t\(id) /* zh-Hans */,\n"))
    #expect(diagnostics.isEmpty)
    #expect(try registered(Self.project(), ["zh-Hans"]).text == text, "the identifier is the same each time")
    let read = try layout([
      "P.xcodeproj/project.pbxproj": try #require(text), "App/en.lproj/Localizable.strings": "",
      "App/zh-Hans.lproj/Localizable.strings": "",
    ])
    #expect(read.catalogs.first?.localizations == ["zh-Hans": "App/zh-Hans.lproj/Localizable.strings"])
    #expect(read.languages == ["en", "zh-Hans"])
    #expect(read.diagnostics.isEmpty)
  }

  @Test("two new languages get different identifiers, and a known language is not added again")
  func several() throws {
    let known = Self.project(region: "\t\t\t\tde,\n")
    let text = try #require(try registered(known, ["de", "fr"]).text)
    #expect(text.contains("\t\t\t\tBase,\n\t\t\t\tde,\n\t\t\t\tfr,\n\t\t\t);"))
    let identifiers = text.matches(of: #/([0-9A-F]{24}) /\* (de|fr) \*/ = /#).map { String($0.output.1) }
    #expect(identifiers.count == 2)
    #expect(identifiers == identifiers.sorted(), "the objects of a section are sorted by identifier")
    #expect(Set(text.matches(of: #/\n\t\t([0-9A-F]{24}) /#).map { String($0.output.1) }).count == 11)
  }

  @Test("for a catalog with all languages only knownRegions changes, and only if the language is missing there")
  func regionsAlone() throws {
    #expect(try registered(Self.project(), ["uk"], isNew: false).text == Self.project(region: "\t\t\t\tuk,\n"))
    #expect(try registered(Self.project(region: "\t\t\t\tuk,\n"), ["uk"], isNew: false).text == nil)
  }

  @Test("line endings, missing commas and single-line lists are kept")
  func layouts() throws {
    let crlf = Self.project().replacing("\n", with: "\r\n")
    #expect(
      try registered(crlf, ["uk"], isNew: false).text
        == Self.project(region: "\t\t\t\tuk,\n").replacing("\n", with: "\r\n"))
    let list = "knownRegions = (\n\t\t\t\ten,\n\t\t\t\tBase,\n\t\t\t)"
    for (before, after) in [
      ("knownRegions = (en, Base)", "knownRegions = (en, Base, uk)"),
      ("knownRegions = (en, Base,)", "knownRegions = (en, Base, uk,)"),
      (
        "knownRegions = (\n\t\t\t\ten /* a, b */\n\t\t\t)",
        "knownRegions = (\n\t\t\t\ten /* a, b */,\n\t\t\t\tuk\n\t\t\t)"
      ),
      (
        "knownRegions = (\n\t\t\t\ten, // a, b\n\t\t\t\tBase // c\n\t\t\t)",
        "knownRegions = (\n\t\t\t\ten, // a, b\n\t\t\t\tBase, // c\n\t\t\t\tuk\n\t\t\t)"
      ),
      ("knownRegions = (\n\t\t\t)", "knownRegions = (\n\t\t\t\tuk,\n\t\t\t)"),
      ("knownRegions = ()", "knownRegions = (uk,)"),
    ] {
      let text = try registered(Self.project().replacing(list, with: before), ["uk"], isNew: false).text
      #expect(text == Self.project().replacing(list, with: after))
    }
    let without = try registered(Self.project().replacing(list + ";", with: ""), ["uk"], isNew: false)
    #expect(without.text == nil)
    #expect(without.diagnostics.map(\.severity) == [.warning])
  }

  @Test("for a folder that the project includes as a whole, only knownRegions changes")
  func synchronized() throws {
    let text = pbxproj(
      target("APP", "App", more: "fileSystemSynchronizedGroups = (DIR);") + folder("DIR", "App"), children: "DIR",
      targets: "APP")
    let (after, diagnostics) = try registered(text, ["uk"])
    #expect(after == text.replacing("(en, Base)", with: "(en, Base, uk)"))
    #expect(diagnostics.isEmpty)
  }

  @Test("a package's manifest is read but never changed")
  func package() throws {
    func messages(_ manifest: String) throws -> [String] {
      let tree = InMemoryTree(texts: ["Package.swift": manifest, "Sources/Kit/en.lproj/A.strings": ""])
      let project = try RepositoryLayout().project(in: tree, excluding: [])
      var catalog = try #require(project.catalogs.first)
      catalog.sourceLanguage = "en"
      let result = RepositoryLayout().registering(
        [NewLocalization(catalog: catalog, language: "de", file: "Sources/Kit/de.lproj/A.strings")], of: project,
        in: tree)
      #expect(result.edits.isEmpty)
      return result.diagnostics.map(\.message)
    }
    let text = manifest("targets: [.target(name: \"Kit\")]")
    #expect(try messages(text) == [])
    #expect(try messages(text.replacing("defaultLocalization: \"en\", ", with: "")).count == 1)
  }

  @Test("only languages whose files are written count as new")
  func found() {
    let catalog = ProjectCatalog(
      path: "en.lproj/A.strings", table: "A", sourceLanguage: "en", localizations: ["de": "de.lproj/A.strings"],
      targets: [])
    let entry = { (languages: [LocaleIdentifier]) in
      Catalog(
        path: catalog.path, sourceLanguage: "en",
        entries: [
          "a": CatalogEntry(
            translations: Translations(Dictionary(uniqueKeysWithValues: languages.map { ($0, Translation("x")) })))
        ])
    }
    #expect(
      NewLocalization.found(
        from: [catalog.path: entry(["en"])], to: [catalog.path: entry(["en", "de", "fr", "it"])], of: [catalog],
        written: ["de.lproj/A.strings", "fr.lproj/A.strings"]) == [
          NewLocalization(catalog: catalog, language: "de", file: nil),
          NewLocalization(catalog: catalog, language: "fr", file: "fr.lproj/A.strings"),
        ])
  }
}
