import Localization
import Pipeline
import Testing

@testable import Daemon

@Suite struct VendorOrderFaultTests {
  private static let head = "pipeline: a\nrepository: { url: a }\nvendors:\n"
  private static let agency = "  - { vendor: folder, name: agency, path: b }\n"

  @Test("`fallback`, `patience` and `then` are read, and a vendor that only follows others needs no languages")
  func read() throws {
    let definition = try DaemonTests.read(
      Self.head + "  - { vendor: folder, path: a, fallback: agency, patience: 90m, then: people }\n" + Self.agency
        + "  - { vendor: folder, name: people, path: c }\n")
    let first = definition.vendors[0]
    #expect(first.fallback == "agency" && first.patience == .seconds(5400) && first.then == "people")
    #expect(definition.vendors[1].fallback == nil && definition.vendors[1].patience == .seconds(6 * 3600))
  }

  @Test("unknown vendors, cycles of vendors, and wrong values of `patience` and `units` are reported")
  func faults() {
    func places(_ vendors: String...) -> [String] {
      DaemonTests.places(Self.head + vendors.map { "  - { vendor: folder, \($0) }\n" }.joined())
    }
    #expect(
      places("path: a, then: agncy", "name: agency, path: b, languages: [de]")
        == ["4:38 vendors[0].then: no vendor is named \"agncy\"; did you mean `agency`?"])
    #expect(places("name: a, path: a, fallback: a").map { $0.contains("leads back") } == [true])
    #expect(
      places("name: a, path: a, languages: [de], then: b", "name: b, path: b, then: a").filter {
        $0.contains("leads back")
      }.count == 2)
    // Only cycles of one key are refused: `b` may follow `a` with `then` while `a` follows `b` with `fallback`.
    #expect(places("name: a, path: a, languages: [de], then: b", "name: b, path: b, fallback: a").isEmpty)
    #expect(
      places("name: a, path: a, languages: [de], units: all, then: b", "name: b, path: b").first?.contains("units: all")
        == true)
    #expect(places("path: a, patience: 2h").first?.hasSuffix("has no effect without `fallback`") == true)
    #expect(places("path: a, fallback: b, patience: 2s", "name: b, path: b").first?.contains("too short") == true)
  }

  @Test("two languages with the same code are refused at a platform but accepted at a translation engine")
  func codes() {
    func places(_ languages: String, _ vendors: String...) -> [String] {
      DaemonTests.places(
        "pipeline: a\nrepository: { url: a }\nlanguages: [\(languages)]\nvendors:\n"
          + vendors.map { "  - { \($0) }\n" }.joined())
    }
    let lokalise = "vendor: lokalise, project: p, credentials: env:T"
    #expect(
      places("de, fr", lokalise + ", locales: { de: de, fr: de }") == [
        "5:5 vendors[0]: de and fr have the same code de at lokalise, so one would get the translations of the other"
      ])
    #expect(places("de, fr", lokalise + ", locales: { fr: DE }").count == 1)
    #expect(places("zh-Hant, zh-TW", lokalise).count == 1)
    #expect(places("zh-Hant, zh-TW", lokalise + ", locales: { zh-Hant: zh_Hant }").isEmpty)
    #expect(
      places("zh-Hant, zh-TW", lokalise + ", languages: [zh-TW]", "vendor: folder, path: b").isEmpty)
    #expect(
      places("zh-Hant, zh-TW", lokalise, "vendor: folder, path: b, languages: [zh-Hant]").isEmpty)
    #expect(places("de, fr", "vendor: deepl, credentials: env:T, locales: { fr: de }").isEmpty)
  }

  @Test("at least one screenshot folder is required, and `repository` must be a path in the repository")
  func screenshots() throws {
    #expect(try DaemonTests.read(leastFile).screenshots == nil)
    let both = "screenshots: { repository: App/Shots, folder: /srv/shots }\n"
    #expect(
      try DaemonTests.read(leastFile + both).screenshots
        == ScreenshotSettings(repository: "App/Shots", folder: "/srv/shots"))
    for (settings, fault) in [
      ("{}", "names no folder"), ("{ repository: /Shots }", "is not a path"),
      ("{ repository: ../Shots }", "is not a path"),
      ("{ url: x }", "url"),
    ] {
      #expect(places(leastFile + "screenshots: \(settings)\n").contains { $0.contains(fault) }, "\(settings)")
    }
  }

  @Test("the glossary is read, and its file is required")
  func glossary() throws {
    #expect(try DaemonTests.read(leastFile).glossary == nil)
    #expect(
      try DaemonTests.read(leastFile + "glossary: { file: /t.tbx, missing: hold }\n").glossary
        == GlossarySettings(file: "/t.tbx", missing: .hold))
    #expect(places(leastFile + "glossary: {}\n").first?.contains("`file` is missing") == true)
  }

  @Test("the translation memory is read with its name")
  func memory() throws {
    #expect(try DaemonTests.read(leastFile).memory == nil)
    #expect(try DaemonTests.read(leastFile + "memory: {}\n").memory == MemorySettings())
    #expect(
      try DaemonTests.read(leastFile + "memory: { files: [a.tmx, /b.tmx], state: translated }\n").memory
        == MemorySettings(files: ["a.tmx", "/b.tmx"], arrivesTranslated: true))
    #expect(places(leastFile + "memory: { state: done }\n").first?.contains("is not known") == true)
    #expect(
      places(Self.head + "  - { vendor: folder, name: memory, path: a }\nmemory: {}\n").map {
        $0.contains("this name is reserved for the translation memory")
      } == [true])
  }
}
