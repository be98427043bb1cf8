import Localization
import Pipeline
import Testing

@testable import Daemon

/// A wrong value in a file that is otherwise valid.
struct WrongValue: Sendable, CustomTestStringConvertible {
  var key: String
  var value: String
  var message: String

  init(_ key: String, _ value: String, _ message: String) {
    self.key = key
    self.value = value
    self.message = message
  }

  var testDescription: String { "\(key): \(value)" }
}

@Suite struct ValueFaultTests {
  /// Returns a file with a folder vendor in which the key has this value.
  private func file(_ key: String, _ value: String) -> String {
    var sections: [(name: String, keys: [(String, String)])] = [
      ("", [("pipeline", "birds"), ("languages", "[de, fr]")]), ("repository", [("url", "/srv/birds.git")]),
      ("extract", []),
      ("vendors", [("vendor", "folder"), ("path", "drop")]), ("rounds", []), ("deliver", []),
    ]
    let parts = key.split(separator: ".").map(String.init)
    let section = parts.count == 1 ? "" : parts[0]
    let name = parts[parts.count - 1]
    for index in sections.indices where sections[index].name == section {
      sections[index].keys.removeAll { $0.0 == name }
      sections[index].keys.append((name, value))
    }
    return sections.filter { !$0.keys.isEmpty }.map { section in
      let lines = section.keys.map { "\($0.0): \($0.1)" }
      guard !section.name.isEmpty else { return lines.joined(separator: "\n") }
      let dash = section.name == "vendors" ? "  - " : "    "
      return "\(section.name):\n\(dash)" + lines.joined(separator: "\n    ")
    }.joined(separator: "\n") + "\n"
  }

  @Test("the base file of these tests is valid") func right() {
    #expect(places(file("pipeline", "birds")) == [])
  }

