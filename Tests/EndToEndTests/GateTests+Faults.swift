import Foundation
import TestSupport
import Testing

/// Gates on files that cannot be read, on texts that an app does not show, and on projects without a catalog; badges, thresholds and long keys.
extension GateTests {
  private static let folder = "Sources/Kit/Resources/"

  /// Returns a package with two strings in `.strings` files. The parameters replace the content of one file.
  private func tables(_ german: String, to name: String = "de.lproj/Localizable.strings") throws -> TemporaryFolder {
    let folder = try project([
      Self.folder + "en.lproj/Localizable.strings": "\"Bye\" = \"Bye\";\n\"Hello\" = \"Hello\";\n",
      Self.folder + "de.lproj/Localizable.strings": "\"Bye\" = \"Tschüss\";\n\"Hello\" = \"Hallo\";\n",
      Self.folder + "fr.lproj/Localizable.strings": "\"Bye\" = \"Salut\";\n\"Hello\" = \"Bonjour\";\n",
    ])
    try folder.write(german, to: Self.folder + name)
    for path in [Self.catalog, "Sources/Tools/Resources/Tools.xcstrings"] {
      try FileManager.default.removeItem(atPath: folder.file(path))
    }
    return folder
  }

  @Test(
    "an unreadable file of a language fails the gate, even if a fallback has the texts",
    arguments: [
      "<<<<<<< HEAD\n\"Bye\" = \"Tschüss\";\n", "\"Bye\" = \"Tsch", "\"Bye\" = \"Tschüss\";\n\"Hello\" = ",
    ])
  func unreadableLanguage(german: String) throws {
    let folder = try tables(german)
    try TemporaryRepository.git(["init", "-q"], in: folder.path)
    try TemporaryRepository.git(["add", "-A"], in: folder.path)
    try TemporaryRepository.git(["commit", "-q", "-m", "All"], in: folder.path)
    let reason = "1 file of translations is unreadable: \(Self.folder)de.lproj/Localizable.strings:"
    for words in [
      ["--require", "de=100", "--fallback", "de=en"], ["--require", "100", "--since", "HEAD"], ["--require", "0"],
      ["--require", "Sources/**:0"], ["--require", "fr=100", "--fallback", "fr=de"],
      ["--revision", "HEAD", "--require", "0"],
    ] {
      let end = try dragoman(["status"] + words, in: folder.path)
      #expect(end.status == 65 && verdict(end).hasPrefix("FAIL \(reason)"), "\(words): \(end)")
    }
    #expect(try dragoman(["status"], in: folder.path).status == 65)
    // This is the verdict of `run`, which commit statuses show too.
    try folder.write(
      "pipeline: kit\nrepository: { url: . }\nvendors: [{ vendor: folder, path: drop }]\nrequire: 0\n", to: "kit.yaml")
    let run = try dragoman(["run", "kit.yaml", "--once"], in: folder.path)
    #expect(run.output.contains(": FAIL \(reason)"), "\(run)")
    // A gate that requires only French passes.
    let french = try dragoman(["status", "--language", "fr", "--require", "100"], in: folder.path)
    #expect(french.status == 0 && verdict(french) == "PASS fr 100 % (2/2), needs 100 %", "\(french)")
    // The badge is not green and shows no percentage.
    let badge = try dragoman(["status", "--require", "0", "--format", "svg"], in: folder.path)
    #expect(badge.output.contains("localized: unknown") && badge.output.contains("#e05d44"), "\(badge)")
    let plain = try dragoman(["status", "--format", "svg"], in: folder.path)
    #expect(plain.output.contains(">unknown<") && !plain.output.contains("#4c1"), "\(plain)")
  }

  @Test("a Git LFS pointer in place of a translation file fails the gate")
  func languageElsewhere() throws {
    let folder = try tables("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n")
    let end = try dragoman(["status", "--require", "0"], in: folder.path)
    #expect(end.status == 65 && verdict(end).hasPrefix("FAIL 1 file of translations is unreadable: "), "\(end)")
  }

