import Foundation
import Localization
import StructuredText
import Testing

@testable import CatalogFormats

/// Tests of entries with a device rule.
extension StringsDictTests {
  @Test("a device rule is read as a text by device, even for a variable that differs by device")
  func devices() throws {
    func variable(_ other: String) -> String {
      "<dict><key>NSStringLocalizedFormatKey</key><string>%#@n@</string><key>n</key><dict><key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string><key>NSStringFormatValueTypeKey</key><string>d</string><key>other</key><string>\(other)</string></dict></dict>"
    }
    func entry(_ mac: String) -> String {
      list(
        "<key>k</key><dict><key>NSStringDeviceSpecificRuleType</key><dict><key>iphone</key>\(variable("Tap %d"))<key>mac</key>\(mac)<key>other</key><string>Use</string></dict></dict>"
      )
    }
    let same = try read(entry(variable("Tap %d")))
    let forms = VariedText.plural([.other: unit("Tap %d")])
    let texts = [
      Device(rawValue: "iphone"): unit("%#@n@"), Device(rawValue: "mac"): unit("%#@n@"), .other: unit("Use"),
    ]
    #expect(
      same.translations["k"]
        == Translation(
          text: .device(texts),
          substitutions: ["n": Substitution(argumentNumber: nil, formatSpecifier: "d", forms: forms)]))
    let different = try read(entry(variable("Click %d")))
    #expect(
      different.translations["k"]?.substitutions["n"]?.forms
        == .device([
          Device(rawValue: "iphone"): forms, Device(rawValue: "mac"): .plural([.other: unit("Click %d")]),
        ]))
    for file in [same, different] {
      let translation = try #require(file.translations["k"])
      #expect(
        try StringsDictFile.read(StringsDictFile.new(["k": translation], at: "n.stringsdict"), at: "n.stringsdict")
          .translations == file.translations)
      var changed = translation
      changed.text = .device([Device(rawValue: "iphone"): unit("%#@n@!"), .other: unit("Use")])
      changed.substitutions["n"]?.forms = forms
      let written = try StringsDictFile.read(file.edited(["k": changed]), at: file.path)
      #expect(written.translations == ["k": changed])
    }
  }

  @Test(
    "an entry is kept if a variable has another value type or argument on another device",
    arguments: [
      ("%#@n@", "d", "%#@n@", "ld", "a variable with another value type on another device"),
      ("%#@n@", "d", "%#@n@", nil, "a variable with another value type on another device"),
      ("%#@n@", nil, "%#@n@", "d", "a variable with another value type on another device"),
      ("%1$#@n@", "d", "%2$#@n@", "d", "a variable with another argument on another device"),
      ("%#@n@", "d", "%@: %#@n@", "d", "a variable with another argument on another device"),
      ("%#@n@", "ld", "%1$#@n@", "%ld", nil),
    ] as [(String, String?, String, String?, String?)])
  func differentVariables(
    phone: String, phoneType: String?, mac: String, macType: String?, reason: String?
  ) throws {
    func entry(_ format: String, _ type: String?) -> String {
      let type = type.map { "<key>NSStringFormatValueTypeKey</key><string>\($0)</string>" } ?? ""
      return "<dict><key>NSStringLocalizedFormatKey</key><string>\(format)</string><key>n</key><dict>"
        + "<key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string>\(type)"
        + "<key>other</key><string>Tap</string></dict></dict>"
    }
    let text = list(
      "<key>k</key><dict><key>NSStringDeviceSpecificRuleType</key><dict><key>iphone</key>\(entry(phone, phoneType))"
        + "<key>mac</key>\(entry(mac, macType))</dict></dict>\n<key>a</key><string>A</string>")
    let file = try read(text)
    #expect(file.kept.map(\.reason) == [reason].compactMap(\.self))
    let written = try file.edited(["a": Translation("B")])
    #expect(String(decoding: written, as: UTF8.self) == text.replacing(">A<", with: ">B<"))
    guard var changed = file.translations["k"] else {
      #expect(throws: InputFault.self) { try file.edited(["k": Translation("x")]) }
      return
    }
    #expect(reason == nil)
    changed.substitutions["n"]?.forms = .plural([.other: unit("Click")])
    #expect(
      String(decoding: try file.edited(["k": changed]), as: UTF8.self) == text.replacing(">Tap<", with: ">Click<"))
  }
}
