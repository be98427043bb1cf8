import Localization
import Testing

@testable import CatalogFormats

/// The fast audit of single entries. The fast audit accepts the usual changes without parsing the new file, and never accepts a change that the full
/// audit refuses.
@Suite struct EntryAuditTests {
  private static let format = StringCatalogFormat()
  private static let base = """
    {
      "sourceLanguage" : "en",
      "strings" : {
        "b" : {
          "comment" : "x",
          "localizations" : {
            "de" : {
              "stringUnit" : {
                "state" : "translated",
                "value" : "B"
              }
            },
            "fr" : {
              "stringUnit" : {
                "state" : "translated",
                "value" : "B"
              }
            }
          }
        },
        "d" : {

        },
        "f" : {
          "shouldTranslate" : false
        }
      },
      "version" : "1.0"
    }

    """

  private static func isExplained(
    _ new: [UInt8], allowing: ChangeAudit.Allowance = .translations,
    _ explaining: @escaping (UnitKey, LocaleIdentifier) -> Bool
  ) throws -> Bool {
    let before = try CatalogTree(Array(base.utf8), at: "x.xcstrings")
    return EntryAudit(before: before, after: new, explaining: explaining, allowed: allowing).isExplained
  }

  private static func edited(_ change: (inout Catalog) -> Void) throws -> [UInt8] {
    var catalog = try format.read(Array(base.utf8), at: "x.xcstrings")
    change(&catalog)
    return try format.write(catalog, over: Array(base.utf8))
  }

  @Test(
    "changed translations and new entries are explained, wherever the entries are in the file",
    arguments: ["a", "c", "e", "g"])
  func usual(key: String) throws {
    let new = try Self.edited {
      $0.entries["b"]?.translations["de"] = Translation("\"Bé\"", state: .needsReview)
      $0.entries["b"]?.translations["fr"] = nil
      $0.entries["d"]?.translations["uk"] = Translation("Д")
      $0.entries[UnitKey(key)] = CatalogEntry(translations: ["de": Translation("N")])
      $0.entries[UnitKey(key + key)] = CatalogEntry(translations: ["en": Translation("N"), "de": Translation("N")])
    }
    #expect(try Self.isExplained(new) { _, _ in true })
    #expect(try Self.isExplained(new) { key, language in language != "en" })
    #expect(try !Self.isExplained(new) { _, language in language != "uk" })
    #expect(try !Self.isExplained(new) { other, _ in other.text != key })
    #expect(try !Self.isExplained(new, allowing: []) { _, _ in true })
  }

  @Test("the entry audit leaves other changes to the comparison of whole files")
  func others() throws {
    let changes: [(inout Catalog) -> Void] = [
      { $0.entries["b"]?.comment = "y" }, { $0.entries["d"] = nil }, { $0.entries["g"] = CatalogEntry() },
      { $0.entries["f"]?.shouldTranslate = true }, { $0.sourceLanguage = "de" },
      { $0.entries["d"]?.translations["de"] = Translation("D", state: .machineTranslated) },
    ]
    for change in changes {
      let new = try Self.edited {
        change(&$0)
        $0.entries["b"]?.translations["de"] = Translation("C")
      }
      #expect(try !Self.isExplained(new) { _, _ in true })
    }
  }

  @Test("any other changed, removed or repeated byte counts as unexplained")
  func bytes() throws {
    let new = try Self.edited {
      $0.entries["b"]?.translations["de"] = Translation("C")
      $0.entries["c"] = CatalogEntry(translations: ["de": Translation("N")])
    }
    let explaining = { (key: UnitKey, language: LocaleIdentifier) in language == "de" && ["b", "c"].contains(key.text) }
    try #require(try Self.isExplained(new, explaining))
    // The ranges that the two explained changes may modify: "de" of b, and all of c.
    let text = String(decoding: new, as: UTF8.self)
    let free = [
      try Self.range(of: "\"de\" : {", to: "\"fr\" : {", in: text),
      try Self.range(of: "\"c\" : {", to: "\"d\" : {", in: text),
    ]
    for offset in new.indices where !free.contains(where: { $0.contains(offset) }) {
      for mutation in 0..<4 {
        var bytes = new
        switch mutation {
        case 0: bytes[offset] ^= 1
        case 1: bytes[offset] = 0x20
        case 2: bytes.remove(at: offset)
        default: bytes.insert(bytes[offset], at: offset)
        }
        guard bytes != new else { continue }
        #expect(try !Self.isExplained(bytes, explaining), "offset \(offset), mutation \(mutation)")
      }
    }
  }

  @Test("a duplicate key in the file or in an entry is never explained")
  func duplicates() throws {
    let new = String(
      decoding: try Self.edited { $0.entries["c"] = CatalogEntry(translations: ["de": Translation("N")]) },
      as: UTF8.self)
    for (old, other) in [
      ("\"c\" : {", "\"b\" : {"), ("\"c\" : {", "\"\\u0062\" : {"),
      ("\"value\" : \"N\"", "\"value\" : \"N\", \"value\" : \"M\""),
    ] {
      #expect(new.contains(old))
      #expect(try !Self.isExplained(Array(new.replacing(old, with: other, maxReplacements: 1).utf8)) { _, _ in true })
    }
  }

  /// Returns the range from the comma and white space before one text up to the beginning of another text.
  private static func range(of start: String, to end: String, in text: String) throws -> Range<Int> {
    let first = try #require(text.firstRange(of: start)).lowerBound
    let last = try #require(text.firstRange(of: end)).lowerBound
    let lower = text.utf8.distance(from: text.startIndex, to: first)
    let upper = text.utf8.distance(from: text.startIndex, to: last)
    let before = Array(text.utf8)[..<lower].lastIndex { ![0x20, 0x0A, UInt8(ascii: ",")].contains($0) } ?? lower
    return (before + 1)..<upper
  }
}
