import CatalogFormats
import Localization
import TestSupport
import Testing

@Suite("Three-way merge of .strings and .stringsdict")
struct TableMergeTests {
  private static func strings(_ base: String, _ ours: String, _ theirs: String) throws -> (text: String, told: [String])
  {
    let versions = MergeVersions(base: Array(base.utf8), ours: Array(ours.utf8), theirs: Array(theirs.utf8))
    let merged = try MergeDriver.merge(versions, at: "de.lproj/Localizable.strings")
    return (String(decoding: merged.bytes, as: UTF8.self), merged.conflicts.map(\.conflict.description))
  }

  private static let base = "/* first */\n\"a\" = \"A\";\n\n\"b\" = 'B';\n\n\"c\" = \"C\";\n"

  @Test("keys that each side added, changed and removed are combined, and all other bytes are kept")
  func keys() throws {
    let ours = Self.base.replacing("'B'", with: "'BB'") + "\n\"e\" = \"E\";\n"
    let theirs = Self.base.replacing("\"c\" = \"C\";\n", with: "\"d\" = \"D\";\n").replacing("first", with: "the first")
    let merged = try Self.strings(Self.base, ours, theirs)
    #expect(
      merged.text == "/* the first */\n\"a\" = \"A\";\n\n\"b\" = 'BB';\n\n\"d\" = \"D\";\n\n\"e\" = \"E\";\n")
    #expect(merged.told == [])
    let mirrored = try Self.strings(Self.base, theirs, ours)
    #expect(mirrored == merged)
  }

  @Test("two values of one key, or a removal and a change, conflict, and our value is kept")
  func conflicts() throws {
    let merged = try Self.strings(
      Self.base, Self.base.replacing("\"A\"", with: "\"X\"").replacing("\"c\" = \"C\";\n", with: ""),
      Self.base.replacing("\"A\"", with: "\"Y\\n\"").replacing("\"C\"", with: "\"CC\""))
    #expect(merged.told == [#"key "a": ours "X", theirs "Y\n""#, #"key "c": ours removed it, theirs "CC""#])
    #expect(merged.text.contains("\"a\" = \"X\";"))
    #expect(merged.text.contains("\"c\" = \"CC\";"))
  }

  @Test(
    "a key added to an unsorted file keeps its position from the side that added it if the other side added no keys")
  func place() throws {
    let base = "\"z\" = \"1\";\n\"a\" = \"2\";\n\"m\" = \"3\";\n"
    let added = base.replacing("\"a\" = \"2\";\n", with: "\"a\" = \"2\";\n\"k\" = \"4\";\n")
    let changed = base.replacing("\"3\"", with: "\"33\"")
    let expected = added.replacing("\"3\"", with: "\"33\"")
    #expect(try Self.strings(base, changed, added).text == expected)
    #expect(try Self.strings(base, added, changed).text == expected)
  }

  @Test("comments without a key are taken from the side that changed them; they conflict if both sides did")
  func comments() throws {
    let base = "/* Head */\n\n/* one */\n\"a\" = \"A\";\n"
    let theirs = base.replacing("Head", with: "New head")
    let merged = try Self.strings(base, base.replacing("\"A\"", with: "\"AA\""), theirs)
    #expect(merged == (theirs.replacing("\"A\"", with: "\"AA\""), []))
    let both = try Self.strings(base, base.replacing("Head", with: "My head"), theirs)
    #expect(both.told == [#"comments: ours " My head ", theirs " New head ""#])
    #expect(both.text.hasPrefix("/* My head */"))
  }

  @Test("UTF-16 tables, which git itself treats as binary, are merged in their encoding")
  func encodings() throws {
    func encode(_ text: String) -> [UInt8] {
      var bytes: [UInt8] = [0xFF, 0xFE]
      for unit in text.utf16 { bytes += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
      return bytes
    }
    let base = "\"a\" = \"ä\";\n\"z\" = \"ü\";\n"
    let versions = MergeVersions(
      base: encode(base), ours: encode("\"a\" = \"ö\";\n\"z\" = \"ü\";\n"),
      theirs: encode("\"a\" = \"ä\";\n\"m\" = \"é\";\n\"z\" = \"ü\";\n"))
    let merged = try MergeDriver.merge(versions, at: "x.strings")
    #expect(merged.bytes == encode("\"a\" = \"ö\";\n\"m\" = \"é\";\n\"z\" = \"ü\";\n"))
    #expect(try MergeDriver.merge(versions, at: nil).bytes == merged.bytes)
    // One side changed the encoding, and the other a value.
    let changed = MergeVersions(
      base: Array(base.utf8), ours: Array(base.replacing("ä", with: "ö").utf8), theirs: encode(base))
    #expect(try MergeDriver.merge(changed, at: "x.strings").bytes == encode(base.replacing("ä", with: "ö")))
  }

  private static func dictionary(_ entries: String) -> [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \(entries)</dict>
      </plist>

      """.utf8)
  }

  private static func entry(_ key: String, _ forms: KeyValuePairs<String, String>, by variable: String = "n") -> String
  {
    "\t<key>\(key)</key>\n\t<dict>\n\t\t<key>NSStringLocalizedFormatKey</key>\n\t\t<string>%#@\(variable)@</string>\n"
      + "\t\t<key>\(variable)</key>\n\t\t<dict>\n\t\t\t<key>NSStringFormatSpecTypeKey</key>\n"
      + "\t\t\t<string>NSStringPluralRuleType</string>\n"
      + forms.map { "\t\t\t<key>\($0)</key>\n\t\t\t<string>\($1)</string>\n" }.joined() + "\t\t</dict>\n\t</dict>\n"
  }

  private static func merge(_ base: String, _ ours: String, _ theirs: String) throws -> (bytes: [UInt8], told: [String])
  {
    let versions = MergeVersions(base: dictionary(base), ours: dictionary(ours), theirs: dictionary(theirs))
    let merged = try MergeDriver.merge(versions, at: "de.lproj/Localizable.stringsdict")
    #expect(try MergeDriver.merge(versions, at: nil).bytes == merged.bytes)
    return (merged.bytes, merged.conflicts.map(\.conflict.description))
  }

  @Test("plural forms of one key are merged separately, and rules of every kind are kept")
  func dictionaries() throws {
    let width =
      "\t<key>w</key>\n\t<dict>\n\t\t<key>NSStringVariableWidthRuleType</key>\n\t\t<dict>\n\t\t\t<key>20</key>\n\t\t\t<string>x</string>\n\t\t</dict>\n\t</dict>\n"
    let merged = try Self.merge(
      Self.entry("a", ["one": "1", "other": "2"]), Self.entry("a", ["one": "eins", "other": "2"]),
      Self.entry("a", ["few": "f", "one": "1", "other": "2"]) + width)
    #expect(merged.told == [])
    #expect(merged.bytes == Self.dictionary(Self.entry("a", ["few": "f", "one": "eins", "other": "2"]) + width))
  }

  @Test("a form that both sides changed conflicts alone; if variables or rules differ, the whole key conflicts")
  func dictionaryConflicts() throws {
    let base = Self.entry("a", ["other": "1"])
    let forms = try Self.merge(base, Self.entry("a", ["other": "2"]), Self.entry("a", ["other": "3"]))
    #expect(forms.told == [#"key "a", n, other: ours "2", theirs "3""#])
    #expect(forms.bytes == Self.dictionary(Self.entry("a", ["other": "2"])))
    let variables = try Self.merge(
      base, Self.entry("a", ["other": "1"], by: "m"), Self.entry("a", ["other": "1"], by: "k"))
    #expect(variables.told.count == 1)
    #expect(variables.bytes == Self.dictionary(Self.entry("a", ["other": "1"], by: "m")))
  }

  @Test("merging random tables applies changes of one side, and keeps or reports every new text")
  func properties() throws {
    var random = SeededGenerator(seed: 7)
    var count = 0
    func text(_ entries: [(Int, Int)]) -> [UInt8] {
      Array(entries.map { "/* comment \($0.0) */\n\"key \($0.0)\" = \"text <\($0.1)>\";\n\n" }.joined().utf8)
    }
    func edited(_ entries: [(Int, Int)]) -> [(Int, Int)] {
      var entries = entries
      for index in entries.indices.reversed() where Int.random(in: 0..<3, using: &random) == 0 {
        count += 1
        if Int.random(in: 0..<4, using: &random) == 0 { entries.remove(at: index) } else { entries[index].1 = count }
      }
      for _ in 0..<Int.random(in: 0..<3, using: &random) {
        count += 1
        entries.insert(
          (100 + Int.random(in: 0..<4, using: &random), count), at: Int.random(in: 0...entries.count, using: &random))
      }
      var seen: Set<Int> = []
      return entries.filter { seen.insert($0.0).inserted }
    }
    for _ in 0..<300 {
      let base = (0..<8).map { number in (number, -number) }
      let (ours, theirs) = (edited(base), edited(base))
      let taken = try MergeDriver.merge(
        MergeVersions(base: text(base), ours: text(base) + [0x0A], theirs: text(ours)), at: "x.strings")
      #expect(taken.conflicts.isEmpty)
      #expect(
        try StringsFile.read(taken.bytes, at: "x").values.mapValues(\.value)
          == StringsFile.read(text(ours), at: "x").values.mapValues(\.value))
      let merged = try MergeDriver.merge(
        MergeVersions(base: text(base), ours: text(ours), theirs: text(theirs)), at: "x.strings")
      let told = merged.conflicts.map(\.conflict.description).joined() + String(decoding: merged.bytes, as: UTF8.self)
      for entry in ours + theirs where entry.1 > 0 { #expect(told.contains("<\(entry.1)>")) }
    }
  }
}
