import CatalogFormats
import Localization
import TestSupport
import Testing

/// Random tables in which every word of texts and comments is different.
private struct TablesToConvert {
  var random: SeededGenerator
  private(set) var words: [String] = []

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  private mutating func word() -> String {
    let word = "w\(words.count)x"
    words.append(word)
    return word
  }

  private static let keys: Set = ["a", "b", "c", "d", "e"]

  private mutating func key(but used: Set<String> = []) -> String? {
    Self.keys.subtracting(used).sorted().randomElement(using: &random)
  }

  private mutating func comment(_ percent: Int) -> String {
    guard chance(percent) else { return "" }
    return chance(50) ? "/* \(word()) \(word()) */" : "/*\(word())\n   \(word())*/"
  }

  private mutating func line(_ percent: Int) -> String {
    guard chance(percent) else { return "" }
    return "// \(word())\n" + (chance(30) ? "\n" : "")
  }

  mutating func strings() -> String {
    var text = chance(20) ? "/* T.strings\n\(word()) */\n" : ""
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      text += line(30) + comment(40) + (chance(50) ? "\n\n" : "\n") + line(20)
      let value = chance(10) ? "( \(word()) )" : "\"\(word())\""
      text += "\"\(key() ?? "a")\"\(comment(10)) = \(comment(10))\(value)\(comment(10));"
      text += (chance(50) ? "\n" : " ") + line(30)
    }
    text += comment(30) + "\n" + line(30)
    return chance(20) ? "{\n\(text)\n}\n\(line(50))" : text
  }

  private mutating func xmlComment(_ percent: Int) -> String { chance(percent) ? "<!-- \(word()) -->" : "" }

  private mutating func member(_ key: String, _ value: String) -> String {
    "\(xmlComment(10))<key>\(key)</key>\(xmlComment(10))\(value)\(xmlComment(10))" + (chance(60) ? "\n" : "")
  }

  private mutating func text() -> String { "<string>\(word())</string>" }

  private mutating func format() -> String {
    guard chance(80) else { return text() }
    var members = member("NSStringLocalizedFormatKey", "<string>%#@n@\(chance(50) ? word() : "")</string>")
    var forms = member("NSStringFormatSpecTypeKey", "<string>NSStringPluralRuleType</string>")
    if chance(80) { forms += member("NSStringFormatValueTypeKey", "<string>ld</string>") }
    for form in ["one", "few", "other", "other"] where chance(60) || form == "other" { forms += member(form, text()) }
    if chance(10) { forms += member("three", text()) }
    if chance(10) { forms += member("comment", text()) }
    members += member("n", "<dict>\(forms)</dict>")
    if chance(10) { members += member("comment", text()) }
    if chance(10) { members += member("unknown", chance(50) ? text() : "<array>\(text())</array>") }
    return "<dict>\(members)</dict>"
  }

  mutating func rules() -> String {
    var entries = ""
    // Each key is used for only one rule, because a warning about an overridden rule does not have to contain all its words. Only texts are repeated.
    var used: Set<String> = []
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      guard let key = key(but: used) else { break }
      used.insert(key)
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        let widths = "<dict>\(member("20", text()))</dict>"
        entries += member(key, "<dict>\(member("NSStringVariableWidthRuleType", widths))</dict>")
      case 1:
        var devices = ""
        for device in ["mac", "iphone", "fridge"] where device != "fridge" || chance(20) {
          devices += member(device, format())
        }
        entries += member(key, "<dict>\(member("NSStringDeviceSpecificRuleType", "<dict>\(devices)</dict>"))</dict>")
      case 2: entries += member(key, text()) + (chance(30) ? member(key, text()) : "")
      default: entries += member(key, format())
      }
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      \(xmlComment(20))<plist version="1.0">\(xmlComment(20))<dict>
      \(entries)\(xmlComment(20))</dict>\(xmlComment(20))</plist>\(xmlComment(20))

      """
  }

  mutating func oldStyleRules() -> String {
    var text = ""
    for key in Self.keys.sorted().prefix(Int.random(in: 1...3, using: &random)) {
      text += line(30) + comment(30)
      text += "\(key) = {\(comment(30)) NSStringLocalizedFormatKey = \"%#@n@\";\(comment(30))\n"
      text +=
        "n = { \(line(30)) NSStringFormatSpecTypeKey = NSStringPluralRuleType; \(comment(30)) other = \(word()); }; };"
      text += chance(50) ? "\n" : line(50)
    }
    return text + comment(30)
  }
}

@Suite("Conversion of tables keeps or reports every text")
struct ConversionPropertyTests {
  @Test("every word of random tables is in the catalog or in a remaining file, or is reported", arguments: 0..<20)
  func nothingLost(batch: Int) throws {
    for round in 0..<10 {
      let seed = UInt64(batch * 10 + round)
      var tables = TablesToConvert(seed: seed)
      var files: [TableConversion.File] = []
      func add(_ path: TreePath, _ language: LocaleIdentifier, _ text: String) {
        files.append(TableConversion.File(path: path, language: language, bytes: Array(text.utf8)))
      }
      add("App/en.lproj/T.stringsdict", "en", seed % 4 == 0 ? tables.oldStyleRules() : tables.rules())
      add("App/de.lproj/T.stringsdict", "de", tables.rules())
      add("App/en.lproj/T.strings", "en", tables.strings())
      add("App/Base.lproj/T.strings", "en", tables.strings())
      add("App/de.lproj/T.strings", "de", tables.strings())
      let conversion = try TableConversion(files, to: "App/T.xcstrings", sourceLanguage: "en", strings: [])
      guard !conversion.edits.isEmpty else { continue }
      var left = conversion.diagnostics.map(\.message).joined(separator: "\n")
      for edit in conversion.edits.edits.values {
        if case .write(let content) = edit { left += "\n" + String(decoding: content.bytes, as: UTF8.self) }
      }
      for file in files where conversion.edits.edits[file.path] == nil {
        left += String(decoding: file.bytes, as: UTF8.self)
      }
      let lost = tables.words.filter { !left.contains($0) }
      #expect(
        lost.isEmpty,
        "seed \(seed): \(files.map { "\($0.path):\n" + String(decoding: $0.bytes, as: UTF8.self) }.joined())\n\(left)")
      if !lost.isEmpty { return }
    }
  }
}
