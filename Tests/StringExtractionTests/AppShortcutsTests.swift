import Localization
import StringExtraction
import Testing

@Suite struct AppShortcutsTests {
  static let source = #"""
    import AppIntents
    struct TrailShortcuts: AppShortcutsProvider {
      static var appShortcuts: [AppShortcut] {
        AppShortcut(
          intent: Track(),
          phrases: ["Track my \(\.$style) in \(.applicationName)", "100% \(.applicationName)"],
          shortTitle: "Start",
          systemImageName: "no",
          parameterPresentation: ParameterPresentation(
            for: \.$style, summary: Summary("Get \(\.$style)"),
            optionsCollections: { OptionsCollection(StyleQuery(), title: "Styles", systemImageName: "no") }))
      }
      static var negativePhrases: [NegativeAppShortcutPhrase] { NegativeAppShortcutPhrases { "Stop \(.applicationName)" } }
    }
    """#

  private func strings(tables: [String: TreePath]) throws -> [ExtractedString] {
    var fixture = ExtractionFixture(["A.swift": Self.source])
    for index in fixture.project.targets.indices { fixture.project.targets[index].catalogs = tables }
    return try fixture.extract().strings
  }

  @Test("the phrases of an App Shortcut are one string in AppShortcuts.xcstrings, with the first phrase as key")
  func set() throws {
    let found = try strings(
      tables: ["Localizable": "Localizable.xcstrings", "AppShortcuts": "AppShortcuts.xcstrings"])
    #expect(
      found.map { "\($0.catalog): \($0.key.text)" } == [
        "AppShortcuts.xcstrings: Track my ${style} in ${applicationName}", "Localizable.xcstrings: Start",
        "Localizable.xcstrings: Styles",
      ])
    #expect(found.first?.phrases == ["Track my ${style} in ${applicationName}", "100% ${applicationName}"])
    #expect(found.map(\.origin) == [.appShortcuts, .swift, .swift])
  }

  @Test("each phrase is a key in AppShortcuts.strings")
  func keys() throws {
    let found = try strings(tables: ["AppShortcuts": "en.lproj/AppShortcuts.strings"])
    #expect(
      found.filter { $0.table == "AppShortcuts" }.map(\.key.text) == [
        "100% ${applicationName}", "Track my ${style} in ${applicationName}",
      ])
  }

  @Test("phrases are skipped if the target has no table AppShortcuts")
  func nowhere() throws {
    #expect(try strings(tables: ["Localizable": "Localizable.xcstrings"]).map(\.key.text) == ["Start", "Styles"])
  }
}