  static let values: [WrongValue] = [
    WrongValue("pipeline", "../birds", #""../birds" is not valid in file names"#),
    WrongValue("pipeline", "\"\"", "is empty"),
    WrongValue("pipeline", "", "has no value"),
    WrongValue("pipeline", "[birds]", "expected a name, found a list"),
    WrongValue("pipeline", "бірди", "is not valid in file names"),
    WrongValue("languages", "de", "expected a list of languages, found a text"),
    WrongValue("languages", "[]", "is an empty list"),
    WrongValue("languages", "[de, fr, de]", #""de" is listed twice"#),
    WrongValue("languages", "[de, \"../fr\"]", #""../fr" is not a language"#),
    WrongValue("languages", "[de, jp]", #""jp" is not a language"#),
    WrongValue("languages", "[de, klingon]", #""klingon" is not a language"#),
    WrongValue("vendors.languages", "[german]", #""german" is not a language"#),
    WrongValue("require", "101", #""101" is not a percentage"#),
    WrongValue(
      "require", "[95]", "expected a percentage, or a mapping of languages to percentages, found a list"),
    WrongValue("require", "{ \"*\": 95 }", #""*" is a branch pattern, and needs a mapping of languages"#),
    WrongValue("require", "{ \"release/*\": 100 }", #""release/*" is a branch pattern, and needs a mapping"#),
    WrongValue("require", "{ main: 100 }", #""main" is not a language"#),
    WrongValue("require", "99.9500001", #""99.9500001" is not a percentage"#),
    WrongValue("require", "100.5", #""100.5" is not a percentage"#),
    WrongValue("require", "{ uk: 95 }", "uk is not one of the pipeline's `languages`"),
    WrongValue("languages", "[[de]]", "expected a language such as de or pt-BR, found a list"),
    WrongValue("repository.url", "ssh://-oProxyCommand=x/birds", "its host is empty, begins with -"),
    WrongValue("repository.url", "ssh://git@host", "has no path"),
    WrongValue("repository.url", "\"git@host:--upload-pack=x\"", "the path begins with - or contains"),
    WrongValue("repository.known_hosts", "/etc/known", "is for repositories at ssh URLs"),
    WrongValue("repository.certificates", "[a]", "expected a file"),
    WrongValue("repository.url", "ftp://host/birds", "repositories cannot be fetched over ftp"),
    WrongValue("repository.url", "https:///birds", "has no host"),
    WrongValue("repository.branches", "main", "expected a list of branches and patterns, found a text"),
    WrongValue("repository.branches", "[]", "is an empty list"),
    WrongValue("repository.branches", "[a..b]", "contains `..`"),
    WrongValue("repository.branches", "[/main]", "starts or ends with a slash"),
    WrongValue("repository.branches", "[refs/heads/main]", "starts with refs/"),
    WrongValue("repository.branches", "[main, main]", #""main" is listed twice"#),
    WrongValue("repository.branches", "[l10n/main]", "never watched"),
    WrongValue("repository.branches", "[\"ma in\"]", "contains a space"),
    WrongValue("repository.credentials", "agent", "`agent` is only for ssh addresses"),
    WrongValue("repository.credentials", "env:MY-TOKEN", "is not a variable name"),
    WrongValue("repository.credentials", "[none]", "expected a reference to a credential, found a list"),
    WrongValue("repository.poll", "0", "is too short"),
    WrongValue("repository.webhook", "none", "no secret is named"),
    WrongValue("repository.webhook", "s3cret", "must not contain secrets"),
    WrongValue("repository.poll", "often", #""often" is not a time"#),
    WrongValue("submodules", "Kit", "expected a list of submodules, found a text"),
    WrongValue("submodules", "[]", "is an empty list"),
    WrongValue("submodules", "[Kit]", "expected a mapping with path, url, credentials"),
    WrongValue("submodules", "[{ path: ../Kit }]", "is not a path below the repository's root"),
    WrongValue("submodules", "[{ path: /Kit }]", "is not a path below the repository's root"),
    WrongValue("submodules", "[{ path: Kit, url: \"ftp://h/x\" }]", "cannot be fetched over ftp"),
    WrongValue("submodules", "[{ path: Kit, credentials: env:KIT }]", "has no effect without `url`"),
    WrongValue("submodules", "[{ path: Kit, url: \"http://h/x\", credentials: env:KIT }]", "would be sent unencrypted"),
    WrongValue("extract.macros", "[L10n.text]", "is not the name of a function or macro"),
    WrongValue("extract.macros", "tr", "expected a list of names, found a text"),
    WrongValue("extract.exclude", "[/Examples]", "is not a path below the repository's root"),
    WrongValue("extract.exclude", "[Examples/../..]", "is not a path below the repository's root"),
    WrongValue("catalogs", "keep", #"unknown value "keep""#),
    WrongValue("vendors.vendor", "smartlink", #"unknown vendor "smartlink""#),
    WrongValue("vendors.vendor", "pseduo", "did you mean `pseudo`?"),
    WrongValue("vendors.languages", "[it]", "it is not one of the pipeline's `languages`"),
    WrongValue("vendors.units", "every", #"unknown value "every""#),
    WrongValue("vendors.settle", "2", #""2" is not a time"#),
    WrongValue("vendors.path", "s3:///birds", "has no host"),
    WrongValue("vendors.path", "sftp://u:password@host/birds", "contains a user name or a password"),
    WrongValue("vendors.path", "https://host/birds", "a WebDAV folder starts with dav:// or davs://"),
    WrongValue("vendors.path", "file:///srv/drop", "is a URL"),
    WrongValue("vendors.path", "gopher://host", "gopher is not supported for folders"),
    WrongValue("vendors.path", "davs:///birds", "has no host"),
    WrongValue("vendors.styles", "[accented]", "the vendor folder has no such key"),
    WrongValue("rounds.quiet", "{ after: 2m }", "expected a time such as 10s, found a mapping"),
    WrongValue("rounds.latest", "-1h", #""-1h" is not a time"#),
    WrongValue("deliver.draft", "true", "has no effect without `mode: pull-request`"),
    WrongValue("deliver.mode", "brnach", "did you mean `branch`?"),
    WrongValue("deliver.branch", "\"{branch}\"", "is the watched branch itself"),
    WrongValue("deliver.branch", "\"l10n/{brnach}\"", "has an unknown placeholder or an unmatched brace"),
    WrongValue("deliver.branch", "\"l10n/*\"", "contains `*`"),
    WrongValue(
      "deliver.forge", "gitlab", "has no effect without `mode: pull-request`, `statuses` or `comments: true`"),
    WrongValue("deliver.comments", "maybe", "is neither true nor false"),
    WrongValue("deliver.labels", "[l10n]", "has no effect without `mode: pull-request`"),
    WrongValue("deliver.reviewers", "[ada]", "has no effect without `mode: pull-request`"),
    WrongValue("deliver.auto_merge", "squash", "has no effect without `mode: pull-request`"),
    WrongValue("extract.history", "many", "is not a number from 0 to 10000"),
    WrongValue("deliver.statuses", "[complete]", #"unknown value "complete""#),
    WrongValue("deliver.statuses", "completeness", "expected a list of statuses, found a text"),
    WrongValue("deliver.credentials", "\"env:\"", "a pipeline file must not contain secrets"),
    WrongValue("deliver.author", "Dragoman <>", "is not an author"),
    WrongValue("deliver.author", "<l10n@example.com>", "is not an author"),
    WrongValue("deliver.author", "A <b> <l10n@example.com>", "is not an author"),
    WrongValue("deliver.when", "always", #"unknown value "always""#),
    WrongValue("deliver.sign", "ssh:/run/key", "a pipeline file must not contain secrets"),
    WrongValue("deliver.sign", "agent", "no secret is named"),
    WrongValue("deliver.subject", "Translations", "lacks the placeholder {summary}"),
    WrongValue("deliver.subject", "\"{sumary} {summary}\"", "has an unknown placeholder"),
    WrongValue("deliver.subject", "\"a\\n{summary}\"", "is not one line"),
    WrongValue("deliver.co_authors", "all", "is neither true nor false"),
    WrongValue("deliver.addresses", "{ ada: \"ada <a@example.com>\" }", "is not an email address"),
    WrongValue("deliver.addresses", "{ ada: ada@example.com }", "has no effect without `co_authors: true`"),
    WrongValue("deliver.addresses", "[ada]", "expected a mapping of accounts to addresses"),
    WrongValue("deliver.sign_off", "yes please", "is neither true nor false"),
    WrongValue("rounds.overdue", "10s", "is too short"),
    WrongValue("require", "{ \"main~\": { de: 100 } }", "contains"),
    WrongValue("require", "{ main: {} }", "requires nothing"),
    WrongValue("require", "{}", "requires nothing"),
    WrongValue("require", "{ default: { default: 5 } }", "expected a percentage, found a mapping"),
    WrongValue("require", "{ main: { de: { a: 1 } } }", "expected a percentage, found a mapping"),
    WrongValue("require", "{ main: { default: 101 } }", "is not a percentage"),
    WrongValue("require", "{ de: 101 }", "is not a percentage"),
    WrongValue("notify", "{ webhook: env:HOOK }", "expected a list of notifications"),
    WrongValue("notify", "[{ on: [units-held] }]", "the key `webhook` is missing"),
    WrongValue("notify", "[{ webhook: none }]", "no secret is named"),
    WrongValue("notify", "[{ webhook: env:A, on: [] }]", "is an empty list"),
    WrongValue("notify", "[{ webhook: env:A, on: [unit-held] }]", "did you mean `units-held`?"),
    WrongValue("notify", "[{ webhook: env:A, format: slak }]", "did you mean `slack`?"),
    WrongValue("notify", "[{ webhook: env:A, format: slack, secret: env:B }]", "has no effect with `format: slack`"),
    WrongValue("notify", "[{ webhook: env:A, quiet: 22-07 }]", "is not a range of hours"),
    WrongValue("notify", "[{ webhook: env:A, quiet: \"07:00-07:00\" }]", "is not a range of hours"),
    WrongValue("notify", "[{ webhook: env:A, zone: UTC }]", "has no effect without `quiet`"),
    WrongValue("notify", "[{ webhook: env:A, quiet: \"22:00-07:00\", zone: Mars }]", "is not a time zone"),
    WrongValue("notify", "[{ webhook: env:A, server: \"smtps://h\" }]", "has no effect without `mail`"),
    WrongValue("notify", "[{ mail: a@b.c, from: \"D <d@b.c>\" }]", "the key `server` is missing"),
    WrongValue("notify", "[{ mail: a@b.c, server: \"smtps://h\" }]", "the key `from` is missing"),
    WrongValue("notify", "[{ mail: [], server: \"smtps://h\", from: \"D <d@b.c>\" }]", "has no address"),
    WrongValue(
      "notify", "[{ mail: \"D <a@b.c>\", server: \"smtps://h\", from: \"D <d@b.c>\" }]", "is not a mail address"),
    WrongValue(
      "notify", "[{ mail: a@b.c, server: \"https://h\", from: \"D <d@b.c>\" }]", "is not the URL of a mail server"),
    WrongValue("notify", "[{ mail: a@b.c, server: \"smtp://h:0\", from: \"D <d@b.c>\" }]", "no valid port"),
    WrongValue("notify", "[{ mail: a@b.c, server: \"smtps://h\", from: d@b.c }]", "is not a sender"),
    WrongValue(
      "notify", "[{ mail: a@b.c, server: \"smtps://h\", from: \"D <d@b.c>\", webhook: env:A }]",
      "has no effect with `mail`"),
    WrongValue("require", "{ catalogs: { \"../x\": 100 } }", "is not a path or a pattern of paths"),
    WrongValue("require", "{ catalogs: { \"App/**\": { de: 101 } } }", "is not a percentage"),
    WrongValue("require", "{ catalogs: { } }", "requires nothing"),
    WrongValue("fallbacks", "{ es-MX: [es-MX] }", "cannot be its own fallback"),
    WrongValue("fallbacks", "{ es-MX: es }", "expected a list of languages"),
  ]

  @Test("a wrong value is reported on its own line with its key path", arguments: values)
  func wrong(_ wrong: WrongValue) throws {
    // `languages` is a key of the pipeline and of vendors. The last line with the key has the wrong value.
    let text = file(wrong.key, wrong.value)
    let name = wrong.key.split(separator: ".").last.map(String.init) ?? ""
    let line = text.split(separator: "\n").lastIndex { $0.drop { $0 == " " || $0 == "-" }.hasPrefix("\(name):") }
    let found = faults(text)
    let fault = try #require(found.first { $0.message.contains(wrong.message) }, "\(found)")
    #expect(fault.line == line.map { $0 + 1 })
    #expect(fault.message.hasPrefix(wrong.key.replacing("vendors.", with: "vendors[0].")))
    #expect(fault.hint != nil || fault.message.contains("expected "))
  }

  @Test(
    "hints about secrets name every notation of a reference",
    arguments: [("repository.credentials", "agent"), ("repository.webhook", "none"), ("deliver.sign", "agent")])
  func notations(_ key: String, _ value: String) {
    let hints = faults(file(key, value)).filter { $0.message.hasPrefix(key) }.map(\.hint)
    #expect(!hints.isEmpty)
    #expect(hints.allSatisfy { $0?.contains("env:NAME, file:PATH or credential:NAME") == true }, "\(hints)")
  }

  @Test(
    "a secret in the file is refused and not shown",
    arguments: [
      ("repository.credentials", "hunter2"), ("repository.credentials", "https://u:hunter2@host"),
      ("vendors.credentials", "\"user:hunter2\""), ("deliver.credentials", "environment:hunter2"),
      ("repository.url", "https://user:hunter2@host/birds.git"), ("repository.url", "https://hunter2@host/birds.git"),
      ("repository.url", "ssh://git:hunter2@host/birds.git"), ("vendors.path", "davs://user:hunter2@host/birds"),
      ("pipeline", "https://user:hunter2@host"), ("deliver.sign", "hunter2"),
      ("notify", "[{ on: [units-held], webhook: \"https://hooks.example.com/hunter2\" }]"),
      ("notify", "[{ mail: a@b.c, server: \"smtps://u:hunter2@h\", from: \"D <d@b.c>\" }]"),
    ])
  func secrets(_ key: String, _ value: String) {
    let found = faults(file(key, value))
    #expect(!found.isEmpty)
    #expect(!found.contains { $0.description.contains("hunter2") }, "\(found)")
  }
}
