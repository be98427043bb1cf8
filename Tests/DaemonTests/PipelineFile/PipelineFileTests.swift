import Foundation
import Localization
import Pipeline
import Testing

@testable import Daemon

@Suite struct PipelineFileTests {
  @Test("a minimal file gets the defaults of pipelines.md")
  func defaults() throws {
    let definition = try read(leastFile)
    #expect(
      definition
        == PipelineDefinition(
          name: "birds", repository: RepositorySettings(url: "/srv/birds.git"),
          vendors: [VendorDefinition(kind: "pseudo")]))
    #expect(definition.languages == nil)
    #expect(definition.repository.poll == nil)
    #expect(definition.catalogs == .leave)
    #expect(definition.vendors[0].options.isEmpty)
    #expect(definition.rounds.quiet == .seconds(600))
    #expect(definition.rounds.latest == .seconds(7200))
    #expect(definition.deliver.target(for: "main") == "l10n/main")
    #expect(definition.deliver.authorName == "Dragoman")
  }

  @Test("reads a file with all supported keys into the definition")
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
        VendorDefinition(kind: "pseudo", languages: ["de", "fr"]),
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
      require: [CompletionRequirement(language: nil, tenths: 950)])
    #expect(definition == expected)
  }

  @Test("a byte order mark, Windows line ends, comments and a document's start mark do no harm")
  func dressing() throws {
    let text = "\u{FEFF}# birds\n---\n" + leastFile + "...\n"
    #expect(try read(text).name == "birds")
    #expect(try read(text.replacing("\n", with: "\r\n")).name == "birds")
    #expect(try read(leastFile.replacing("pseudo", with: "&kind pseudo") + "catalogs: leave\n").name == "birds")
  }

  @Test("ten faults are reported at once, each in its line, in the order of the file")
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

  @Test("accepts the whole example of pipelines.md")
  func example() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../docs/reference/pipelines.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let start = try #require(text.firstRange(of: "```yaml\n"))
    let end = try #require(text[start.upperBound...].firstRange(of: "```"))
    #expect(places(String(text[start.upperBound..<end.lowerBound])) == [])
  }

  @Test(
    "pull requests need a known server and a token",
    arguments: [
      (
        "/srv/birds.git", "", "mode: pull-request",
        [#"repository.url: "/srv/birds.git" is not on a server with pull requests"#]
      ),
      (
        "https://git.example.com/a/b", "", "mode: pull-request, token: env:T",
        ["deliver.mode: the kind of server at git.example.com is not known"]
      ),
      (
        "git@github.com:a/b.git", "file:/key", "mode: pull-request",
        ["deliver.mode: pull requests need a token for the server's API"]
      ),
      (
        "git@github.com:a/b.git", "", "mode: pull-request, credentials: file:/key",
        ["deliver.mode: deliver.credentials is for ssh, and pull requests need a token for the server's API"]
      ),
      (
        "https://github.com/a/b.git", "", "mode: pull-request, token: agent",
        ["deliver.token: the ssh agent has no token"]
      ),
      (
        "https://github.com/a/b.git", "", "mode: pull-request, forge: gitub, token: env:T",
        [#"deliver.forge: unknown value "gitub"; did you mean `github`?"#]
      ),
      ("https://github.com/a/b.git", "env:T", "mode: pull-request", []),
      (
        "https://github.com/a/b.git", "env:T", "statuses: [completeness]",
        ["deliver.statuses: nothing is required, so there is nothing to say about commits"]
      ),
      ("https://github.com/a/b.git", "env:T", "statuses: [completeness] }\nrequire: { default: 100", []),
      (
        "https://github.com/a/b.git", "", "statuses: [completeness]",
        [
          "deliver.statuses: statuses need a token for the server's API",
          "deliver.statuses: nothing is required, so there is nothing to say about commits",
        ]
      ),
      (
        "https://github.com/a/b.git", "env:T", "statuses: [completeness], draft: true }\nrequire: { default: 100",
        ["deliver.draft: has no effect without `mode: pull-request`"]
      ),
      ("git@github.com:a/b.git", "", "mode: pull-request, token: env:T, draft: true", []),
      (
        "https://github.com/a/b.git", "env:T",
        "mode: pull-request, labels: [l10n], reviewers: [ada, \"team:ios\"], auto_merge: squash", []
      ),
      (
        "https://bitbucket.org/a/b.git", "env:T", "mode: pull-request, labels: [l10n], auto_merge: merge",
        [
          "deliver.labels: pull requests on Bitbucket have no labels",
          "deliver.auto_merge: Bitbucket Cloud does not merge by itself",
        ]
      ),
      (
        "https://gitlab.com/a/b.git", "env:T", "mode: pull-request, auto_merge: rebase",
        ["deliver.auto_merge: on GitLab the project's merge method decides about rebasing"]
      ),
      (
        "https://github.com/a/b.git", "env:T", "mode: pull-request, labels: [\"a,b\"]",
        [#"deliver.labels[0]: "a,b" is not one name"#]
      ),
      ("https://github.com/a/b.git", "env:T", "comments: true", []),
      (
        "https://github.com/a/b.git", "", "comments: true",
        ["deliver.comments: comments need a token for the server's API"]
      ),
      (
        "https://github.com/a/b.git", "env:T", "statuses: [freeze]",
        ["deliver.statuses: no branch is frozen, so there is nothing to say about freezes"]
      ),
      (
        "https://github.com/a/b.git", "env:T", "statuses: [freeze] }\nrounds: { freeze: [main]", []
      ),
      (
        "https://gitlab.com/a/b.git", "env:T", "comments: true, annotations: true",
        [
          "deliver.annotations: has no effect without `statuses`", "deliver.annotations: only GitHub has annotations",
        ]
      ),
      ("ssh://git@git.example.com:2222/a/b.git", "agent", "mode: pull-request, forge: gitlab, token: env:T", []),
    ])
  func pullRequests(_ url: String, _ credentials: String, _ deliver: String, _ wanted: [String]) {
    let credentials = credentials.isEmpty ? "" : "\n  credentials: \(credentials)"
    let text = leastFile.replacing("/srv/birds.git", with: url + credentials) + "deliver: { \(deliver) }\n"
    #expect(places(text).map { String($0.drop { $0 != " " }.dropFirst()) } == wanted)
  }

  @Test("what a gate requires is one number, or one for each language and a default")
  func requirements() throws {
    #expect(try read(leastFile + "require: 95\n").require == [CompletionRequirement(language: nil, tenths: 950)])
    #expect(
      try read(leastFile + "languages: [de, fr]\nrequire: { de: 100, default: 95 }\n").require == [
        CompletionRequirement(language: "de", tenths: 1000), CompletionRequirement(language: nil, tenths: 950),
      ])
  }

  @Test("a gate requires more on some branches, in the order of the file")
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
      definition.requirements(on: branch).map { "\($0.language?.rawValue ?? "default") \($0.tenths / 10)" }
    }
    #expect(required("main") == ["default 80", "de 90"])
    #expect(required("release/2.0") == ["default 80", "default 100", "de 90"])
    #expect(required("release/1.0") == ["default 80", "default 100", "de 90", "de 95"])
  }

  @Test("notifications are read, with all events unless some are listed")
  func notifications() throws {
    let definition = try read(
      leastFile + """
        rounds: { overdue: 24h }
        notify:
          - { webhook: "file:/etc/hook", secret: "credential:signing", digest: 1h }
          - { on: [units-held], webhook: env:SLACK, format: slack, quiet: "22:00-07:30", zone: Europe/Berlin }

        """)
    #expect(definition.rounds.overdue == .seconds(86_400))
    #expect(
      definition.notify == [
        NotificationSettings(webhook: .file("/etc/hook"), secret: .service("signing"), digest: .seconds(3600)),
        NotificationSettings(
          events: [.unitsHeld], webhook: .environment("SLACK"), format: .slack,
          quiet: DailyHours(start: 22 * 60, end: 7 * 60 + 30, zone: "Europe/Berlin")),
      ])
  }

  @Test("mail is read, with the ports of its schemes")
  func mail() throws {
    let definition = try read(
      leastFile + """
        notify:
          - { mail: l10n@example.com, server: "smtps://mail.example.com", from: "Dragoman <bot@example.com>" }
          - { mail: [a@example.com, b@example.com], server: "smtp://[::1]:2525", from: "D <d@example.com>", credentials: env:MAIL }

        """)
    #expect(
      definition.notify.map(\.mail) == [
        MailSettings(
          recipients: ["l10n@example.com"], host: "mail.example.com", port: 465, isEncryptedAtOnce: true,
          senderName: "Dragoman", sender: "bot@example.com"),
        MailSettings(
          recipients: ["a@example.com", "b@example.com"], host: "[::1]", port: 2525, isEncryptedAtOnce: false,
          senderName: "D", sender: "d@example.com", credentials: .environment("MAIL")),
      ])
  }

  @Test("fallback chains and requirements of single catalogs are read")
  func fallbacks() throws {
    let definition = try read(
      leastFile + """
        fallbacks: { es-MX: [es-419, es] }
        require: { default: 90, catalogs: { "App/**": { de: 100, default: 95 }, "Kit/Localizable.xcstrings": 100 } }

        """)
    #expect(definition.fallbacks.chains == ["es-MX": ["es-419", "es"]])
    #expect(
      definition.require == [
        CompletionRequirement(language: nil, tenths: 900),
        CompletionRequirement(language: "de", tenths: 1000, catalogs: PathPattern("App/**")),
        CompletionRequirement(language: nil, tenths: 950, catalogs: PathPattern("App/**")),
        CompletionRequirement(language: nil, tenths: 1000, catalogs: PathPattern("Kit/Localizable.xcstrings")),
      ])
  }

  @Test(
    "times are read",
    arguments: [
      ("0", 0), ("500ms", 500), ("10s", 10_000), ("2m", 120_000), ("1h30m", 5_400_000), ("1h1m1s1ms", 3_661_001),
    ])
  func durations(_ text: String, _ milliseconds: Int) {
    #expect(DurationText.duration(text) == .milliseconds(milliseconds))
  }

  @Test(
    "distinguishes times from other texts",
    arguments: ["", "5", "s", "-2m", "2 m", "30m1h", "1m1m", "1.5h", "2d", "9999999999s", "999999999h", "1h٣m", "ms5"])
  func noDurations(_ text: String) { #expect(DurationText.duration(text) == nil) }

  @Test(
    "the nearest name is the one that a slip of the hand makes",
    arguments: [
      ("brnaches", "branches"), ("Branches", "branches"), ("poll_", "poll"), ("credential", "credentials"),
      ("password", nil), ("", nil), ("xy", nil),
    ])
  func nearest(_ text: String, _ name: String?) {
    #expect(NearestName.nearest(to: text, among: RepositoryKey.allCases.map(\.rawValue)) == name)
  }
}
