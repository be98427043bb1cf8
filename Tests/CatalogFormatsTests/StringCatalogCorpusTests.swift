import CatalogFormats
import Foundation
import Localization
import StructuredText
import TestSupport
import Testing

@Suite struct StringCatalogCorpusTests {
  private static let format = StringCatalogFormat()

  @Test("reading and writing a catalog changes no bytes", arguments: SampleFile.all(".xcstrings"))
  func unchanged(file: SampleFile) throws {
    let bytes = try file.bytes()
    #expect(try Self.format.write(Self.format.read(bytes, at: file.treePath), over: bytes) == bytes)
  }

  @Test("editing one value changes only the bytes of that value", arguments: SampleFile.all(".xcstrings"))
  func oneValue(file: SampleFile) throws {
    let bytes = try file.bytes()
    let catalog = try Self.format.read(bytes, at: file.treePath)
    let document = try JSONDocument.parse(bytes)
    let tokens = Self.valueTokens(of: document)
    let places = catalog.entries.flatMap { key, entry in
      entry.translations.flatMap { language, translation in
        TranslationForms.paths(of: translation).map { (key, language, $0) }
      }
    }
    #expect(places.count == tokens.count)
    var random = SeededGenerator(seed: 3)
    for (key, language, path) in places.shuffled(using: &random).prefix(bytes.count > 100_000 ? 2 : 10) {
      let marker = "changed: \"quoted\" \\ / \u{2028}\n é \(Int.random(in: 0..<1_000, using: &random))"
      var changed = catalog
      let old = try #require(catalog.entries[key]?.translations[language])
      changed.entries[key]?.translations[language] = TranslationForms.setting(marker, at: path, of: old)
      let written = try Self.format.write(changed, over: bytes)
      #expect(try Self.format.read(written, at: file.treePath) == changed)
      // Exactly one value token differs, and the bytes around it are unchanged.
      let newTokens = Self.valueTokens(of: try JSONDocument.parse(written))
      #expect(newTokens.count == tokens.count)
      let index = try #require(zip(tokens, newTokens).enumerated().first { bytes[$1.0] != written[$1.1] }?.offset)
      #expect(bytes[..<tokens[index].lowerBound] == written[..<newTokens[index].lowerBound])
      #expect(bytes[tokens[index].upperBound...] == written[newTokens[index].upperBound...])
      #expect(
        try ChangeAudit.unexplainedChanges(from: bytes, to: written, at: file.treePath) { $0 == key && $1 == language }
          .isEmpty)
      #expect(
        try !ChangeAudit.unexplainedChanges(from: bytes, to: written, at: file.treePath) { _, _ in false }.isEmpty)
    }
  }

  @Test("editing every value and undoing it restores the bytes", arguments: SampleFile.all(".xcstrings"))
  func allValues(file: SampleFile) throws {
    let bytes = try file.bytes()
    let catalog = try Self.format.read(bytes, at: file.treePath)
    var changed = catalog
    for (key, entry) in catalog.entries {
      for (language, translation) in entry.translations {
        changed.entries[key]?.translations[language] = TranslationForms.paths(of: translation).reduce(translation) {
          TranslationForms.setting("x", at: $1, of: $0)
        }
      }
    }
    let written = try Self.format.write(changed, over: bytes)
    #expect(try Self.format.read(written, at: file.treePath) == changed)
    // The writer replaces escapes that Xcode does not write (`\\/`) with Xcode's escapes, so such a file is compared by its content.
    let undone = try Self.format.write(catalog, over: written)
    if String(decoding: bytes, as: UTF8.self).contains("\\/") {
      #expect(try Self.format.read(undone, at: file.treePath) == catalog)
    } else {
      #expect(undone == bytes)
    }
  }

  @Test(
    "removing an entry and adding it again restores the bytes of a sorted file",
    arguments: SampleFile.all(".xcstrings"))
  func entries(file: SampleFile) throws {
    let bytes = try file.bytes()
    let catalog = try Self.format.read(bytes, at: file.treePath)
    guard ReprintTests.foreign.allSatisfy({ !file.path.hasSuffix($0.name) }) else { return }
    let document = try JSONDocument.parse(bytes)
    let strings = try #require(document.value("strings", of: document.root))
    let keys = document.members(of: strings).map { document.string($0.key) }
    guard zip(keys, keys.dropFirst()).allSatisfy({ !CatalogOrder.precedes($1, $0) }) else { return }
    var random = SeededGenerator(seed: 5)
    for (key, entry) in catalog.entries.shuffled(using: &random).prefix(5) {
      // `Catalog` does not have every field of an entry, so fields can be lost when an entry is added again.
      var only = Catalog(path: catalog.path, sourceLanguage: catalog.sourceLanguage)
      only.entries[key] = entry
      var without = catalog
      without.entries[key] = nil
      let removed = try Self.format.write(without, over: bytes)
      #expect(try Self.format.read(removed, at: file.treePath) == without)
      let back = try Self.format.write(catalog, over: removed)
      #expect(try Self.format.read(back, at: file.treePath) == catalog)
      let node = try #require(document.members(of: strings).first { document.string($0.key).isExactly(key.text) }).value
      let text = String(decoding: bytes[document.range(of: node)], as: UTF8.self)
      if !text.contains("generatesSymbol"), !text.contains("commentGenerationVersion"), !text.contains("\u{2028}") {
        #expect(back == bytes, "\(key)")
      }
    }
  }

  @Test(
    "a catalog written without its file is read back as the same catalog",
    arguments: SampleFile.all(".xcstrings"))
  func new(file: SampleFile) throws {
    let bytes = try file.bytes()
    let catalog = try Self.format.read(bytes, at: file.treePath)
    let written = try Self.format.write(catalog, over: nil)
    #expect(try Self.format.read(written, at: file.treePath) == catalog)
  }

  /// Returns the tokens of all values: those of `value` members and those of elements of `values`.
  private static func valueTokens(of document: JSONDocument) -> [Range<Int>] {
    var found: [Range<Int>] = []
    func walk(_ node: JSONNode) {
      for member in document.members(of: node) {
        if document.string(member.key, equals: "stringUnit"), let value = document.value("value", of: member.value) {
          found.append(document.range(of: value))
        } else if document.string(member.key, equals: "stringSet"),
          let values = document.value("values", of: member.value)
        {
          found += document.elements(of: values).map { document.range(of: $0) }
        } else {
          walk(member.value)
        }
      }
    }
    walk(document.root)
    return found
  }
}