  @Test(
    "a file that the Xcode project does not list is not built into the app, so its language fails the gate")
  func unlistedLanguage() throws {
    let project = """
      // !$*UTF8*$!
      { archiveVersion = 1; objectVersion = 56; rootObject = R; objects = {
        R = { isa = PBXProject; mainGroup = M; targets = (T); developmentRegion = en; knownRegions = (en, Base, de, fr); };
        M = { isa = PBXGroup; children = (V); path = App; sourceTree = "<group>"; };
        V = { isa = PBXVariantGroup; name = Localizable.strings; children = (EN, DE); sourceTree = "<group>"; };
        EN = { isa = PBXFileReference; name = en; path = en.lproj/Localizable.strings; sourceTree = "<group>"; };
        DE = { isa = PBXFileReference; name = de; path = de.lproj/Localizable.strings; sourceTree = "<group>"; };
        T = { isa = PBXNativeTarget; name = App; buildPhases = (P); buildConfigurationList = L;
          productType = "com.apple.product-type.application"; };
        L = { isa = XCConfigurationList; buildConfigurations = (D); };
        D = { isa = XCBuildConfiguration; name = Release; buildSettings = { }; };
        P = { isa = PBXResourcesBuildPhase; files = (B); };
        B = { isa = PBXBuildFile; fileRef = V; };
      }; }

      """
    let folder = try TemporaryFolder()
    try folder.write(project, to: "App.xcodeproj/project.pbxproj")
    for language in ["en", "de", "fr"] {
      try folder.write("\"Hello\" = \"Hi\";\n", to: "App/\(language).lproj/Localizable.strings")
    }
    let end = try dragoman(["status", "--require", "100"], in: folder.path)
    #expect(
      verdict(end) == "FAIL 1 file of translations is in no product, because the project does not list it: "
        + "App/fr.lproj/Localizable.strings; add it to the localizations of Localizable.strings in Xcode, or remove it",
      "\(end)")
    #expect(try dragoman(["status", "--require", "de=100"], in: folder.path).status == 0)
    try folder.write(
      project.replacing("(EN, DE)", with: "(EN, DE, FR)").replacing(
        "T = {",
        with:
          "FR = { isa = PBXFileReference; name = fr; path = fr.lproj/Localizable.strings; sourceTree = \"<group>\"; };\nT = {"
      ), to: "App.xcodeproj/project.pbxproj")
    #expect(try dragoman(["status", "--require", "100"], in: folder.path).status == 0)
    let folderOfTarget = project.replacing("children = (EN, DE);", with: "children = (EN);").replacing(
      "(V)", with: "(V, S)"
    )
    .replacing(
      "productType = ", with: "fileSystemSynchronizedGroups = (S); productType = "
    ).replacing(
      "T = {", with: "S = { isa = PBXFileSystemSynchronizedRootGroup; path = App; sourceTree = SOURCE_ROOT; };\nT = {"
    )
    try folder.write(folderOfTarget, to: "App.xcodeproj/project.pbxproj")
    let taken = try dragoman(["status", "--require", "100"], in: folder.path)
    #expect(taken.status == 0, "the folder takes every file: \(taken)")
  }

  @Test("a .stringsdict that the source language lacks is reported, and fails a gate for its language")
  func formsOfOneLanguage() throws {
    let folder = try tables("<<<<<<< HEAD\n", to: "de.lproj/Localizable.stringsdict")
    let end = try dragoman(["status"], in: folder.path)
    #expect(
      end.errors.contains("de.lproj/Localizable.stringsdict: warning: there is no Localizable.stringsdict"), "\(end)")
    let gate = try dragoman(["status", "--require", "0"], in: folder.path)
    #expect(
      verdict(gate)
        == "FAIL 1 file of plural forms is not counted, because the source language has none: "
        + "\(Self.folder)de.lproj/Localizable.stringsdict; add the file for en", "\(gate)")
    #expect(gate.status == 1)
    #expect(try dragoman(["status", "--require", "100", "--language", "fr"], in: folder.path).status == 0)
    #expect(
      try dragoman(["status", "--require", "fr=100", "--language", "fr", "--fallback", "fr=de"], in: folder.path).status
        == 1)
  }

  @Test("a symbolic link in place of a file or folder of a language is reported, and fails a gate for the language")
  func links() throws {
    let folder = try tables("\"Bye\" = \"Tschüss\";\n\"Hello\" = \"Hallo\";\n", to: "shared.strings")
    let (file, french) = (Self.folder + "de.lproj/Localizable.strings", Self.folder + "fr.lproj")
    for (path, target) in [(file, "../shared.strings"), (french, "en.lproj")] {
      try FileManager.default.removeItem(atPath: folder.file(path))
      try FileManager.default.createSymbolicLink(atPath: folder.file(path), withDestinationPath: target)
    }
    let end = try dragoman(["status"], in: folder.path)
    #expect(end.errors.contains("\(french): warning: skipped this symbolic link, which is not followed"), "\(end)")
    #expect(end.errors.contains("\(file): error: is a symbolic link, which is not followed"), "\(end)")
    let german = try dragoman(["status", "--require", "de=100"], in: folder.path)
    #expect(
      verdict(german)
        == "FAIL 1 file of translations is unreadable: \(file): is a symbolic link, which is not followed; de 0 % (0/2), needs 100 %: 2 strings missing",
      "\(german)")
    let gate = try dragoman(["status", "--require", "fr=100"], in: folder.path)
    #expect(verdict(gate) == "FAIL fr 0 % (0/2), needs 100 %: 2 strings missing", "\(gate)")
  }

  @Test("a language's own text that needs review counts as missing, even if its fallback has the text")
  func ownText() throws {
    let own =
      "\"Hello\" : { \"extractionState\" : \"manual\", \"localizations\" : { \"es\" : { \"stringUnit\" : { "
      + "\"state\" : \"translated\", \"value\" : \"Hola\" } }, \"es-MX\" : { \"stringUnit\" : { "
      + "\"state\" : \"needs_review\", \"value\" : \"WRONG\" } } } }"
    let folder = try project([Self.catalog: Self.catalog([own, Self.entry("Bye", ["es": "Adiós"])])])
    let end = try dragoman(
      ["status", "--table", "Localizable", "--require", "es-MX=100", "--fallback", "es-MX=es"], in: folder.path)
    #expect(verdict(end) == "FAIL es-MX 50 % (1/2), needs 100 %: 1 string missing", "\(end)")
    #expect(end.status == 1 && end.errors.contains("es-MX: needs_review: \"Hello\""), "\(end)")
  }

  @Test("an empty translation counts as missing, even if its state is translated")
  func emptyText() throws {
    let folder = try project([
      Self.catalog: Self.catalog([Self.entry("Bye", ["de": ""]), Self.entry("Hello", ["de": "Hallo"])])
    ])
    let end = try dragoman(["status", "--table", "Localizable", "--require", "100"], in: folder.path)
    #expect(verdict(end) == "FAIL de 50 % (1/2), needs 100 %: 1 string missing", "\(end)")
    #expect(end.errors.contains("de: new: \"Bye\""), "\(end)")
  }

  @Test("a badge for a project without a catalog shows “unknown” in grey")
  func emptyBadge() throws {
    let nowhere = try TemporaryFolder()
    let end = try dragoman(["status", "--format", "svg"], in: nowhere.path)
    #expect(end.output.contains("localized: unknown") && end.output.contains("#9f9f9f"), "\(end)")
  }

  @Test("a badge with requirements shows only the required languages, and is red only if the gate fails")
  func badgeOfVerdict() throws {
    let folder = try project()
    func badge(_ arguments: String...) throws -> (figure: String?, colour: String?) {
      let text = try dragoman(
        ["status", "--table", "Localizable", "--format", "svg"] + arguments, in: folder.path
      ).output
      return (
        text.firstMatch(of: /aria-label="localized: ([^"]*)"/).map { String($0.1) },
        text.firstMatch(of: /height="20" fill="(#[0-9a-f]+)"\/>\n *<g/).map { String($0.1) }
      )
    }
    // Both strings are translated into German, and one string is translated into French.
    #expect(try badge() == ("75.0 %", "#dfb317"))
    #expect(try badge("--require", "de=100") == ("100.0 %", "#4c1"))
    #expect(try badge("--require", "fr=50") == ("50.0 %", "#97ca00"))
    #expect(try badge("--require", "fr=100") == ("50.0 %", "#e05d44"))
    #expect(try badge("--require", "50") == ("75.0 %", "#97ca00"))
  }

  @Test("a threshold is compared exactly and printed as it was entered")
  func decimals() throws {
    let entries = (0..<400).map { Self.entry("k\($0)", $0 < 387 ? ["de": "x"] : ["fr": "x"]) }
    let folder = try project([
      "Sources/Kit/Kit.swift": "import Foundation\n",
      Self.catalog: Self.catalog(entries).replacing(
        "{ \"localizations\"", with: "{ \"extractionState\" : \"manual\", \"localizations\""),
    ])
    let gate = ["status", "--table", "Localizable", "--language", "de", "--require"]
    let met = try dragoman(gate + ["96.75"], in: folder.path)
    #expect(verdict(met) == "PASS de 96.75 % (387/400), needs 96.75 %", "\(met.errors)")
    let unmet = try dragoman(gate + ["96.751"], in: folder.path)
    #expect(verdict(unmet) == "FAIL de 96.75 % (387/400), needs 96.751 %: 13 strings missing")
    for wrong in ["96.", "1e1", "100.1", "-1", "0.0000001"] {
      #expect(try dragoman(gate + [wrong], in: folder.path).status == 64, "\(wrong)")
    }
  }

  @Test("a long key is truncated, with and without --details")
  func longKey() throws {
    let key = String(repeating: "x", count: 200_000)
    let folder = try project([
      Self.catalog: Self.catalog([Self.entry(key, ["fr": "x"]), Self.entry("b", ["de": "b"])]).replacing(
        "{ \"localizations\"", with: "{ \"extractionState\" : \"manual\", \"localizations\""),
      "Sources/Kit/Kit.swift": "import Foundation\nlet a = String(localized: \"y\(key)\", bundle: .module)\n",
    ])
    for words in [[], ["--details"], ["--format", "json"]] {
      let end = try dragoman(["status", "--require", "100"] + words, in: folder.path)
      #expect(end.status == 1 && end.errors.utf8.count < 5000, "\(end.errors.utf8.count)")
      #expect(verdict(end).utf8.count < 2000)
    }
  }

  @Test("a language that is only in a UTF-16 catalog is required too")
  func wideCatalog() throws {
    let folder = try project()
    let text = Self.catalog([Self.entry("Wide", ["uk": "Широко"]), Self.entry("Open", ["uk": "Вiдкрито"])])
      .replacing("\"Open\" : {", with: "\"Open\" : { \"extractionState\" : \"manual\",")
      .replacing("\"Wide\" : {", with: "\"Wide\" : { \"extractionState\" : \"manual\",")
    let bytes = try #require(text.data(using: .utf16))
    try bytes.write(to: URL(filePath: folder.file("Sources/Tools/Resources/Wide.xcstrings")))
    let end = try dragoman(["status", "--require", "100", "--table", "Localizable"], in: folder.path)
    #expect(end.status == 1 && verdict(end).contains("uk 0 % (0/2)"), "\(end)")
  }

  @Test("every reason why a gate has no verdict is reported with its location and the next step")
  func words() throws {
    let folder = try project([
      "Store/Store.xcstrings": Self.catalog(["\"Birds\" : { }"]),
      "Sources/Kit/More.swift": "import Foundation\nlet c = String(localized: \"New\", bundle: .module)\n",
    ])
    let end = try dragoman(["status", "--require", "en=100"], in: folder.path)
    let line = verdict(end)
    #expect(
      line.contains(
        "1 catalog may lack strings: Store/Store.xcstrings: no known target feeds this catalog; add it to a target"),
      "\(line)")
    #expect(!line.contains("unreadable"), "\(line)")
    #expect(line.contains("1 string of the code is in no catalog: Sources/Kit/More.swift:2: \"New\"; "), "\(line)")
    #expect(line.contains("en is the language of the source texts; require other languages"), "\(line)")
  }

  @Test("an unreadable file fails the gate only if its language is required or a fallback of a required language")
  func unreadElsewhere() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.manifest, to: "Package.swift")
    try folder.write("import Foundation\n", to: "Sources/Tools/Tools.swift")
    try folder.write(
      "import Foundation\nlet a = String(localized: \"Hello\", bundle: .module)\n", to: "Sources/Kit/Kit.swift")
    for (language, text) in [("en", "\"Hello\" = \"Hello\";\n"), ("de", "\"Hello\" = \"Hallo\";\n"), ("fr", "\"Hello")]
    {
      try folder.write(text, to: "Sources/Kit/Resources/\(language).lproj/Localizable.strings")
    }
    let german = try dragoman(["status", "--require", "de=100"], in: folder.path)
    #expect(german.status == 0 && verdict(german) == "PASS de 100 % (1/1), needs 100 %", "\(german)")
    #expect(german.errors.contains("fr.lproj/Localizable.strings"), "\(german)")
    for arguments in [["--require", "100"], ["--require", "fr=0"], ["--require", "de=100", "--fallback", "de=fr"]] {
      let end = try dragoman(["status"] + arguments, in: folder.path)
      #expect(end.status == 65 && verdict(end).contains("1 file of translations is unreadable"), "\(end)")
    }
  }
}
