import Localization
import Pipeline
import Testing

@testable import Daemon

/// New pipeline files, and languages that are added to an existing file.
struct PipelineFileTextTests {
  @Test(
    "a new file has the requested values, whatever characters they contain",
    arguments: [
      ("birds", "https://git.example.com/birds.git", "main", "translations/birds"),
      ("b-1.0", "git@github.com:a/b.git", "release/1.0", "/srv/a b: \"c\" \\d #e"),
      ("null", "/srv/null", "yes", "true"), ("1.5", "C:/x", "1.5", "- x"), ("a", "/srv/übung/日本.git", "übung", "~"),
    ])
  func new(_ name: String, _ url: String, _ branch: String, _ folder: String) throws {
    let text = PipelineFileText.new(name: name, url: url, branch: branch, languages: ["de", "no"], folder: folder)
    guard !url.hasPrefix("C:") else { return }
    let definition = try PipelineFile.read(Array(text.utf8), at: "p.yaml")
    #expect(definition.name == name && definition.repository.url == url)
    #expect(definition.repository.branches == [BranchPattern(branch)])
    #expect(definition.languages == ["de", "no"])
    // Without quotes, other YAML readers would read `no` as a boolean.
    #expect(text.contains("languages: [de, \"no\"]"), "\(text)")
    #expect(definition.vendors.first?.options["path"] == .text(folder))
  }

  private func added(
    _ lines: String, language: LocaleIdentifier = "uk", others: [LocaleIdentifier] = []
  ) throws -> String? {
    let text = leastFile + lines
    let definition = try PipelineFile.read(Array(text.utf8), at: "p.yaml")
    return PipelineFileText.adding(language, to: text, of: definition, otherwise: others).map { result in
      String(result.dropFirst(result.hasPrefix(leastFile) ? leastFile.count : 0))
    }
  }

  @Test(
    "a language is added in the list's notation, and nothing else changes",
    arguments: [
      ("languages: [de, fr]  # two\n", "languages: [de, fr, uk]  # two\n"),
      ("languages: [ de ]\n", "languages: [ de, uk ]\n"),
      ("languages: [de,]\n", "languages: [de, uk]\n"),
      (
        "languages:\n  - de\n  # French\n  - fr\n\nrequire: 95\n",
        "languages:\n  - de\n  # French\n  - fr\n  - uk\n\nrequire: 95\n"
      ),
      ("languages:\n- de\nrequire: 95", "languages:\n- de\n- uk\nrequire: 95"),
    ])
  func lists(_ before: String, _ after: String) throws {
    #expect(try added(before) == after)
    // The result is the same in a file with Windows line endings.
    let file = { (text: String) in (leastFile + text).replacing("\n", with: "\r\n") }
    let definition = try PipelineFile.read(Array(file(before).utf8), at: "p.yaml")
    #expect(PipelineFileText.adding("uk", to: file(before), of: definition, otherwise: []) == file(after))
  }

  @Test("a language that YAML reads as a boolean is quoted")
  func truthValue() throws {
    #expect(try added("languages: [de]\n", language: "no") == "languages: [de, \"no\"]\n")
    #expect(try added("languages:\n- de\n", language: "no") == "languages:\n- de\n- \"no\"\n")
    let text = try #require(try added("", language: "de", others: ["no"]))
    #expect(text.contains("\nlanguages: [\"no\", de]\nvendors:"), "\(text)")
  }

  @Test("a file without any languages gets a list with the project's languages and the new language")
  func noList() throws {
    let text = try #require(try added("", others: ["de", "fr"]))
    #expect(text.contains("\nlanguages: [de, fr, uk]\nvendors:"), "\(text)")
    let windows = leastFile.replacing("\n", with: "\r\n")
    let definition = try PipelineFile.read(Array(windows.utf8), at: "p.yaml")
    let result = PipelineFileText.adding("uk", to: windows, of: definition, otherwise: ["de"])
    #expect(result == windows.replacing("vendors:", with: "languages: [de, uk]\r\nvendors:"))
  }

  @Test("a file without `languages` gets a list with its vendors' languages and the new language")
  func vendorLanguages() throws {
    let text = """
      pipeline: p
      repository: { url: /srv/p.git }
      vendors:
        - { vendor: pseudo, languages: [de] }
      """
    let definition = try PipelineFile.read(Array(text.utf8), at: "p.yaml")
    let result = try #require(PipelineFileText.adding("fr", to: text, of: definition, otherwise: []))
    #expect(result == text.replacing("vendors:", with: "languages: [de, fr]\nvendors:"))
  }

  @Test(
    "a list in an unusual notation is either left unchanged or changed correctly",
    arguments: [
      "languages: &all [de, fr]\nrequire: 95\n", "languages:\n  [de,\n  fr]\n", "\"languages\": [de]\n",
      "languages: [de, \"a]b\"]\n",
    ])
  func refused(_ lines: String) throws {
    let text = leastFile + lines
    guard let definition = try? PipelineFile.read(Array(text.utf8), at: "p.yaml") else { return }
    let result = PipelineFileText.adding("uk", to: text, of: definition, otherwise: [])
    guard let result else { return }
    // If the file was changed, it must have the right languages.
    #expect(try PipelineFile.read(Array(result.utf8), at: "p.yaml").languages == (definition.languages ?? []) + ["uk"])
  }
}
