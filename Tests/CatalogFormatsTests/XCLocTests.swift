import CatalogFormats
import Localization
import TestSupport
import Testing

@Suite struct XCLocTests {
  private static let unit = ExchangeUnit(
    key: "k", source: .text("k"), target: ExchangeTarget(.text("t"), state: "translated"))
  private static let file = ExchangeFile(
    original: "App/L.xcstrings", sourceLanguage: "en", targetLanguage: "uk", units: [unit])
  private static let bundle = XCLocBundle(
    targetLanguage: "uk", developmentRegion: "en", project: "App.xcodeproj",
    tool: ToolInfo(version: "26.5", build: "17F42"), files: [file],
    sourceContents: ["App/L.xcstrings": [1, 2]], notes: ["Screens/a.png": [3]])

  private static func tree(
    _ files: [TreePath: [UInt8]], below folder: TreePath = "in/uk.xcloc", links: Set<TreePath> = []
  ) -> InMemoryTree {
    InMemoryTree(Dictionary(uniqueKeysWithValues: files.map { (folder.appending($0.key), $0.value) }), links: links)
  }

  @Test("a bundle is written in Xcode's layout and read back unchanged")
  func roundTrip() throws {
    let files = XCLoc.files(of: Self.bundle)
    #expect(
      files.keys.sorted() == [
        "Localized Contents/uk.xliff", "Notes/Screens/a.png", "Source Contents/App/L.xcstrings", "contents.json",
      ])
    #expect(try XCLoc.read(Self.tree(files), at: "in/uk.xcloc") == Self.bundle)
    #expect(try XCLoc.read(Self.tree(files), at: "in") == Self.bundle)
  }

  @Test(
    "contents.json and the XLIFF file equal Xcode's byte for byte",
    .enabled(if: SharedFolder.corpus.isThere, "\(SharedFolder.corpus.notice)"),
    arguments: [
      "Schokolado+FitTrackPro/de.xcloc", "Pockity+Localisations/Localizations/en.xcloc",
      "tyeen+mastoot-localizations/en.xcloc",
    ])
  func corpus(folder: String) throws {
    let language = String(folder.split(separator: "/").last?.split(separator: ".").first ?? "")
    let paths: [TreePath] = ["contents.json", TreePath(trusted: "Localized Contents/\(language).xliff")]
    var files: [TreePath: [UInt8]] = [:]
    for path in paths { files[path] = Array(try SharedFolder.corpus.data("\(folder)/\(path.text)")) }
    let written = XCLoc.files(of: try XCLoc.read(Self.tree(files), at: "in/uk.xcloc"))
    for path in paths { #expect(written[path] == files[path]) }
  }

  @Test("a bundle in Xcode's layout is unchanged after reading and writing")
  func own() throws {
    #expect(XCLoc.files(of: try XCLoc.read(Self.tree(SampleFile.bundle), at: "in/uk.xcloc")) == SampleFile.bundle)
  }

  @Test("a workspace replaces the project as the last member of contents.json")
  func workspace() throws {
    var bundle = Self.bundle
    bundle.project = "App.xcworkspace"
    let text = String(decoding: try #require(XCLoc.files(of: bundle)["contents.json"]), as: UTF8.self)
    #expect(text.hasSuffix("  \"version\" : \"1.0\",\n  \"workspace\" : \"App.xcworkspace\"\n}"))
    #expect(!text.contains("\"project\""))
  }

  @Test("a file without units gets no <file>, and the name of a language cannot be a path out of the bundle")
  func names() throws {
    var bundle = Self.bundle
    bundle.files.append(
      ExchangeFile(original: "App/Empty.xcstrings", sourceLanguage: "en", targetLanguage: "uk", units: []))
    let xliff = try #require(XCLoc.files(of: bundle)["Localized Contents/uk.xliff"])
    #expect(!String(decoding: xliff, as: UTF8.self).contains("Empty"))
    #expect(XCLoc.name(of: "zh-Hant-TW") == "zh-Hant-TW.xcloc")
    #expect(XCLoc.name(of: "pt_BR") == "pt_BR.xcloc")
    #expect(XCLoc.name(of: "../../x") == "______x.xcloc")
    #expect(XCLoc.name(of: "") == "_.xcloc")
    bundle.targetLanguage = "../../x"
    #expect(XCLoc.files(of: bundle).keys.contains("Localized Contents/______x.xliff"))
  }

  @Test("a source file outside the project is not added to the bundle")
  func outside() {
    var bundle = Self.bundle
    bundle.sourceContents[TreePath(trusted: "../Pkg/L.xcstrings")] = [1]
    #expect(XCLoc.files(of: bundle).keys.allSatisfy { !$0.text.contains("..") })
  }

  @Test(
    "a source file in the parent of the project's folder is added to the bundle, but never replaces the bundle's own files (caker, Xcode 26.4)"
  )
  func beside() throws {
    var bundle = Self.bundle
    bundle.besideContents = [
      "Resources/L.xcstrings": [1], "contents.json": [2], "Localized Contents/uk.xliff": [3], "Notes/x": [4],
      TreePath(trusted: "../x"): [5],
    ]
    let files = XCLoc.files(of: bundle)
    #expect(files["Resources/L.xcstrings"] == [1])
    #expect(files.count == XCLoc.files(of: Self.bundle).count + 1)
    #expect(files["contents.json"] != [2])
    #expect(
      try XCLoc.read(Self.tree(files), at: "in/uk.xcloc").files
        == XCLoc.read(Self.tree(XCLoc.files(of: Self.bundle)), at: "in/uk.xcloc").files)
  }

  @Test("the languages of a bundle whose contents.json is missing or broken are read from its XLIFF file")
  func incomplete() throws {
    var files = XCLoc.files(of: Self.bundle)
    files["contents.json"] = nil
    let read = try XCLoc.read(Self.tree(files), at: "in/uk.xcloc")
    #expect(read.targetLanguage == "uk" && read.developmentRegion == "en" && read.project.isEmpty)
    #expect(read.diagnostics.map(\.severity) == [.note])
    files["contents.json"] = Array("{\"targetLocale\" : \"tlh\",".utf8)
    #expect(try XCLoc.read(Self.tree(files), at: "in/uk.xcloc").diagnostics.map(\.severity) == [.warning])
    files["contents.json"] = Array("{\"targetLocale\" : \"tlh\"}".utf8)
    let other = try XCLoc.read(Self.tree(files), at: "in/uk.xcloc")
    #expect(other.targetLanguage == "tlh" && other.files == [Self.file])
    #expect(other.diagnostics.map(\.severity) == [.warning])
  }

  @Test("a plain XLIFF file is read as a bundle")
  func bare() throws {
    let xliff = try #require(XCLoc.files(of: Self.bundle)["Localized Contents/uk.xliff"])
    let bundle = try XCLoc.read(InMemoryTree(["back/uk.xliff": xliff]), at: "back/uk.xliff")
    #expect(bundle.files == [Self.file])
    #expect(bundle.targetLanguage == "uk")
  }

  @Test("input that is not a bundle is refused, and the error names its path")
  func refused() throws {
    let xliff = try #require(XCLoc.files(of: Self.bundle)["Localized Contents/uk.xliff"])
    let tree = InMemoryTree(
      [
        "a/x.txt": [], "b.zip": [], "c/Localized Contents/x.txt": [],
        "d/Localized Contents/uk.xliff": Array(xliff.dropLast(20)), "e/x.xcloc/y": [], "e/z.xcloc/y": [],
      ], links: ["l.xcloc"])
    for path in ["a", "b.zip", "c", "d", "e", "l.xcloc", "nowhere"] as [TreePath] {
      let fault = try #require(throws: InputFault.self) { try XCLoc.read(tree, at: path) }
      #expect(fault.diagnostics.first?.path.hasPrefix(path.text) == true)
    }
  }

  @Test("limits on entries and bytes are enforced, and links in a bundle are reported but not followed")
  func limits() throws {
    let files = XCLoc.files(of: Self.bundle)
    #expect(throws: InputFault.self) {
      try XCLoc.read(Self.tree(files), at: "in/uk.xcloc", limits: XCLocLimits(entries: 3))
    }
    #expect(throws: InputFault.self) {
      try XCLoc.read(Self.tree(files), at: "in/uk.xcloc", limits: XCLocLimits(bytes: 100))
    }
    let linked = try XCLoc.read(Self.tree(files, links: ["in/uk.xcloc/Source Contents/passwd"]), at: "in/uk.xcloc")
    #expect(linked.sourceContents.keys.map(\.text) == ["App/L.xcstrings"])
    #expect(linked.diagnostics.map(\.path) == ["in/uk.xcloc/Source Contents/passwd"])
  }
}
