import Foundation
import Localization
import TestSupport
import Testing

@testable import TranslationVendors

@Suite("Strings that a platform refused")
struct StringRefusalsTests {
  private func string(_ source: PlatformText, comment: String? = nil) -> PlatformString {
    PlatformString(
      catalog: "A.xcstrings", name: "k", unit: "k", path: .root, source: source, comment: comment, sourceLanguage: "en")
  }

  @Test("a refusal applies to all languages, whatever forms they need, until a form or the comment changes")
  func forms() throws {
    let folder = try TemporaryFolder()
    let refusals = StringRefusals(folder: folder.path, vendor: "v", fingerprint: "1")
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let ukrainian = string(.plural([.one: "bird", .few: "birds", .many: "birds", .other: "birds"]))
    try refusals.note([ukrainian], refused: [ukrainian.id: "no"], at: now)
    let entry = try #require(try refusals.all()[ukrainian.id])
    #expect(refusals.stands(entry, for: string(.plural([.one: "bird", .other: "birds"])), at: now))
    #expect(!refusals.stands(entry, for: string(.plural([.one: "a bird", .other: "birds"])), at: now))
    #expect(!refusals.stands(entry, for: string(.plain("bird")), at: now))
    #expect(!refusals.stands(entry, for: string(ukrainian.source, comment: "new"), at: now))
    #expect(!refusals.stands(entry, for: ukrainian, at: now + 25 * 3600))
    let changed = StringRefusals(folder: folder.path, vendor: "v", fingerprint: "2")
    #expect(!changed.stands(entry, for: ukrainian, at: now))
  }
}
