import Foundation
import Localization
import Pipeline
import Testing
import TranslationVendors

@testable import Daemon

@Suite struct PipelineSchemaTests {
  private typealias Schema = [String: Any]

  private static let copy = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
      "docs/reference/pipeline.schema.json")

  private func schema() throws -> Schema {
    try #require(try JSONSerialization.jsonObject(with: Data(PipelineSchema.json.utf8)) as? Schema)
  }

  /// Returns the part of the schema for the section with this key path.
  private func part(_ keyPath: String, of schema: Schema) throws -> Schema {
    guard !keyPath.isEmpty else { return schema }
    let key = keyPath.hasSuffix("[]") ? String(keyPath.dropLast(2)) : keyPath
    let part = try #require((schema["properties"] as? Schema)?[key] as? Schema)
    return keyPath.hasSuffix("[]") ? try #require(part["items"] as? Schema) : part
  }

  @Test("the copy in docs/reference equals the printed schema")
  func copy() throws {
    let isCurrent = try String(contentsOf: Self.copy, encoding: .utf8) == PipelineSchema.json + "\n"
    #expect(isCurrent, "docs/reference/pipeline.schema.json is out of date. Run `make schema` and commit the file.")
  }

  @Test("the schema has exactly the keys that the reader of pipeline files knows")
  func keys() throws {
    let schema = try schema()
    for section in PipelineKeys.sections { try expectSame(section, in: schema) }
    // Every mapping in the schema is one of the sections above.
    let mappings = (schema["properties"] as? Schema)?.filter { ($0.value as? Schema)?["properties"] != nil }.map(\.key)
    let lists = (schema["properties"] as? Schema)?.filter {
      (($0.value as? Schema)?["items"] as? Schema)?["properties"] != nil
    }.map { $0.key + "[]" }
    #expect(Set((mappings ?? []) + (lists ?? []) + [""]) == Set(PipelineKeys.sections.map { $0.keyPath }))
  }

  private func expectSame<Key: SectionKey>(_ type: Key.Type, in schema: Schema) throws {
    let part = try part(Key.keyPath, of: schema)
    let options = Key.self == VendorKey.self ? VendorRegistry.optionNames : []
    let names = Set(Key.allCases.map(\.rawValue) + options)
    #expect(Set((part["properties"] as? Schema ?? [:]).keys) == names, "\(Key.keyPath)")
    #expect(Set(part["required"] as? [String] ?? []) == Set(Key.required.map(\.rawValue)), "\(Key.keyPath)")
    #expect(part["additionalProperties"] as? Bool == false, "\(Key.keyPath)")
  }

  @Test("the schema allows exactly the values that the reader accepts")
  func words() throws {
    let schema = try schema()
    let words = { (section: String, key: String) throws -> Set<String> in
      let properties = try part(section, of: schema)["properties"] as? Schema
      return Set(try #require((properties?[key] as? Schema)?["enum"] as? [String]))
    }
    #expect(try words("", "catalogs") == Set(CatalogPolicy.allCases.map(\.rawValue)))
    #expect(try words("vendors[]", "vendor") == Set(VendorRegistry.names))
    #expect(try words("vendors[]", "units") == Set(VendorDefinition.Units.allCases.map(\.rawValue)))
    #expect(try words("deliver", "when") == Set(DeliverSettings.When.allCases.map(\.rawValue)))
    #expect(try words("notify[]", "format") == Set(NotificationSettings.Format.allCases.map(\.rawValue)))
    let notify = try part("notify[]", of: schema)["properties"] as? Schema
    let events = (notify?["on"] as? Schema)?["items"] as? Schema
    #expect(Set(events?["enum"] as? [String] ?? []) == Set(NoticeEvent.allCases.map(\.rawValue)))
    #expect(
      try words("deliver", "mode") == Set(DeliverSettings.Mode.allCases.map(\.rawValue)))
  }

  @Test("the schema's patterns match exactly what the reader accepts")
  func patterns() throws {
    let schema = try schema()
    let definitions = try #require(schema["$defs"] as? Schema)
    let choices = (definitions["duration"] as? Schema)?["oneOf"] as? [Schema]
    let time = try #require(choices?.last?["pattern"] as? String)
    for text in ["0", "500ms", "10s", "1h30m", "1h1m1s1ms", "", "5", "30m1h", "2 m", "1.5h", "1m1m", "s"] {
      #expect(try matches(time, text) == (DurationText.duration(text) != nil), "\(text)")
    }
    let language = try #require((definitions["language"] as? Schema)?["pattern"] as? String)
    for text in ["de", "pt-BR", "zh-Hans", "pt_BR", "d", "de-", "../de", "x-klingon", "sr-Latn-RS"] {
      #expect(try matches(language, text) == LocaleIdentifier(text).isWellFormed, "\(text)")
    }
    let name = try #require(((schema["properties"] as? Schema)?["pipeline"] as? Schema)?["pattern"] as? String)
    for text in ["a", "birds", "b.c-d_e", ".a", "a.", "a/b", "a b", String(repeating: "a", count: 65)] {
      #expect(try matches(name, text) == faults(leastFile.replacing("birds\n", with: text + "\n")).isEmpty, "\(text)")
    }
    let credential = try #require((definitions["credential"] as? Schema)?["pattern"] as? String)
    for text in ["none", "env:A_1", "file:/a b", "agent", "env:", "env:1", "file:", "hunter2"] {
      let file = leastFile.replacing("/srv/birds.git", with: "ssh://git@host/birds.git\n  credentials: \(text)")
      #expect(try matches(credential, text) == faults(file).isEmpty, "\(text)")
    }
  }

  private func matches(_ pattern: String, _ text: String) throws -> Bool {
    try NSRegularExpression(pattern: pattern).firstMatch(
      in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil
  }
}
