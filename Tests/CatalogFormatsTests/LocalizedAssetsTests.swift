import CatalogFormats
import Localization
import Testing

@Suite struct LocalizedAssetsTests {
  private static let set = """
    {
      "images" : [
        { "idiom" : "universal", "filename" : "2.png", "scale" : "1x" },
        { "idiom" : "universal", "scale" : "2x" },
        { "idiom" : "universal", "filename" : "2_NL.png", "scale" : "1x", "locale" : "nl" }
      ],
      "info" : { "author" : "xcode", "version" : 1 },
      "properties" : { "localizable" : true }
    }
    """

  private static func tree(_ contents: String = set) -> InMemoryTree {
    InMemoryTree([
      "App/Assets.xcassets/Contents.json": Array("{}".utf8),
      "App/Assets.xcassets/x.imageset/Contents.json": Array(contents.utf8),
      "App/Assets.xcassets/x.imageset/2.png": [1], "App/Assets.xcassets/x.imageset/2_NL.png": [2],
      "App/Assets.xcassets/plain.imageset/Contents.json": Array(#"{"images":[{"filename":"a.png"}]}"#.utf8),
      "App/Assets.xcassets/plain.imageset/a.png": [3],
      "Old/de.xcloc/Source Contents/App/Assets.xcassets/x.imageset/Contents.json": Array(set.utf8),
    ])
  }

  @Test(
    "localized images are exported from the language's file, or as a copy that has the language's name (xcode-formats.md C)"
  )
  func images() throws {
    let assets = LocalizedAssets(in: Self.tree())
    let folder: TreePath = "App/Assets.xcassets/x.imageset"
    #expect(
      Set(assets.sourceContents.keys) == [
        "App/Assets.xcassets/Contents.json", folder.appending("Contents.json"), folder.appending("2.png"),
      ])
    let dutch = assets.localizedContents(for: "nl")
    #expect(dutch[folder.appending("2_NL.png")] == [2])
    #expect(dutch[folder.appending("2.png")] == nil)
    let german = assets.localizedContents(for: "de")
    #expect(german[folder.appending("2_de.png")] == [1])
    let text = String(decoding: try #require(german[folder.appending("Contents.json")]), as: UTF8.self)
    #expect(text.contains("\"filename\" : \"2_de.png\"") && text.contains("\"locale\" : \"de\""))
    #expect(!text.contains("nl"))
    #expect(assets.diagnostics.isEmpty)
  }

  @Test(
    "entries without a file are skipped, and members are written in Xcode's order (Photo-Club-Hub, Xcode 16.2)"
  )
  func places() throws {
    let contents = """
      {
        "images" : [
          { "idiom" : "universal", "filename" : "2.png", "scale" : "1x" },
          { "idiom" : "universal", "scale" : "2x" },
          { "idiom" : "universal", "locale" : "en", "scale" : "1x" },
          { "idiom" : "universal", "locale" : "en", "scale" : "2x" }
        ],
        "properties" : { "localizable" : true }
      }
      """
    let assets = LocalizedAssets(in: Self.tree(contents))
    let folder: TreePath = "App/Assets.xcassets/x.imageset"
    func images(_ element: String) -> String {
      "{\n  \"images\" : [\n    {\n      \(element)\n    }\n  ],\n  \"properties\" : {\n    \"localizable\" : true\n  }\n}"
    }
    let source = try #require(assets.sourceContents[folder.appending("Contents.json")])
    #expect(
      String(decoding: source, as: UTF8.self)
        == images(#""idiom" : "universal","# + "\n      " + #""filename" : "2.png","# + "\n      " + #""scale" : "1x""#)
    )
    let english = assets.localizedContents(for: "en")
    #expect(english[folder.appending("2_en.png")] == [1])
    #expect(
      String(decoding: try #require(english[folder.appending("Contents.json")]), as: UTF8.self)
        == images(
          #""locale" : "en","# + "\n      " + #""idiom" : "universal","# + "\n      " + #""filename" : "2_en.png","#
            + "\n      " + #""scale" : "1x""#))
  }

  @Test(
    "a broken asset set, or one with paths outside its folder, exports at most its Contents.json and does not crash",
    arguments: [
      "{", "[]", "{\"properties\":{\"localizable\":true},\"images\":{}}", "{\"properties\":1}",
      "{\"properties\":{\"localizable\":true},\"images\":[{\"filename\":\"../../../secret\"},1,{\"filename\":\"a/b.png\"}]}",
    ])
  func hostile(contents: String) {
    let assets = LocalizedAssets(in: Self.tree(contents))
    let paths = Array(assets.sourceContents.keys) + Array(assets.localizedContents(for: "de").keys)
    #expect(paths.allSatisfy { $0.name == "Contents.json" })
  }

  @Test("a file of a localized image set that is missing or cannot be read is reported once, and the rest is exported")
  func unreadable() {
    let folder: TreePath = "App/Assets.xcassets/x.imageset"
    let contents = """
      {
        "images" : [
          { "filename" : "2.png", "scale" : "1x" }, { "filename" : "lost.png", "scale" : "2x" },
          { "filename" : "lost.png", "scale" : "3x" }, { "filename" : "linked.png", "locale" : "nl" }
        ],
        "properties" : { "localizable" : true }
      }
      """
    let tree = InMemoryTree(
      [folder.appending("Contents.json"): Array(contents.utf8), folder.appending("2.png"): [1]],
      links: [folder.appending("linked.png"), "App/Assets.xcassets/Contents.json"])
    let assets = LocalizedAssets(in: tree)
    #expect(
      assets.diagnostics.map(\.description) == [
        "\(folder)/lost.png: warning: not exported: no such file",
        "\(folder)/linked.png: warning: not exported: is a symbolic link, which is not followed",
        "App/Assets.xcassets/Contents.json: warning: not exported: is a symbolic link, which is not followed",
      ])
    #expect(Set(assets.sourceContents.keys) == [folder.appending("Contents.json"), folder.appending("2.png")])
  }

  @Test("a bundle's images and notes are kept when it is written and read back")
  func bundle() throws {
    let file = ExchangeFile(
      original: "L.xcstrings", sourceLanguage: "en", targetLanguage: "de",
      units: [ExchangeUnit(key: "k", source: .text("k"))])
    var bundle = XCLocBundle(
      targetLanguage: "de", developmentRegion: "en", project: "App.xcworkspace", files: [file],
      notes: ["README.md": [4]])
    bundle.localizedContents = ["App/Assets.xcassets/x.imageset/2_de.png": [1]]
    let files = XCLoc.files(of: bundle)
    #expect(files["Localized Contents/App/Assets.xcassets/x.imageset/2_de.png"] == [1])
    #expect(files["Notes/README.md"] == [4])
    let tree = InMemoryTree(
      Dictionary(uniqueKeysWithValues: files.map { (TreePath("de.xcloc").appending($0.key), $0.value) }))
    #expect(try XCLoc.read(tree, at: "de.xcloc") == bundle)
    bundle.project = ""
    #expect(
      !String(decoding: try #require(XCLoc.files(of: bundle)["contents.json"]), as: UTF8.self).contains("project"))
  }
}
