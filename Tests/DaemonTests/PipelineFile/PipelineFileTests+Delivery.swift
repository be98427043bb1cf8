import Localization
import Pipeline
import Testing

@testable import Daemon

/// Pull requests and notifications in pipeline files.
extension PipelineFileTests {
  @Test(
    "pull requests require a known forge and a token",
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
        "https://github.com/a/b/tree/main", "env:T", "mode: pull-request",
        ["repository.url: the path a/b/tree/main does not have the form owner/repository of github"]
      ),
      (
        "https://git.example.com/a/b/tree/main", "env:T", "comments: true, forge: gitea",
        ["repository.url: the path a/b/tree/main does not have the form owner/repository of gitea"]
      ),
      (
        "https://gitlab.com/a/b/c/-/tree/main", "env:T", "mode: pull-request",
        ["repository.url: the path a/b/c/-/tree/main does not have the form group/project of gitlab"]
      ),
      ("https://gitlab.com/a/b/c.git", "env:T", "mode: pull-request", []),
      (
        "https://github.com/a/b.git", "env:T", "mode: pull-request, api: \"https://github.com/api/v3/?x=1\"",
        ["deliver.api: the address has a query or a fragment, which is not sent"]
      ),
      (
        "https://github.com/a/b.git", "env:T", "mode: pull-request, api: \"https://github.com/api/v3#x\"",
        ["deliver.api: the address has a query or a fragment, which is not sent"]
      ),
      ("https://github.com/a/b.git", "env:T", "mode: pull-request, api: \"https://github.com/api/v3/\"", []),
      (
        "https://dev.azure.com/a/b/_git/c/d", "env:T", "mode: pull-request",
        ["repository.url: the path a/b/_git/c/d does not have the form organization/project/_git/repository of azure"]
      ),
      ("https://git.example.com/git/scm/A/b.git", "env:T", "mode: pull-request, forge: bitbucket-server", []),
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
        ["deliver.statuses: the status `completeness` has no effect without `require`"]
      ),
      ("https://github.com/a/b.git", "env:T", "statuses: [completeness] }\nrequire: { default: 100", []),
      (
        "https://github.com/a/b.git", "", "statuses: [completeness]",
        [
          "deliver.statuses: statuses need a token for the server's API",
          "deliver.statuses: the status `completeness` has no effect without `require`",
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
          "deliver.auto_merge: Bitbucket Cloud has no auto-merge",
        ]
      ),
      (
        "https://gitlab.com/a/b.git", "env:T", "mode: pull-request, auto_merge: rebase",
        ["deliver.auto_merge: on GitLab, the project's merge method determines whether commits are rebased"]
      ),
      (
        "https://github.com/a/b.git", "env:T", "mode: pull-request, labels: [\"a,b\"]",
        [#"deliver.labels[0]: "a,b" is not a single name of at most 100 characters"#]
      ),
      ("https://github.com/a/b.git", "env:T", "comments: true", []),
      (
        "https://github.com/a/b.git", "", "comments: true",
        ["deliver.comments: comments need a token for the server's API"]
      ),
      (
        "https://github.com/a/b.git", "env:T", "statuses: [freeze]",
        ["deliver.statuses: the status `freeze` has no effect without `rounds.freeze`"]
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
      (
        "https://gitlab.com/a/b.git", "",
        "mode: pull-request, oauth_client: 5e6a_7-b, oauth_secret: env:S, oauth_refresh_token: env:R", []
      ),
      ("https://gitlab.com/a/b.git", "", "oauth_client: abc, oauth_refresh_token: file:/r", []),
      (
        "https://gitlab.com/a/b.git", "", "mode: pull-request, oauth_client: abc",
        [
          "deliver.mode: pull requests need a token for the server's API",
          "deliver.oauth_client: the application has no refresh token",
        ]
      ),
      (
        "https://gitlab.com/a/b.git", "env:T", "mode: pull-request, oauth_refresh_token: env:R",
        ["deliver.oauth_refresh_token: has no effect without `oauth_client`"]
      ),
      (
        "https://github.com/a/b.git", "",
        "mode: pull-request, token: env:T, oauth_client: abc, oauth_refresh_token: env:R",
        [
          "deliver.token: has no effect, because the application's tokens are used",
          "deliver.oauth_client: only GitLab's OAuth applications are supported",
        ]
      ),
      (
        "https://git.example.com/a/b.git", "",
        "mode: pull-request, forge: gitlab, api: \"https://git.example.com/api\", oauth_client: a b, oauth_refresh_token: env:R",
        [
          "deliver.mode: pull requests need a token for the server's API",
          #"deliver.oauth_client: "a b" is not the id of an OAuth application"#,
        ]
      ),
      (
        "https://git.example.com/a/b.git", "",
        "mode: pull-request, forge: gitlab, api: \"https://git.example.com/api\", oauth_client: ab, oauth_refresh_token: env:R",
        ["deliver.api: https://git.example.com/api does not end with /api/v4, so the address for new tokens is unknown"]
      ),
      (
        "https://github.com/a/b.git", "", "mode: pull-request, app: a b, app_key: env:R",
        [
          "deliver.mode: pull requests need a token for the server's API",
          #"deliver.app: "a b" is not the id of a GitHub app"#,
        ]
      ),
    ])
  func pullRequests(_ url: String, _ credentials: String, _ deliver: String, _ wanted: [String]) {
    let credentials = credentials.isEmpty ? "" : "\n  credentials: \(credentials)"
    let text = leastFile.replacing("/srv/birds.git", with: url + credentials) + "deliver: { \(deliver) }\n"
    #expect(places(text).map { String($0.drop { $0 != " " }.dropFirst()) } == wanted)
  }

  @Test("notifications are read, and include all events unless the file lists some")
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

  @Test("mail receivers are read, with the default ports of their schemes")
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
}
