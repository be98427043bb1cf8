import CatalogFormats
import Localization
import Testing

@Suite struct ChangeAuditTests {
  private static let format = StringCatalogFormat()
  private static let base = """
    {
      "sourceLanguage" : "en",
      "strings" : {
        "a" : {
          "localizations" : {
            "de" : {
              "stringUnit" : {
                "state" : "translated",
                "value" : "A"
              }
            },
            "fr" : {
              "stringUnit" : {
                "state" : "translated",
                "value" : "A"
              }
            }
          }
        },
        "b" : {

        }
      },
      "version" : "1.0"
    }
    """

  private func audit(
    _ new: String, allowing: ChangeAudit.Allowance = .translations,
    _ explaining: @escaping (UnitKey, LocaleIdentifier) -> Bool
  ) throws -> [String] {
    try ChangeAudit.unexplainedChanges(
      from: Array(Self.base.utf8), to: Array(new.utf8), at: "x.xcstrings", explaining: explaining, allowing: allowing
    ).map(\.message)
  }

  private func edited(_ change: (inout Catalog) -> Void) throws -> String {
    var catalog = try Self.format.read(Array(Self.base.utf8), at: "x.xcstrings")
    change(&catalog)
    return String(decoding: try Self.format.write(catalog, over: Array(Self.base.utf8)), as: UTF8.self)
  }

  @Test("changed, added and removed translations pass only if a unit explains them")
  func languages() throws {
    let new = try edited {
      $0.entries["a"]?.translations["de"] = Translation("B", state: .machineTranslated)
      $0.entries["a"]?.translations["fr"] = nil
      $0.entries["b"]?.translations["uk"] = Translation("Б")
    }
    #expect(try audit(new) { _, _ in true } == [])
    #expect(
      try audit(new) { key, language in language != "uk" } == [
        "the key \"b\" changed in 'uk', although no returned unit changes it"
      ])
    #expect(try audit(new) { _, _ in false }.count == 3)
    #expect(try audit(new, allowing: []) { _, _ in true }.count == 1)
  }

  @Test("a new entry passes only if units explain its translations")
  func entries() throws {
    let new = try edited {
      $0.entries["c"] = CatalogEntry(comment: "x", translations: ["en": Translation("C"), "de": Translation("C")])
    }
    #expect(try audit(new) { key, _ in key == "c" } == [])
    #expect(try audit(new) { _, language in language == "en" }.count == 1)
    #expect(try audit(new, allowing: .raisedVersion) { _, _ in true }.count == 1)
    #expect(try audit(try edited { $0.entries["c"] = CatalogEntry() }) { _, _ in true }.count == 1)
    #expect(try audit(try edited { $0.entries["b"] = nil }) { _, _ in true }.count == 1)
  }

  @Test(
    "every change outside translations is found, even if all units are explained",
    arguments: [
      (base + "\n"), base.replacing("\"en\"", with: "\"de\""), base.replacing("\"1.0\"", with: "\"0.9\""),
      base.replacing(" : {\n\n    }", with: ": {}"),
      base.replacing("    \"b\" : {\n\n", with: "    \"b\" : {\n      \"comment\" : \"x\"\n"),
      base.replacing("\n    \"b\"", with: "\n     \"b\""),
    ])
  func others(new: String) throws {
    #expect(new != Self.base)
    #expect(try audit(new) { _, _ in true }.count == 1)
  }

  @Test("every single-byte change outside the explained translation is found")
  func everyByte() throws {
    let bytes = Array(Self.base.utf8)
    // The line break before a language is part of the language's range.
    let range = try #require(Self.base.firstRange(of: "\n        \"fr\""))
    let end = try #require(Self.base[range.upperBound...].firstRange(of: "\n        }"))
    let allowed =
      Self.base.utf8.distance(
        from: Self.base.startIndex, to: range.lowerBound)..<Self.base.utf8.distance(
        from: Self.base.startIndex, to: end.upperBound)
    let version = try #require(Self.base.firstRange(of: "1.0"))
    let digit = Self.base.utf8.distance(from: Self.base.startIndex, to: version.upperBound) - 1
    for index in bytes.indices where !allowed.contains(index) && index != digit {
      var changed = bytes
      changed[index] = bytes[index] == 0x20 ? 0x09 : bytes[index] == 0x0A ? 0x20 : bytes[index] ^ 1
      // The audit also fails if the changed file can no longer be read.
      let found =
        (try? ChangeAudit.unexplainedChanges(from: bytes, to: changed, at: "x.xcstrings") { $0 == "a" && $1 == "fr" }
          .count) ?? 1
      #expect(found > 0, "byte \(index)")
    }
  }
}
