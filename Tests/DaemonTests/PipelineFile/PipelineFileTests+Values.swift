import Foundation
import Localization
import Pipeline
import Testing

@testable import Daemon

/// Requirements, fallbacks, durations and misspelled keys in pipeline files.
extension PipelineFileTests {
  @Test("`require` is read as a percentage, or as percentages for languages and a default")
  func requirements() throws {
    #expect(
      try read(leastFile + "require: 95\n").require == [CompletionRequirement(language: nil, needed: Percentage(95))])
    #expect(
      try read(leastFile + "languages: [de, fr]\nrequire: { de: 100, default: 95 }\n").require == [
        CompletionRequirement(language: "de", needed: Percentage(100)),
        CompletionRequirement(language: nil, needed: Percentage(95)),
      ])
  }

  @Test("a percentage can have decimals, as on the command line")
  func decimals() throws {
    let needed = try read(leastFile + "require: { default: 99.95, catalogs: { \"App/**\": 99.000001 } }\n").require
      .map(\.needed)
    #expect(needed == ["99.95", "99.000001"].compactMap { Percentage($0) } && needed.count == 2)
  }

  @Test("a branch pattern with a plain percentage is refused, and the hint shows the correct mapping")
  func branchPercentage() {
    let found = faults(leastFile + "require: { \"release/*\": 99.5 }\n")
    #expect(found.map(\.hint) == [#"write "release/*": { default: 99.5 }"#])
  }

  @Test("the requirements of all patterns that match a branch are added in the order of the file")
  func branchRequirements() throws {
    let definition = try read(
      leastFile + """
        require:
          "release/*": { default: 100 }
          default: 80
          "**": { de: 90 }
          release/1.0: { de: 95 }

        """)
    let required = { (branch: String) in
      definition.requirements(on: branch).map {
        "\($0.language?.rawValue ?? "default") \($0.needed.millionths / 1_000_000)"
      }
    }
    #expect(required("main") == ["default 80", "de 90"])
    #expect(required("release/2.0") == ["default 80", "default 100", "de 90"])
    #expect(required("release/1.0") == ["default 80", "default 100", "de 90", "de 95"])
  }

  @Test("a branch's default raises lower requirements of languages that the branch does not list")
  func branchRequiresMore() throws {
    let definition = try read(
      leastFile + """
        require:
          "release/*": { default: 95, fr: 50 }
          de: 10
          it: 100
          fr: 60

        """)
    let required = { (branch: String) in
      definition.requirements(on: branch).map { "\($0.language?.rawValue ?? "default") \($0.needed)" }.sorted()
    }
    #expect(required("main") == ["de 10 %", "fr 60 %", "it 100 %"])
    #expect(required("release/1") == ["de 95 %", "default 95 %", "fr 50 %", "fr 95 %", "it 100 %"])
    #expect(definition.requirements(on: "release/1").last { $0.language == "fr" }?.needed == Percentage(50))
  }

  @Test("fallbacks, and requirements of single catalogs, are read")
  func fallbacks() throws {
    let definition = try read(
      leastFile + """
        fallbacks: { es-MX: [es-419, es] }
        require: { default: 90, catalogs: { "App/**": { de: 100, default: 95 }, "Kit/Localizable.xcstrings": 100 } }

        """)
    #expect(definition.fallbacks.chains == ["es-MX": ["es-419", "es"]])
    #expect(
      definition.require == [
        CompletionRequirement(language: nil, needed: Percentage(90)),
        CompletionRequirement(language: "de", needed: Percentage(100), catalogs: PathPattern("App/**")),
        CompletionRequirement(language: nil, needed: Percentage(95), catalogs: PathPattern("App/**")),
        CompletionRequirement(
          language: nil, needed: Percentage(100), catalogs: PathPattern("Kit/Localizable.xcstrings")),
      ])
  }

  @Test(
    "durations such as 1h30m are read",
    arguments: [
      ("0", 0), ("500ms", 500), ("10s", 10_000), ("2m", 120_000), ("1h30m", 5_400_000), ("1h1m1s1ms", 3_661_001),
    ])
  func durations(_ text: String, _ milliseconds: Int) {
    #expect(DurationText.duration(text) == .milliseconds(milliseconds))
  }

  @Test(
    "texts in another notation are not read as durations",
    arguments: ["", "5", "s", "-2m", "2 m", "30m1h", "1m1m", "1.5h", "2d", "9999999999s", "999999999h", "1h٣m", "ms5"])
  func noDurations(_ text: String) { #expect(DurationText.duration(text) == nil) }

  @Test(
    "a misspelled key is reported with a known key of similar spelling",
    arguments: [
      ("brnaches", "branches"), ("Branches", "branches"), ("poll_", "poll"), ("credential", "credentials"),
      ("password", nil), ("", nil), ("xy", nil),
    ])
  func nearest(_ text: String, _ name: String?) {
    #expect(NearestName.nearest(to: text, among: RepositoryKey.allCases.map(\.rawValue)) == name)
  }
}
