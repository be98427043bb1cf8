import Foundation
import Localization
import StructuredText
import Testing

@testable import CatalogFormats

/// Compiling String Catalogs to `.strings` and `.stringsdict` (xcode-formats.md F, "Compile").
@Suite struct CompileTests {
  static func catalog(_ strings: String) throws -> Catalog {
    try StringCatalogFormat().read(
      Array(#"{"sourceLanguage":"en","strings":{\#(strings)},"version":"1.0"}"#.utf8), at: "App/Table.xcstrings")
  }

  static func compiled(_ strings: String) throws -> [String: String] {
    let files = try CatalogCompiler.compile(catalog(strings)).files(as: .text)
    return Dictionary(uniqueKeysWithValues: files.map { ($0.key.text, String(decoding: $0.value, as: UTF8.self)) })
  }

  static let birds = #"""
    "%lld birds":{"localizations":{
      "en":{"variations":{"plural":{"one":{"stringUnit":{"state":"translated","value":"%lld bird"}},
        "other":{"stringUnit":{"state":"translated","value":"%lld birds"}}}}},
      "de":{"variations":{"plural":{"one":{"stringUnit":{"state":"translated","value":"Ein Vogel"}},
        "other":{"stringUnit":{"state":"new","value":"%lld Vögel"}}}}}}}
    """#

  @Test("a plain text is compiled into .strings; a manual source entry without a text uses its key as value")
  func plain() throws {
    let files = try Self.compiled(
      #""b & <c>":{"extractionState":"manual"},"a":{"extractionState":"stale","localizations":{"de":{"stringUnit":{"state":"translated","value":"A\nä"}}}}"#
    )
    #expect(files.keys.sorted() == ["de.lproj/Table.strings", "en.lproj/Table.strings"])
    #expect(
      files["en.lproj/Table.strings"] == """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \t<key>b &amp; &lt;c&gt;</key>
        \t<string>b &amp; &lt;c&gt;</string>
        </dict>
        </plist>

        """)
    #expect(files["de.lproj/Table.strings"]?.contains("<string>A\nä</string>") == true)
  }

  @Test("a text that varies by plural is compiled only into .stringsdict")
  func plural() throws {
    let files = try Self.compiled(Self.birds)
    #expect(files.keys.sorted() == ["de.lproj/Table.stringsdict", "en.lproj/Table.stringsdict"])
    let text = try #require(files["de.lproj/Table.stringsdict"])
    #expect(
      text.contains(
        """
        <dict>
        \t<key>%lld birds</key>
        \t<dict>
        \t\t<key>NSStringLocalizedFormatKey</key>
        \t\t<string>%#@value@</string>
        \t\t<key>value</key>
        \t\t<dict>
        \t\t\t<key>NSStringFormatSpecTypeKey</key>
        \t\t\t<string>NSStringPluralRuleType</string>
        \t\t\t<key>NSStringFormatValueTypeKey</key>
        \t\t\t<string>lld</string>
        \t\t\t<key>one</key>
        \t\t\t<string>Ein Vogel</string>
        \t\t\t<key>other</key>
        \t\t\t<string>%lld Vögel</string>
        \t\t</dict>
        \t</dict>
        </dict>

        """))
  }

  @Test("the first integer argument of a text determines its plural form, at any position")
  func laterNumber() throws {
    let files = try Self.compiled(
      #""%@ has %d birds":{"localizations":{"en":{"variations":{"plural":{"other":{"stringUnit":{"state":"translated","value":"%1$@ has %2$d birds"}}}}}}}"#
    )
    let text = try #require(files["en.lproj/Table.stringsdict"])
    #expect(text.contains("<string>%2$#@value@</string>"))
    #expect(text.contains("<key>NSStringFormatValueTypeKey</key>\n\t\t\t<string>d</string>"))
  }

  @Test("substitutions become variables, with their argument numbers if there are any")
  func substitutions() throws {
    let files = try Self.compiled(
      #"""
      "k":{"extractionState":"manual","localizations":{"en":{"stringUnit":{"state":"translated","value":"%#@birds@ in %#@trees@"},
        "substitutions":{
          "birds":{"argNum":1,"formatSpecifier":"lld","variations":{"plural":{"one":{"stringUnit":{"state":"translated","value":"%arg bird"}},
            "other":{"stringUnit":{"state":"translated","value":"%arg birds"}}}}},
          "trees":{"argNum":2,"formatSpecifier":"d","variations":{"plural":{"other":{"stringUnit":{"state":"translated","value":"%arg trees"}}}}}}}}}
      """#)
    let text = try #require(files["en.lproj/Table.stringsdict"])
    #expect(text.contains("<string>%1$#@birds@ in %2$#@trees@</string>"))
    #expect(text.contains("<string>%1$lld bird</string>") && text.contains("<string>%2$d trees</string>"))
  }

  @Test(
    "a text that varies by device has a rule for each device, and its `other` text is in .strings"
  )
  func devices() throws {
    let files = try Self.compiled(
      #"""
      "Tap %lld":{"localizations":{"en":{"variations":{"device":{"mac":{"stringUnit":{"state":"translated","value":"Click"}},
        "iphone":{"variations":{"plural":{"other":{"stringUnit":{"state":"translated","value":"Tap %lld times"}}}}},
        "other":{"stringUnit":{"state":"translated","value":"Press"}}}}}}}
      """#)
    let text = try #require(files["en.lproj/Table.stringsdict"])
    #expect(!text.contains("<key>other</key>\n\t\t\t<string>Press</string>"))
    #expect(files["en.lproj/Table.strings"]?.contains("<key>Tap %lld</key>\n\t<string>Press</string>") == true)
    #expect(
      text.contains("<key>NSStringDeviceSpecificRuleType</key>\n\t\t<dict>\n\t\t\t<key>iphone</key>\n\t\t\t<dict>"))
    #expect(text.contains("<key>mac</key>\n\t\t\t<string>Click</string>"))
    #expect(text.contains("<string>Tap %lld times</string>"))
  }

  @Test(
    "a missing part of a catalog that Xcode requires is reported",
    arguments: [
      (#"{"stringUnit":{"value":"v"}}"#, "Missing required key 'state'"),
      (#"{"stringUnit":{"state":"translated"}}"#, "Missing required key 'value'"),
      ("{}", "Missing required key 'stringUnit'"), ("null", nil),
      (#"{"variations":{"plural":{"other":{"stringUnit":{"value":"%lld"}}}}}"#, "Missing required key 'state'"),
      (#"{"stringUnit":{"state":"translated","value":"v"}}"#, nil),
    ])
  func missingParts(localization: String, message: String?) throws {
    let faults = CatalogCompiler.faults(of: try Self.catalog(#""k":{"localizations":{"de":\#(localization)}}"#))
    #expect(faults.count == (message == nil ? 0 : 1))
    if let message {
      #expect(faults.first?.message == "\(message) inside 'strings' -> 'k' -> 'localizations' -> 'de'")
    }
  }

  @Test("an invalid language is an error and gets no folder", arguments: ["../../x", "de/../..", "", "."])
  func hostileLanguage(language: String) throws {
    let compiled = try CatalogCompiler.compile(
      Self.catalog(
        #""k":{"extractionState":"manual","localizations":{"\#(language)":{"stringUnit":{"state":"translated","value":"v"}}}}"#
      ))
    #expect(compiled.hasErrors)
    #expect(compiled.files(as: .text).keys.map(\.text) == ["en.lproj/Table.strings"])
  }

  @Test(
    "control characters are written unchanged, and Foundation and our reader can read them",
    arguments: CompiledCatalog.Form.allCases)
  func controlCharacters(form: CompiledCatalog.Form) throws {
    let compiled = try CatalogCompiler.compile(
      Self.catalog(#""a\u0001\u0008\u000c\u001f\u007f\ufffe":{"extractionState":"manual"}"#))
    let bytes = try #require(compiled.files(as: form)["en.lproj/Table.strings"])
    let text = "a\u{1}\u{8}\u{C}\u{1F}\u{7F}\u{FFFE}"
    #expect(try Self.foundation(bytes) as? [String: String] == [text: text])
    #expect(try PropertyListValue.parse(bytes)[text]?.string == text)
  }

  @Test("Foundation reads the catalog's texts from both output forms", arguments: CompiledCatalog.Form.allCases)
  func foundationReads(form: CompiledCatalog.Form) throws {
    var strings = (0..<400).map {
      #""key \#($0) é😀":{"localizations":{"en":{"stringUnit":{"state":"translated","value":"v & \#($0)\n\t\r"}}}}"#
    }
    strings.append(#""":{"extractionState":"manual"}"#)
    strings.append(Self.birds)
    let files = try CatalogCompiler.compile(Self.catalog(strings.joined(separator: ","))).files(as: form)
    let plain = try #require(try Self.foundation(files["en.lproj/Table.strings"]) as? [String: String])
    #expect(plain.count == 401)
    #expect(plain["key 7 é😀"] == "v & 7\n\t\r" && plain[""]?.isEmpty == true)
    let varied = try #require(
      try Self.foundation(files["en.lproj/Table.stringsdict"]) as? [String: [String: Any]])
    #expect((varied["%lld birds"]?["value"] as? [String: String])?["one"] == "%lld bird")
  }

  static func foundation(_ bytes: [UInt8]?) throws -> Any {
    let bytes = try #require(bytes)
    return try unsafe PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
  }
}
