import Localization
import Testing
import Workspace

struct ScreenshotTests {
  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private static func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

  private static func chunk(_ type: String, _ data: [UInt8], length: Int? = nil) -> [UInt8] {
    number(length ?? data.count) + Array(type.utf8) + data + [0, 0, 0, 0]
  }

  /// Returns a PNG file that has these chunks before its end.
  private static func png(_ chunks: [UInt8] = []) -> [UInt8] { signature + chunks + chunk("IEND", []) }

  private static func latin(_ keyword: String, _ text: [UInt8]) -> [UInt8] {
    chunk("tEXt", Array(keyword.utf8) + [0] + text)
  }

  private static func international(_ keyword: String, _ text: String, compressed: UInt8 = 0) -> [UInt8] {
    chunk("iTXt", Array(keyword.utf8) + [0, compressed, 0] + Array("en".utf8) + [0, 0] + Array(text.utf8))
  }

  private static let files = [
    ExchangeFile(
      original: "App/L.xcstrings", sourceLanguage: "en", targetLanguage: "de",
      units: [
        ExchangeUnit(key: "settings.title", source: .text("Settings")),
        ExchangeUnit(key: "save", source: .text("Save as “Café”")),
        ExchangeUnit(key: "%lld birds", path: [.plural(.other)], source: .text("%lld birds")),
        ExchangeUnit(key: "5 %", source: .text("%lld%% done")), ExchangeUnit(key: "42", source: .text("42")),
      ])
  ]

  /// Returns the keys that each picture of a folder shows, and the diagnostics.
  private func shown(_ files: [String: [UInt8]], limits: ScreenshotFolder.Limits = ScreenshotFolder.Limits()) -> (
    keys: [String: [String]], faults: [String]
  ) {
    let tree = InMemoryTree(
      Dictionary(uniqueKeysWithValues: files.map { (TreePath(trusted: "Shots/\($0.key)"), $0.value) }))
    let folder = ScreenshotFolder("Shots", in: tree, place: "Shots", limits: limits)
    let found = ScreenshotMatch(Self.files).screenshots(folder.pictures)
    return (
      Dictionary(uniqueKeysWithValues: found.map { ($0.name, $0.units.map(\.key.text).sorted()) }),
      folder.diagnostics.map(\.description)
    )
  }

  @Test(
    "a picture is matched by the name of its file or of a folder that contains it",
    arguments: [
      ("settings.title.png", "settings.title.png"), ("Settings_Title@2x.PNG", "Settings_Title@2x.PNG"),
      ("settings-title/iPhone.jpg", "settings-title-iPhone.jpg"),
      (
        "Settings Title_0_6F8D1C1E-1F0B-4F3C-9B43-2A3F5F0C1D2E.png",
        "Settings Title_0_6F8D1C1E-1F0B-4F3C-9B43-2A3F5F0C1D2E.png"
      ),
    ])
  func byName(_ path: String, _ name: String) {
    let bytes = path.hasSuffix("jpg") ? Self.jpeg : Self.png()
    let result = shown([path: bytes, "other.png": Self.png(), "42.png": Self.png()])
    #expect(result.keys == [name: ["settings.title"]] && result.faults == [])
  }

  @Test("a picture is matched by the keys and texts in the dump file next to it")
  func byDump() {
    let dump = """
      {"app": "Birds", "elements": [
        {"identifier": "settings.title", "frame": {"x": 1}}, {"label": "  3,000 birds "}, {"value": "50% done"},
        {"label": "Save"}, {}]}
      """
    let result = shown(["a.png": Self.png(), "a.json": Array(dump.utf8), "b.png": Self.png()])
    #expect(result.keys == ["a.png": ["%lld birds", "5 %", "settings.title"]] && result.faults == [])
    let plain = Array("{\"elements\": [{\"label\": \"3 birds\"}]}".utf8)
    #expect(shown(["a.jpg": Self.jpeg, "a.json": plain]).keys == ["a.jpg": ["%lld birds"]])
  }

  @Test("a picture is matched by the texts in its metadata")
  func byMetadata() {
    let chunks =
      Self.latin("Description", Array("settings.title\n".utf8)) + Self.international("Comment", "Save as “Café”")
      + Self.latin("Software", Array("%lld birds".utf8))
    #expect(shown(["a.png": Self.png(chunks)]).keys == ["a.png": ["save", "settings.title"]])
    #expect(shown(["a.png": Self.png(Self.international("Keys", "save", compressed: 1))]).keys.isEmpty)
  }

  @Test("reading stops at damaged metadata, and text that is not UTF-8 is skipped")
  func hostileMetadata() {
    let good = Self.latin("Keys", Array("save".utf8))
    for bad in [
      Self.chunk("tEXt", Array("Keys\0settings.title".utf8), length: 0x7FFF_FFFF), Self.chunk("tEXt", [], length: -1),
      Self.chunk("tEXt", Array("Keys".utf8)), Self.chunk("iTXt", Array("Keys\0".utf8)),
      Self.chunk("iTXt", Array("Keys".utf8) + [0, 0, 0, 0, 0, 0xFF, 0xFE]), [0, 0],
    ] {
      #expect(shown(["a.png": Self.signature + good + bad]).keys == ["a.png": ["save"]])
    }
    // No chunk after the end of the picture is read, and a picture that is cut off anywhere does not crash the reader.
    #expect(shown(["a.png": Self.png() + good]).keys.isEmpty)
    for length in 0..<good.count { _ = shown(["a.png": Self.signature + good.prefix(length)]) }
  }

  @Test("files that are not pictures, are too large or exceed the maximum number are skipped with a reason")
  func limits() {
    var limits = ScreenshotFolder.Limits()
    limits.bytes = 30
    limits.pictures = 2
    let large = Self.png([UInt8](repeating: 0, count: 100))
    let result = shown(
      [
        "save/1.png": Self.png(), "save/2.png": Self.png(), "save/3.png": Self.png(), "save/4.png": large,
        "save/5.png": Array("<svg/>".utf8), "save/6.svg": Array("<svg/>".utf8), "save/1.json": Array("{".utf8),
        ".save/7.png": Self.png(),
      ], limits: limits)
    #expect(result.keys == ["save-1.png": ["save"], "save-2.png": ["save"]])
    #expect(result.faults.count == 4, "\(result.faults)")
    #expect(result.faults.contains { $0.contains("save/5.png") && $0.contains("neither a PNG nor a JPEG") })
    limits.entries = 1
    #expect(shown(["save/1.png": Self.png(), "save/2.png": Self.png()], limits: limits).keys.isEmpty)
    let deep = "save/" + String(repeating: "a/", count: 20) + "b.png"
    #expect(shown([deep: Self.png()]).keys.isEmpty)
    let missing = ScreenshotFolder("Other", in: InMemoryTree([:]), place: "Other")
    #expect(
      missing.pictures.isEmpty
        && missing.diagnostics.first?.message.contains("the folder of screenshots does not exist") == true)
  }

  @Test("two pictures with the same name get different names")
  func names() {
    #expect(Set(shown(["save/a.png": Self.png(), "save-a.png": Self.png()]).keys.keys) == ["save-a.png"])
    let both = shown(["save/save.png": Self.png(), "SAVE/save.png": Self.png()]).keys.keys
    #expect(Set(both.map { $0.lowercased() }) == ["save-save.png", "save-save-2.png"])
  }
}
