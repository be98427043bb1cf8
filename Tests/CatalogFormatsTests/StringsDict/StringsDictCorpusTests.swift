import Foundation
import Localization
import StructuredText
import Testing

@testable import CatalogFormats

/// Tests on whole files: our own small files and those of the corpus.
extension StringsDictTests {
  @Test(
    "each form of every .stringsdict can be set without changing anything else",
    arguments: SampleFile.all(".stringsdict"))
  func corpus(file: SampleFile) throws {
    let bytes = try file.bytes()
    let read = try StringsDictFile.read(bytes, at: file.treePath)
    #expect(!read.entries.isEmpty || !read.kept.isEmpty || read.list.form == .binary)
    #expect(try read.edited(read.translations.mapValues { $0 }) == bytes)
    #expect(
      try StringsDictFile.read(StringsDictFile.new(read.translations, at: file.treePath), at: file.treePath)
        .translations == read.translations)
    for entry in read.entries.prefix(8) {
      var changed = entry.translation
      for name in changed.substitutions.keys {
        guard case .plural(var forms)? = changed.substitutions[name]?.forms else { continue }
        forms[.other] = unit("neu & \"€\"")
        forms[.many] = unit("viele")
        changed.substitutions[name]?.forms = .plural(forms)
      }
      let written = try read.edited([entry.key: changed])
      let now = try StringsDictFile.read(written, at: file.treePath)
      #expect(now.translations[entry.key] == changed)
      #expect(now.kept.map(\.key) == read.kept.map(\.key))
      var others = now.translations
      others[entry.key] = entry.translation
      #expect(others == read.translations)
      #expect(
        try TableAudit.unexplainedChanges(from: bytes, to: written, at: file.treePath) { $0 == entry.key }.isEmpty)
      let without = try read.edited([entry.key: nil])
      #expect(try StringsDictFile.read(without, at: file.treePath).translations[entry.key] == nil)
      #expect(
        try TableAudit.unexplainedChanges(from: bytes, to: without, at: file.treePath) { $0 == entry.key }.isEmpty)
    }
  }

  /// The tables that Xcode did not write, each with a text in it that Xcode does not write (xcode-formats.md F).
  static let foreign: [(name: String, trace: String)] = [
    ("Resources/ar.lproj/Localizable.stringsdict", "encoding=\"utf-8\""),
    ("input/pt.lproj/Localizable.stringsdict", "encoding=\"utf-8\""),
    ("damus/vi.lproj/Localizable.stringsdict", "&quot;"),
    ("cs.lproj/Localizable.stringsdict", "  <dict>\n    <key>files"),
    ("own/Harbour/cs.lproj/Foreign.stringsdict", "encoding=\"utf-8\""),
  ]

  @Test("reprinting does not change a .stringsdict that Xcode wrote", arguments: SampleFile.all(".stringsdict"))
  func reprint(file: SampleFile) throws {
    try file.expectReprint(foreign: Self.foreign)
  }
}