/// Functions that list and set the values of a translation by their paths, which consist of names.
enum TranslationForms {
  static func paths(of translation: Translation) -> [[String]] {
    paths(of: translation.text)
      + translation.substitutions.flatMap { name, substitution in
        paths(of: substitution.forms).map { ["%", name] + $0 }
      }
  }

  private static func paths(of text: VariedText) -> [[String]] {
    switch text {
    case .text: [[]]
    case .phrases(let set): set.values.indices.map { ["\($0)"] }
    case .plural(let cases): cases.flatMap { name, text in paths(of: text).map { [name.rawValue] + $0 } }
    case .device(let cases): cases.flatMap { name, text in paths(of: text).map { [name.rawValue] + $0 } }
    }
  }

  static func setting(_ value: String, at path: [String], of translation: Translation) -> Translation {
    var result = translation
    if path.first == "%" {
      if var substitution = result.substitutions[path[1]] {
        substitution.forms = setting(value, at: path.dropFirst(2), of: substitution.forms)
        result.substitutions[path[1]] = substitution
      }
    } else {
      result.text = setting(value, at: path[...], of: result.text)
    }
    return result
  }

  private static func setting(_ value: String, at path: ArraySlice<String>, of text: VariedText) -> VariedText {
    switch text {
    case .text(var unit):
      unit.value = value
      return .text(unit)
    case .phrases(var set):
      if let index = path.first.flatMap({ Int($0) }) { set.values[index] = value }
      return .phrases(set)
    case .plural(var cases):
      let name = PluralCategory(rawValue: path.first ?? "")
      cases[name] = cases[name].map { setting(value, at: path.dropFirst(), of: $0) }
      return .plural(cases)
    case .device(var cases):
      let name = Device(rawValue: path.first ?? "")
      cases[name] = cases[name].map { setting(value, at: path.dropFirst(), of: $0) }
      return .device(cases)
    }
  }
}
