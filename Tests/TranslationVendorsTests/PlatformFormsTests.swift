import Foundation
import Localization
import Testing

@testable import TranslationVendors

@Suite("Plural forms of platforms")
struct PlatformFormsTests {
  @Test("a source text is sent with exactly the forms of the platform's language")
  func limited() {
    let birds = PlatformText.plural([.zero: "no birds", .one: "%lld bird", .few: "%lld birds", .other: "%lld birds"])
    #expect(birds.limited(to: "en") == .plural([.one: "%lld bird", .other: "%lld birds"]))
    #expect(birds.limited(to: "ja") == .plural([.other: "%lld birds"]))
    #expect(PlatformText.plural([.other: "birds"]).limited(to: "en") == .plural([.one: "birds", .other: "birds"]))
    #expect(PlatformText.plural([.one: "bird"]).limited(to: "en") == .plural([.one: "bird", .other: "bird"]))
    #expect(PlatformText.plural([:]).limited(to: "en") == .plural([:]))
    #expect(PlatformText.plain("bird").limited(to: "en") == .plain("bird"))
  }

  @Test("the forms of other languages are translated from the `other` form")
  func source() {
    let text = PlatformText.plural([.one: "bird", .other: "birds"]).asSource
    let all = [PluralCategory.zero, .two, .few, .many, .other].map { ($0, "birds") } + [(.one, "bird")]
    #expect(text == .plural(Dictionary(uniqueKeysWithValues: all)))
    #expect(PlatformText.plain("bird").asSource == .plain("bird"))
    #expect(PlatformText.plural([:]).asSource == .plural([:]))
  }

  @Test(
    "texts and forms are read from JSON",
    arguments: [
      (#"["a"]"#, false, PlatformText.plain("a")), ("[null]", false, .plain("")), ("[null]", true, .plural([:])),
      (#"[""]"#, true, .plural([:])), (#"["a"]"#, true, .plural([.other: "a"])),
      (#"[{"one":"a","other":null}]"#, true, .plural([.one: "a"])),
    ])
  func reading(_ json: String, _ isPlural: Bool, _ text: PlatformText) throws {
    let read = try JSONDecoder().decode([FormsInJSON].self, from: Data(json.utf8))
    #expect(read.map { $0.content(isPlural: isPlural) } == [text])
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([FormsInJSON].self, from: Data("[[1]]".utf8)) }
  }

  @Test("batches contain every element exactly once, in order", arguments: [1, 2, 3, 5, 8])
  func batches(_ size: Int) {
    let parts = Array(0..<5).batches(of: size)
    #expect(parts.flatMap(\.self) == Array(0..<5))
    #expect(parts.allSatisfy { !$0.isEmpty && $0.count <= size })
    #expect([Int]().batches(of: size).isEmpty)
  }

  @Test("only a source text stored without a form of the source language is completed")
  func completion() {
    func completes(_ stored: [PluralCategory: String], _ sent: [PluralCategory: String]) -> Bool {
      PlatformString(
        catalog: "A.xcstrings", name: "k", unit: "k", path: .root, source: .plural(sent), comment: nil,
        sourceLanguage: "en"
      ).completes(.plural(stored))
    }
    #expect(completes([.other: "birds"], [.one: "bird", .few: "birds", .other: "birds"]))
    #expect(!completes([.one: "bird", .other: "birds"], [.one: "bird", .few: "birds", .other: "birds"]))
    #expect(!completes([.one: "bird", .other: "birds"], [.other: "birds"]))
    #expect(!completes([.other: "birds"], [.one: "", .other: "birds"]))
  }

  @Test("a stored text counts as different if a shared form differs, or if no form is shared")
  func differences() {
    func differs(_ stored: PlatformText, _ sent: PlatformText) -> Bool {
      PlatformVendor<LokalisePlatform>.sourceDiffers(stored, sent)
    }
    let birds = PlatformText.plural([.one: "bird", .other: "birds"])
    #expect(!differs(birds, .plural([.one: "bird", .few: "birds", .other: "birds"])))
    #expect(differs(birds, .plural([.one: "bird", .other: "more birds"])))
    #expect(differs(.plural([:]), birds))
    #expect(differs(.plural([.zero: "none"]), birds))
    #expect(differs(.plain("birds"), birds) && differs(birds, .plain("birds")))
    #expect(!differs(.plain("birds"), .plain("birds")) && differs(.plain(""), .plain("birds")))
  }

  @Test(
    "a long text is never split inside a character",
    arguments: [(0, ""), (1, "a"), (2, "a"), (3, "a🐦"), (4, "a🐦é"), (9, "a🐦é")])
  func cutting(_ limit: Int, _ text: String) { #expect("a🐦é".prefix(utf16: limit) == text) }
}
