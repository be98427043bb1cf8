import Foundation
import Localization
import Pipeline
import Testing

@testable import Daemon

@Suite struct PipelineFileTests {
  /// Returns the vendor `pseudo`. The vendor accepts any language. Its texts are not checked, because they are not in a real language.
  private static func pseudo(_ languages: [LocaleIdentifier]? = nil) -> VendorDefinition {
    var vendor = VendorDefinition(kind: "pseudo", languages: languages)
    (vendor.otherLanguage, vendor.checksTexts) = (.take, false)
    return vendor
  }

  @Test("a minimal file gets the defaults listed in pipelines.md")
  func defaults() throws {
    let definition = try read(leastFile)
    #expect(
      definition
        == PipelineDefinition(
          name: "birds", repository: RepositorySettings(url: "/srv/birds.git"),
          vendors: [Self.pseudo()]))
    #expect(definition.languages == nil)
    #expect(definition.repository.poll == nil)
    #expect(definition.catalogs == .leave)
    #expect(definition.vendors[0].options.isEmpty)
    #expect(definition.rounds.quiet == .seconds(600))
    #expect(definition.rounds.latest == .seconds(7200))
    #expect(definition.deliver.target(for: "main") == "l10n/main")
    #expect(definition.deliver.authorName == "Dragoman")
  }

  @Test("a file with all supported keys is read")
  func everything() throws {
    let definition = try read(
      """
      pipeline: backyard-birds
      repository:
        url: https://git.example.com/apps/backyard-birds.git
        branches: [main, "release/*"]
        credentials: env:BIRDS_GIT_TOKEN
        poll: 2m
        webhook: file:/run/secrets/hook
      extract:
        macros: [MFLocalizedString]
        exclude: ["Examples/**"]
      catalogs: commit
      languages: [de, fr, no, uk, pt-BR]
      vendors:
        - { vendor: pseudo, languages: [de, fr] }
        - vendor: folder
          languages: [uk, pt-BR]
          units: all
          settle: 0
          path: davs://drop.example.com/birds
          credentials: file:/run/secrets/drop
        - vendor: folder
          path: ./drop
          catalogs: ["App/**"]
          tables: [Localizable]
      rounds: { quiet: 1h30m, latest: 500ms, freeze: [] }
      deliver:
        mode: branch
        branch: translations/{branch}
        credentials: none
        author: "Dragoman & Co. <l10n@example.com>"
        when: complete
      require: 95
      notify: []

      """)
    let expected = PipelineDefinition(
      name: "backyard-birds",
      repository: RepositorySettings(
        url: "https://git.example.com/apps/backyard-birds.git",
        branches: [BranchPattern("main"), BranchPattern("release/*")],
        credentials: .environment("BIRDS_GIT_TOKEN"), poll: .seconds(120), webhook: .file("/run/secrets/hook")),
      extract: ExtractSettings(macros: ["MFLocalizedString"], exclude: ["Examples/**"]), catalogs: .commit,
      languages: ["de", "fr", "no", "uk", "pt-BR"],
      vendors: [
        Self.pseudo(["de", "fr"]),
        VendorDefinition(
          kind: "folder", languages: ["uk", "pt-BR"], units: .all, credentials: .file("/run/secrets/drop"),
          options: ["settle": .duration(.zero), "path": .text("davs://drop.example.com/birds")]),
        VendorDefinition(
          kind: "folder",
          scope: CatalogScope(catalogs: [PathPattern("App/**")].compactMap(\.self), tables: ["Localizable"]),
          options: ["path": .text("./drop")]),
      ],
      rounds: RoundSettings(quiet: .seconds(5400), latest: .milliseconds(500)),
      deliver: DeliverSettings(
        branch: "translations/{branch}", authorName: "Dragoman & Co.", authorEmail: "l10n@example.com", when: .complete),
      require: [CompletionRequirement(language: nil, needed: Percentage(95))])
    #expect(definition == expected)
  }

  @Test("a byte order mark, Windows line endings, comments and a document start are accepted")
  func dressing() throws {
    let text = "\u{FEFF}# birds\n---\n" + leastFile + "...\n"
    #expect(try read(text).name == "birds")
    #expect(try read(text.replacing("\n", with: "\r\n")).name == "birds")
    #expect(try read(leastFile.replacing("pseudo", with: "&kind pseudo") + "catalogs: leave\n").name == "birds")
  }

  @Test("ten faults are reported at once, each with its line, in the order of the file")
  func tenFaults() {
    let text = """
      pipeline: back yard/birds
      repository:
        url: gopher://git.example.com/birds.git
        branches: [main, "release/[12]"]
        credential: env:BIRDS_TOKEN
        poll: 2 minutes
      catalogs: comit
      languages: [de, pt_BR]
      vendors:
        - vendor: foldr
        - vendor: folder
          languages: de
          path: /srv/drop
          settle: soon
      deliver:
        author: Dragoman

      """
    #expect(
      places(text) == [
        #"1:11 pipeline: "back yard/birds" is not valid in file names"#,
        #"3:8 repository.url: "gopher://git.example.com/birds.git": repositories cannot be fetched over gopher"#,
        #"4:20 repository.branches[1]: "release/[12]" contains `[`; patterns support only *, ** and ?"#,
        "5:3 repository.credential: unknown key; did you mean `credentials`?",
        #"6:9 repository.poll: "2 minutes" is not a time"#,
        #"7:11 catalogs: unknown value "comit"; did you mean `commit`?"#,
        #"8:17 languages[1]: "pt_BR" is not a language"#,
        #"10:13 vendors[0].vendor: unknown vendor "foldr"; did you mean `folder`?"#,
        "12:16 vendors[1].languages: expected a list of languages, found a text",
        #"14:13 vendors[1].settle: "soon" is not a time"#,
        #"16:11 deliver.author: "Dragoman" is not an author"#,
      ])
    #expect(faults(text).allSatisfy { $0.hint != nil && $0.path == "birds.yaml" && $0.severity == .error })
    #expect(faults(text)[6].hint == "write pt-BR")
  }

  @Test("the complete example of pipelines.md is accepted")
  func example() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../docs/reference/pipelines.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let start = try #require(text.firstRange(of: "```yaml\n"))
    let end = try #require(text[start.upperBound...].firstRange(of: "```"))
    #expect(places(String(text[start.upperBound..<end.lowerBound])) == [])
  }
}
