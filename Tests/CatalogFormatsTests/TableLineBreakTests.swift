import Localization
import Testing

@testable import CatalogFormats

/// Edits of property lists whose line breaks are single CRs.
struct TableLineBreakTests {
  private static let xml = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <!-- kept -->
    <dict>
    \t<key>b</key>
    \t<string>B</string>
    \t<key>d</key>
    \t<string>D</string> <!-- d -->
    \t<key>n</key>
    \t<dict>
    \t\t<key>NSStringLocalizedFormatKey</key>
    \t\t<string>%#@n@</string>
    \t\t<key>n</key>
    \t\t<dict>
    \t\t\t<key>NSStringFormatSpecTypeKey</key>
    \t\t\t<string>NSStringPluralRuleType</string>
    \t\t\t<key>one</key>
    \t\t\t<string>one</string>
    \t\t\t<key>other</key>
    \t\t\t<string>more</string>
    \t\t</dict>
    \t</dict>
    </dict>
    </plist>

    """
  private static let oldStyle = """
    {
      b = B;
      n = {
        NSStringLocalizedFormatKey = "%#@n@";
        n = { NSStringFormatSpecTypeKey = NSStringPluralRuleType; one = one;
          other = more;
        };
      };
    }

    """

  private static func withCR(_ text: String) -> String { text.replacing("\n", with: "\r") }

  private static func plural(_ forms: [PluralCategory: String]) -> Translation {
    let forms = forms.mapValues { VariedText.text(StringUnit(state: .translated, value: $0)) }
    return Translation(
      text: .text(StringUnit(state: .translated, value: "%#@n@")),
      substitutions: ["n": Substitution(argumentNumber: nil, formatSpecifier: nil, forms: .plural(forms))])
  }

  @Test("a .stringsdict whose line breaks are single CRs is edited like one with LF", arguments: [xml, oldStyle])
  func stringsDict(text: String) throws {
    func edited(_ text: String, _ changes: [UnitKey: Translation?]) throws -> String {
      let file = try StringsDictFile.read(Array(text.utf8), at: "en.lproj/A.stringsdict")
      return String(decoding: try file.edited(changes), as: UTF8.self)
    }
    let changes: [[UnitKey: Translation?]] = [
      ["a": Translation("x")], ["c": Translation("x\ny")], ["z": Self.plural([.one: "1", .other: "2"])],
      ["n": Self.plural([.few: "f", .one: "one", .other: "m\nn"])], ["n": Self.plural([.other: "more"])], ["b": nil],
      ["n": nil, "a": Translation("x")], ["b": nil, "d": nil, "n": nil, "e": Translation("x")],
    ]
    for change in changes {
      let expected = Self.withCR(try edited(text, change))
      #expect(try edited(Self.withCR(text), change) == expected)
    }
  }

  @Test("the lines of a comment end in LF, whatever the line breaks of the file", arguments: ["\n", "\r\n", "\r"])
  func comments(lineBreak: String) throws {
    let text = "/* one\ntwo */\n\"k\" = \"v\";\n".replacing("\n", with: lineBreak)
    let file = try StringsFile.read(Array(text.utf8), at: "a.strings")
    #expect(file.entries.first?.comment == "one\ntwo")
  }

  @Test("a .strings file in XML whose line breaks are single CRs is edited like one with LF")
  func strings() throws {
    func edited(_ text: String, _ edits: [UnitKey: StringsEdit]) throws -> String {
      let bytes = try StringsFile.read(Array(text.utf8), at: "a.strings").edited(edits)
      return String(decoding: bytes, as: UTF8.self)
    }
    let changes: [[UnitKey: StringsEdit]] = [
      ["a": .value("x", comment: nil)], ["c": .value("x\ny", comment: nil)], ["b": .remove],
      ["b": .value("\n", comment: nil), "d": .remove],
    ]
    for edits in changes {
      let expected = Self.withCR(try edited(Self.xml, edits))
      let written = try edited(Self.withCR(Self.xml), edits)
      #expect(written == expected)
      let again = try edited(written, ["e": .value("x", comment: nil)])
      #expect(!again.contains("\n"))
    }
  }
}
