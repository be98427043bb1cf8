import Localization
import Pipeline
import Testing

@testable import Daemon

@Suite struct SectionFaultTests {
  @Test("missing required keys are reported")
  func missing() {
    #expect(
      places("catalogs: leave\n") == [
        "1:1 the file: the key `pipeline` is missing", "1:1 the file: the key `repository` is missing",
        "1:1 the file: the key `vendors` is missing",
      ])
    #expect(
      places("pipeline: a\nrepository: {}\nvendors: [{}, { vendor: folder }]\n") == [
        "2:13 repository: the key `url` is missing", "3:11 vendors[0]: the key `vendor` is missing",
        "3:15 vendors[1]: the key `path` is missing",
      ])
    #expect(places("pipeline: a\nrepository: { url: a }\nvendors: []\n") == ["3:10 vendors: is an empty list"])
  }

  @Test("the hint for a YAML file without a pipeline name says that it may not be a pipeline file")
  func otherYAML() {
    let found = faults("codecov:\n  notify: false\n").filter { $0.message.contains("is missing") }
    #expect(found.count == 3)
    #expect(found.first?.hint?.contains("if this is not a pipeline file, name the pipeline files") == true)
    #expect(found.dropFirst().map(\.hint) == ["add it", "add it"])
  }

  @Test("a required key that is misspelled is reported once")
  func misspelt() {
    #expect(
      places(leastFile.replacing("vendors:", with: "vendor:")) == ["4:1 vendor: unknown key; did you mean `vendors`?"])
    let unknown = faults(leastFile + "password: hunter2\n")
    #expect(unknown.map(\.message) == ["password: unknown key"])
    #expect(unknown.first?.hint?.hasPrefix("known here: pipeline, repository,") == true)
  }

  @Test(
    "a section with a value of the wrong type is reported once",
    arguments: ["extract", "rounds", "deliver"], ["text", "[list]", ""])
  func sections(_ key: String, _ value: String) {
    let found = places(leastFile + "\(key): \(value)\n")
    #expect(found.count == 1)
    #expect(found.first?.contains(value.isEmpty ? "\(key): has no value" : "expected ") == true, "\(found)")
  }

  @Test("a language can have only one vendor, and only one vendor may omit its languages")
  func vendorLanguages() {
    let head = "pipeline: a\nrepository: { url: a }\nvendors:\n"
    #expect(
      places(head + "  - { vendor: pseudo, languages: [de] }\n  - { vendor: folder, languages: [fr, DE], path: a }\n")
        == ["5:39 vendors[1].languages[1]: vendors[0] already has DE"])
    #expect(
      places(head + "  - { vendor: folder, path: a }\n  - { vendor: folder, path: b }\n")
        == [
          "5:5 vendors[1]: `languages` is missing, but vendors[0] already receives all remaining languages"
        ])
    #expect(
      places(head + "  - { vendor: folder, path: a }\n  - { vendor: folder, path: ./a/, languages: [de] }\n")
        == ["5:29 vendors[1].path: vendors[0] has the same location"])
    #expect(
      places(head + "  - { vendor: pseudo }\n  - { vendor: pseudo, languages: [de] }\n")
        == ["5:5 vendors[1]: vendors[0] has the same location"])
    #expect(places(head + "  - { vendor: folder, path: a }\n  - { vendor: pseudo, languages: [de] }\n") == [])
  }

  @Test(
    "vendors without a name that would have the same name are reported, and names make them different",
    arguments: [
      ("vendor: phrase, project: p", "branch: a", "branch: b", "phrase:p"),
      ("vendor: tolgee, project: 1", "url: 'https://a.example.com'", "url: 'https://b.example.com'", "tolgee:1"),
      ("vendor: crowdin, project: 1", "branch: a", "branch: b", "crowdin:1"),
      (
        "vendor: weblate, project: p", "url: 'https://w.example.com/a'", "url: 'https://w.example.com/b'",
        "weblate:w.example.com/p"
      ),
    ])
  func defaultNames(_ vendor: String, _ one: String, _ other: String, _ name: String) {
    func found(_ first: String = "", _ second: String = "") -> [String] {
      places(
        """
        pipeline: a
        repository: { url: a }
        vendors:
          - { \(vendor), credentials: "env:T", \(one), languages: [de]\(first) }
          - { \(vendor), credentials: "env:T", \(other), languages: [fr]\(second) }

        """)
    }
    #expect(found() == ["5:5 vendors[1]: this vendor and vendors[0] would both have the name \(name)"])
    #expect(found(", name: x", ", name: y") == [] && found("", ", name: y") == [])
  }

  @Test("a given name that is the default name of another vendor is reported")
  func givenDefaultName() {
    let text = """
      pipeline: a
      repository: { url: a }
      vendors:
        - { vendor: pseudo, languages: [de] }
        - { vendor: folder, path: b, name: pseudo, languages: [fr] }

      """
    #expect(places(text) == ["5:5 vendors[1]: this vendor and vendors[0] would both have the name pseudo"])
  }

  @Test("two vendors can share a language if the first is limited to some catalogs, and patterns and names are checked")
  func vendorCatalogs() {
    let head = "pipeline: a\nrepository: { url: a }\nvendors:\n"
    let (first, second) = ("  - { vendor: folder, path: a, ", "  - { vendor: folder, path: b, languages: [de] }\n")
    #expect(places(head + first + "languages: [de], tables: [Legal] }\n" + second) == [])
    #expect(places(head + first + "catalogs: [App] }\n  - { vendor: folder, path: b }\n") == [])
    #expect(
      places(head + second + "  - { vendor: folder, path: a, tables: [Legal], languages: [de] }\n")
        == ["5:61 vendors[1].languages[0]: vendors[0] already has de"])
    #expect(
      places(head + first + "tables: [Legal.xcstrings] }\n")
        == [#"4:41 vendors[0].tables[0]: "Legal.xcstrings" has an ending"#])
    #expect(
      places(head + first + "catalogs: [] }\n")
        == ["4:42 vendors[0].catalogs: is an empty list, so the vendor would get nothing"])
    #expect(
      places(head + first + "catalogs: [../App] }\n")
        == [#"4:43 vendors[0].catalogs[0]: "../App" is not a path below the repository's root"#])
  }

  @Test("if the list of languages is invalid, the languages of vendors are not reported as missing from it")
  func unreadLanguages() {
    let text = leastFile.replacing("pseudo", with: "{}") + "languages: [de, f]\n"
    #expect(!places(text).contains { $0.contains("is not one of") })
    #expect(
      places("languages: [de, f]\n" + leastFile.replacing("pseudo\n", with: "pseudo\n    languages: [fr]\n"))
        == [#"1:17 languages[1]: "f" is not a language"#])
  }

  @Test("keys without effect are reported")
  func meaningless() {
    for key in ["settle: 2s", "path: a", "credentials: none"] {
      let found = places(leastFile.replacing("pseudo\n", with: "pseudo\n    \(key)\n"))
      #expect(found.count == 1 && found[0].contains("the vendor pseudo has no such key"), "\(found)")
    }
    #expect(
      places(leastFile + "deliver: { mode: push, branch: a }\n")
        == ["6:32 deliver.branch: has no effect with `mode: push`, which delivers to the watched branch"])
  }

  @Test("a delivery branch is refused if git does not allow its name or the pipeline watches it")
  func deliveredBranches() {
    let two = leastFile.replacing("birds.git", with: "birds.git\n  branches: [main, l12n/x]")
    #expect(
      places(two + "deliver: { branch: translations }\n")
        == [#"7:20 deliver.branch: "translations" would receive the translations of several branches"#])
    #expect(
      places(two + "deliver: { branch: \"l12n/{branch}\" }\n")
        == [#"7:20 deliver.branch: "l12n/{branch}" is or includes "l12n/x", so that branch would never be watched"#])
    let pattern = leastFile.replacing("birds.git", with: "birds.git\n  branches: [main, \"release/*\", \"*/next\"]")
    #expect(
      places(pattern + "deliver: { branch: \"release/{branch}\" }\n")
        == [
          #"7:20 deliver.branch: "release/{branch}" includes every branch that matches "release/*", so none of them would "#
            + "ever be watched"
        ])
    let one = leastFile.replacing("birds.git", with: "birds.git\n  branches: [main]")
    #expect(places(one + "deliver: { branch: translations }\n") == [])
    // Git cannot have a branch below another branch.
    #expect(
      places(one + "deliver: { branch: \"{branch}/l10n\" }\n").map { $0.contains("is below the watched branch") } == [
        true
      ])
    for template in ["main/l10n", "main/{branch}"] {
      #expect(
        places(one + "deliver: { branch: \"\(template)\" }\n").first?
          .contains(
            "git cannot have both main/\(template.hasPrefix("main/l") ? "l10n" : "main") and the watched branch main")
          == true)
    }
    let below = leastFile.replacing("birds.git", with: "birds.git\n  branches: [release/1]")
    #expect(
      places(below + "deliver: { branch: release }\n").first?
        .contains("git cannot have both release and the watched branch release/1") == true)
  }

  @Test("every known key is read, because a wrong type of its value is reported with its key path")
  func everyKeyIsRead() {
    for section in PipelineKeys.sections { expectAllRead(section) }
  }

  private func expectAllRead<Key: SectionKey>(_ type: Key.Type) {
    for key in Key.allCases {
      let inner = "\(key.rawValue): { what: [] }"
      let path = Key.keyPath.replacing("[]", with: "[0]")
      let text: String
      switch Key.keyPath {
      case "": text = inner + "\n"
      case let list where list.hasSuffix("[]"): text = "\(list.dropLast(2)): [{ \(inner) }]\n"
      default: text = "\(Key.keyPath): { \(inner) }\n"
      }
      let wanted = path.isEmpty ? key.rawValue : "\(path).\(key.rawValue)"
      #expect(faults(text).contains { $0.message.hasPrefix(wanted) }, "\(wanted): \(places(text))")
    }
  }
}
