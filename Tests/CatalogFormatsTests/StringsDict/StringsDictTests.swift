import Foundation
import Localization
import StructuredText
import Testing

@testable import CatalogFormats

@Suite struct StringsDictTests {
  func list(_ body: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \(body)
    </dict>
    </plist>

    """
  }

  let birds = """
    \t<key>birds</key>
    \t<dict>
    \t\t<key>NSStringLocalizedFormatKey</key>
    \t\t<string>%1$#@birds@ in %2$#@trees@</string>
    \t\t<key>birds</key>
    \t\t<dict>
    \t\t\t<key>NSStringFormatSpecTypeKey</key>
    \t\t\t<string>NSStringPluralRuleType</string>
    \t\t\t<key>NSStringFormatValueTypeKey</key>
    \t\t\t<string>%ld</string>
    \t\t\t<key>one</key>
    \t\t\t<string>a bird</string>
    \t\t\t<key>other</key>
    \t\t\t<string>%1$ld birds</string>
    \t\t</dict>
    \t\t<key>trees</key>
    \t\t<dict>
    \t\t\t<key>NSStringFormatSpecTypeKey</key>
    \t\t\t<string>NSStringPluralRuleType</string>
    \t\t\t<key>NSStringFormatValueTypeKey</key>
    \t\t\t<string>d</string>
    \t\t\t<key>other</key>
    \t\t\t<string>%2$d trees of %#@birds@</string>
    \t\t</dict>
    \t</dict>
    """

  func read(_ text: String) throws -> StringsDictFile {
    try StringsDictFile.read(Array(text.utf8), at: "en.lproj/A.stringsdict")
  }

  func unit(_ text: String) -> VariedText { .text(StringUnit(state: .translated, value: text)) }

  var birdsTranslation: Translation {
    Translation(
      text: unit("%1$#@birds@ in %2$#@trees@"),
      substitutions: [
        "birds": Substitution(
          argumentNumber: 1, formatSpecifier: "ld", forms: .plural([.one: unit("a bird"), .other: unit("%1$ld birds")])),
        "trees": Substitution(
          argumentNumber: 2, formatSpecifier: "d", forms: .plural([.other: unit("%2$d trees of %#@birds@")])),
      ])
  }

  @Test(
    "an entry is read as its format text with one substitution per variable; references and specifiers are unchanged")
  func variables() throws {
    let file = try read(list(birds + "\n\t<key>plain</key>\n\t<string>Text</string>"))
    #expect(file.entries.map(\.key) == ["birds", "plain"])
    #expect(file.translations["birds"] == birdsTranslation)
    #expect(file.translations["plain"] == Translation("Text"))
    #expect(file.warnings.isEmpty)
    #expect(file.entries.first?.position.line == 5)
  }

  @Test("all three file formats of property lists are read as the same translations")
  func forms() throws {
    let file = try read(list(birds))
    let tree = try #require(TextDictionary(file.list.root))
    let binary = try StringsDictFile.read(tree.binary, at: "a.stringsdict")
    #expect(binary.translations == file.translations)
    let old = try read(
      "{ birds = { NSStringLocalizedFormatKey = \"%1$#@birds@ in %2$#@trees@\"; birds = { NSStringFormatSpecTypeKey = NSStringPluralRuleType; NSStringFormatValueTypeKey = ld; one = \"a bird\"; other = \"%1$ld birds\"; }; trees = { NSStringFormatSpecTypeKey = NSStringPluralRuleType; NSStringFormatValueTypeKey = d; other = \"%2$d trees of %#@birds@\"; }; }; }"
    )
    #expect(old.translations == file.translations)
  }

  @Test("entries that the model cannot express are kept and reported, and cannot be overwritten")
  func kept() throws {
    let text = list(
      """
      \t<key>wide</key>
      \t<dict>
      \t\t<key>NSStringVariableWidthRuleType</key>
      \t\t<dict>
      \t\t\t<key>20</key>
      \t\t\t<string>Short</string>
      \t\t</dict>
      \t</dict>
      \t<key>odd</key>
      \t<array/>
      \t<key>none</key>
      \t<dict><key>NSStringLocalizedFormatKey</key><string>%#@n@</string><key>n</key><dict/></dict>
      \t<key>a</key>
      \t<string>A</string>
      """)
    let file = try read(text)
    #expect(file.entries.map(\.key) == ["a"])
    #expect(
      file.kept.map { "\($0.key): \($0.reason)" } == [
        "wide: a width rule", "odd: a value that is neither text nor a dictionary",
        "none: a variable without forms",
      ])
    #expect(
      file.warnings.first?.description
        == "en.lproj/A.stringsdict:5:2: warning: the key \"wide\" has a width rule; it stays unchanged and is not translated"
    )
    let written = try file.edited(["a": Translation("B")])
    #expect(String(decoding: written, as: UTF8.self) == text.replacing(">A<", with: ">B<"))
    #expect(throws: InputFault.self) { try file.edited(["wide": Translation("x")]) }
  }

  @Test(
    "a form is replaced or inserted at its position, and the rest of the file is kept, including `%ld`")
  func splice() throws {
    let text = list(birds)
    let file = try read(text)
    var changed = birdsTranslation
    changed.substitutions["birds"]?.forms = .plural([
      .one: unit("ein Vogel & <mehr>"), .few: unit("f"), .other: unit("%1$ld birds"), .zero: unit("z"),
    ])
    #expect(
      String(decoding: try file.edited(["birds": changed]), as: UTF8.self)
        == text.replacing(
          "\t\t\t<key>one</key>\n\t\t\t<string>a bird</string>\n",
          with:
            "\t\t\t<key>few</key>\n\t\t\t<string>f</string>\n\t\t\t<key>one</key>\n\t\t\t<string>ein Vogel &amp; &lt;mehr&gt;</string>\n"
        ).replacing(
          "\t\t\t<string>%1$ld birds</string>\n",
          with: "\t\t\t<string>%1$ld birds</string>\n\t\t\t<key>zero</key>\n\t\t\t<string>z</string>\n"))
    // In an entry whose keys are not sorted, an added form is inserted in CLDR's order of plural categories, which people use.
    let byHand = text.replacing(
      "<key>one</key>\n\t\t\t<string>a bird</string>",
      with: "<key>zero</key>\n\t\t\t<string>no bird</string>\n\t\t\t<key>one</key>\n\t\t\t<string>a bird</string>")
    var few = birdsTranslation
    few.substitutions["birds"]?.forms = .plural([
      .zero: unit("no bird"), .one: unit("a bird"), .few: unit("f"), .other: unit("%1$ld birds"),
    ])
    #expect(
      String(decoding: try read(byHand).edited(["birds": few]), as: UTF8.self)
        == byHand.replacing(
          "\t\t\t<key>other</key>\n\t\t\t<string>%1",
          with: "\t\t\t<key>few</key>\n\t\t\t<string>f</string>\n\t\t\t<key>other</key>\n\t\t\t<string>%1"))
    var fewer = birdsTranslation
    fewer.text = unit("%1$#@birds@")
    fewer.substitutions["trees"] = nil
    #expect(try read(String(decoding: file.edited(["birds": fewer]), as: UTF8.self)).translations == ["birds": fewer])
  }

  @Test("a comment in a variable is not one of its forms, and is kept when the forms change")
  func commentInVariable() throws {
    let text = list(
      birds.replacing(
        "\t\t\t<key>one</key>",
        with: "\t\t\t<key>comment</key>\n\t\t\t<string>Shown on the map</string>\n\t\t\t<key>one</key>"))
    let file = try read(text)
    #expect(file.translations == ["birds": birdsTranslation])
    var changed = birdsTranslation
    changed.substitutions["birds"]?.forms = .plural([.other: unit("%1$ld Vögel")])
    #expect(
      String(decoding: try file.edited(["birds": changed]), as: UTF8.self)
        == text.replacing("\t\t\t<key>one</key>\n\t\t\t<string>a bird</string>\n", with: "")
        .replacing("%1$ld birds", with: "%1$ld Vögel"))
  }

  @Test("unknown members of an entry with a device rule are kept when the entry changes")
  func unknownMembers() throws {
    let text = list(
      "<key>k</key><dict><key>NSStringNote</key><string>N</string><key>NSStringDeviceSpecificRuleType</key>"
        + "<dict><key>mac</key><string>A</string><key>other</key><string>B</string></dict></dict>")
    let changed = Translation(text: .device([Device(rawValue: "mac"): unit("C"), .other: unit("B")]))
    #expect(
      String(decoding: try read(text).edited(["k": changed]), as: UTF8.self) == text.replacing(">A<", with: ">C<"))
  }

  @Test("control characters that XML does not allow are read, kept and written")
  func controls() throws {
    let text = list("\t<key>a</key>\n\t<string>A\u{8}</string>\n\t<key>b\u{1}</key>\n\t<string>B&#8;</string>")
    let file = try read(text)
    #expect(file.translations == ["a": Translation("A\u{8}"), "b\u{1}": Translation("B\u{8}")])
    let written = String(decoding: try file.edited(["a": Translation("neu\u{1F}")]), as: UTF8.self)
    #expect(written == text.replacing("A\u{8}", with: "neu\u{1F}"))
    #expect(try read(written).translations["a"] == Translation("neu\u{1F}"))
  }

  @Test("new keys, the first key of an empty table, and removals follow the layout of the file")
  func keys() throws {
    let spaces = list("    <key>b</key>\n    <string>B</string>\n    <key>c</key>\n    <string>C</string>")
    let plural = Translation(
      text: unit("%#@n@"),
      substitutions: [
        "n": Substitution(argumentNumber: nil, formatSpecifier: "lld", forms: .plural([.other: unit("x")]))
      ])
    #expect(
      String(decoding: try read(spaces).edited(["a": plural, "c": nil]), as: UTF8.self)
        == list(
          """
              <key>a</key>
              <dict>
                  <key>NSStringLocalizedFormatKey</key>
                  <string>%#@n@</string>
                  <key>n</key>
                  <dict>
                      <key>NSStringFormatSpecTypeKey</key>
                      <string>NSStringPluralRuleType</string>
                      <key>NSStringFormatValueTypeKey</key>
                      <string>lld</string>
                      <key>other</key>
                      <string>x</string>
                  </dict>
              </dict>
              <key>b</key>
              <string>B</string>
          """))
    let empty = String(decoding: try StringsDictFile.new([:], at: "a.stringsdict"), as: UTF8.self)
    #expect(empty.contains("<dict/>"))
    #expect(
      String(decoding: try read(empty).edited(["b": Translation("B")]), as: UTF8.self)
        == list("\t<key>b</key>\n\t<string>B</string>"))
    #expect(
      String(decoding: try StringsDictFile.new(["b": Translation("B")], at: "a.stringsdict"), as: UTF8.self)
        == list("\t<key>b</key>\n\t<string>B</string>"))
  }

  @Test("a translation that the format cannot express is refused with its key")
  func refusals() throws {
    let file = try read(list(birds))
    let bad: [UnitKey: Translation?] = [
      "a": Translation(text: .plural([.other: unit("x")])),
      "b": Translation(text: .phrases(PhraseSet(state: .translated, values: ["x"]))),
    ]
    do {
      _ = try file.edited(bad)
      Issue.record("the edit was not refused")
    } catch {
      #expect(error.diagnostics.map(\.message).allSatisfy { $0.contains("cannot be written: ") })
      #expect(error.diagnostics.count == 2)
    }
  }

  @Test("an entry is added after trailing spaces of a line, and the spaces are kept")
  func spacesAtTheEnd() throws {
    let text = list(birds + " ")
    let written = try read(text).edited(["cats": Translation("Cats")])
    #expect(String(decoding: written, as: UTF8.self).contains("\t</dict> \n\t<key>cats</key>\n"))
    let path: TreePath = "en.lproj/A.stringsdict"
    #expect(try TableAudit.unexplainedChanges(from: Array(text.utf8), to: written, at: path) { $0 == "cats" }.isEmpty)
  }
}
