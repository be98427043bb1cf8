/// The settings for delivering translations.
package struct DeliverSettings: Hashable, Sendable {
  package enum Mode: String, Hashable, Sendable, CaseIterable {
    /// Translations are pushed to the watched branch itself.
    case push
    /// Translations are pushed to a separate branch.
    case branch
    case pullRequest = "pull-request"
  }

  package enum When: String, Hashable, Sendable, CaseIterable {
    case any, complete
  }

  /// A kind of commit status at the forge.
  package enum Status: String, Hashable, Sendable, CaseIterable {
    /// Whether a commit meets the requirements of `require`.
    case completeness
    /// Whether a frozen branch, or a pull request into a frozen branch, has new or changed strings.
    case freeze

    package var name: String { "l10n/\(rawValue)" }
  }

  package var mode: Mode
  /// The name of the delivery branch. `{branch}` is replaced by the name of the watched branch.
  package var branch: String
  /// The kind of forge; `nil` if it is derived from the repository's host.
  package var forge: String?
  /// The address of the forge's API; `nil` for the usual address of this kind of forge on the repository's host.
  package var api: String?
  /// The token for the forge's API; `none` for the secret of `credentials` or of the repository's credentials.
  package var token: CredentialReference
  /// Whether pull requests are opened as drafts.
  package var isDraft: Bool
  package var credentials: CredentialReference
  package var authorName: String
  package var authorEmail: String
  package var when: When
  /// The private SSH or OpenPGP key for signing commits; `none` for unsigned commits.
  package var sign: CredentialReference
  /// Whether commits end with a `Signed-off-by` trailer of the author.
  package var signsOff: Bool
  /// The first line of commit messages. `{summary}` is replaced by a summary of the commit, `{pipeline}` by the pipeline's name.
  package var subject: String
  /// Whether commits and pull requests name the translators that vendors report.
  package var namesTranslators: Bool
  /// The email addresses of translators, by the account, the address or the name that the vendor reports.
  package var addresses: [String: String]
  package var statuses: Set<Status>
  /// Whether statuses are check runs with annotations (GitHub, with the token of an app).
  package var annotates: Bool
  /// Whether Dragoman comments on people's pull requests.
  package var comments: Bool
  /// The labels, reviewers and auto-merge of new pull requests.
  package var extras: PullRequestExtras
  /// The GitHub app whose tokens are used for the API and for git over https.
  package var app: AppSettings?
  /// The OAuth application on GitLab whose tokens are used for the API and for git over https.
  package var oauth: OAuthSettings?

  package struct AppSettings: Hashable, Sendable {
    /// The app's id or client id.
    package var id: String
    /// The place of the app's private key.
    package var key: CredentialReference

    package init(id: String, key: CredentialReference) {
      self.id = id
      self.key = key
    }
  }

  package struct OAuthSettings: Hashable, Sendable {
    /// The application's id.
    package var client: String
    /// The place of the application's secret; `none` for an application that is not confidential.
    package var secret: CredentialReference
    /// The place of the first refresh token.
    package var refreshToken: CredentialReference

    package init(client: String, secret: CredentialReference, refreshToken: CredentialReference) {
      self.client = client
      self.secret = secret
      self.refreshToken = refreshToken
    }
  }

  /// Whether Dragoman renews the token for the forge.
  package var renewsToken: Bool { app != nil || oauth != nil }

  package init(
    mode: Mode = .branch, branch: String = "l10n/{branch}", forge: String? = nil,
    api: String? = nil, token: CredentialReference = .none, isDraft: Bool = false,
    credentials: CredentialReference = .none, authorName: String = "Dragoman",
    authorEmail: String = "dragoman@localhost", when: When = .any, sign: CredentialReference = .none,
    signsOff: Bool = false, subject: String = "{summary}", namesTranslators: Bool = false,
    addresses: [String: String] = [:], statuses: Set<Status> = [],
    annotates: Bool = false, comments: Bool = false, extras: PullRequestExtras = PullRequestExtras(),
    app: AppSettings? = nil, oauth: OAuthSettings? = nil
  ) {
    self.mode = mode
    self.branch = branch
    self.forge = forge
    self.api = api
    self.token = token
    self.isDraft = isDraft
    self.credentials = credentials
    self.authorName = authorName
    self.authorEmail = authorEmail
    self.when = when
    self.sign = sign
    self.signsOff = signsOff
    self.subject = subject
    self.namesTranslators = namesTranslators
    self.addresses = addresses
    self.statuses = statuses
    self.annotates = annotates
    self.comments = comments
    self.extras = extras
    self.app = app
    self.oauth = oauth
  }

  /// Whether the forge's API is used.
  package var usesForge: Bool { mode == .pullRequest || !statuses.isEmpty || comments }

  /// What to do if the server rejects our pushes. It completes a sentence that begins with “allow”.
  package var waysToPush: String {
    "Dragoman to push there, or set "
      + (mode == .push ? "deliver.mode: branch or deliver.mode: pull-request" : "another deliver.branch")
  }

  /// Returns the branch that receives the translations of a watched branch.
  package func target(for branch: String) -> String {
    mode == .push ? branch : self.branch.replacing("{branch}", with: branch)
  }
}
