import Localization
import StringExtraction
import Testing

/// The Swift symbols that Xcode 26 generates for `manual` keys, and their uses in `extract --why`.
@Suite("Generated symbols")
struct GeneratedSymbolTests {
  private static let source = #"""
    import SwiftUI
    enum Mood { case welcome, other }
    func take(_ mood: Mood) {}
    func show(_ text: LocalizedStringResource) {}
    struct V: View {
      @State private var mood = Mood.welcome
      let title: LocalizedStringResource = .welcomeTitle
      var body: some View {
        Text(.welcome)
        Button(.welcome) { take(.welcome) }.help(mood == .welcome ? .welcome : .other)
        Text(.active(3)).navigationTitle(.Birds.welcome)
        Text(.snapsList)
      }
      func other() -> String {
        switch mood { case .welcome: break; default: mood = .welcome }
        show(.welcome)
        return String(localized: LocalizedStringResource.welcome)
      }
      func birds() -> String { String(localized: LocalizedStringResource.Birds.welcome) + String(localized: .Fish.welcome) }
    }
    """#

  private func ask(
    _ key: String, in table: String = "Localizable", state: ExtractionState? = .manual, setting: String? = nil
  ) throws -> KeyExplanation {
    var fixture = ExtractionFixture(["A.swift": Self.source])
    if let setting {
      fixture.project.targets[0].configurations = [
        BuildConfiguration(
          name: "Debug",
          settings: [
            "STRING_CATALOG_GENERATE_SYMBOLS": BuildSetting(value: setting, path: "A", line: 1, column: 1),
            "SWIFT_EMIT_LOC_STRINGS": BuildSetting(value: "YES", path: "A", line: 1, column: 1),
          ])
      ]
    }
    let path = TreePath(trusted: table + ".xcstrings")
    fixture.existing[path] = Catalog(
      path: path, sourceLanguage: "en", entries: [UnitKey(key): CatalogEntry(extractionState: state)])
    return try KeyExplanation(
      key, in: fixture.project, from: fixture.tree, existing: fixture.existing, extraction: fixture.extract(),
      options: fixture.options, cache: nil)
  }

  private func lines(_ explanation: KeyExplanation) -> [Int] { explanation.sites.map(\.line) }

  @Test("a member of LocalizedStringResource uses the key of its symbol; an enum case with the same name does not")
  func uses() throws {
    let explanation = try ask("welcome")
    #expect(lines(explanation) == [9, 10, 10, 16, 17])
    #expect(explanation.sites.map(\.column) == [10, 12, 65, 10, 30])
    #expect(explanation.sites.allSatisfy { $0.strings.map(\.catalog) == ["Localizable.xcstrings"] })
    #expect(explanation.sites.allSatisfy { $0.reason.contains("symbol") && $0.advice == nil })
    #expect(explanation.holdings.isEmpty && explanation.nearMisses.isEmpty)
  }

  @Test("a symbol's name consists of the letters of its key, without specifiers and punctuation")
  func names() throws {
    #expect(try lines(ask("welcome.title")) == [7])
    #expect(try lines(ask("WELCOME_TITLE")) == [7])
    #expect(try lines(ask("%lld active")) == [11])
    #expect(try lines(ask("%(count)lld active %#@days@")) == [11])
    #expect(try lines(ask("Snap’s list…")) == [12])
    #expect(try lines(ask("welcome titles")) == [])
    #expect(try lines(ask("%lld – %@")) == [])
  }

  @Test("the symbols of a named table are in an enum with the table's name")
  func tables() throws { #expect(try lines(ask("welcome", in: "Birds")) == [11, 19]) }

  @Test("keys that are not manual, and keys of a target that generates no symbols, have no symbol")
  func conditions() throws {
    #expect(try ask("welcome", state: .extractedWithValue).sites.isEmpty)
    let none = try ask("welcome", setting: "NO")
    #expect(none.sites.isEmpty)
    #expect(none.holdings.map(\.state) == [.manual])
    #expect(try lines(ask("welcome", setting: "YES")) == [9, 10, 10, 16, 17])
  }
}
