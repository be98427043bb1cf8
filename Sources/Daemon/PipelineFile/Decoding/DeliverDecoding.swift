internal import GitHosting
internal import Localization
internal import Pipeline
internal import TranslationVendors

extension Section<DeliverKey> {
  /// Reads the section `deliver` of a pipeline file.
  /// - Parameter watched: the patterns of watched branches in the pipeline file.
  func settings(watched: [Located<BranchPattern>]) -> DeliverSettings {
    var settings = DeliverSettings()
    if let field = self[.mode], let mode: DeliverSettings.Mode = field.choice() { settings.mode = mode }
    if let field = self[.branch], let branch = field.branchTemplate(watched) {
      settings.branch = branch
      if settings.mode == .push {
        field.report("has no effect with `mode: push`, which delivers to the watched branch", hint: "remove it")
      }
    }
    settings.credentials = self[.credentials].flatMap { $0.credential() } ?? .none
    if let field = self[.author], let text = field.text("an author") {
      if let author = Author.parse(text) {
        (settings.authorName, settings.authorEmail) = author
      } else {
        field.report("\(field.shown) is not an author", hint: "write it as Name <name@example.com>")
      }
    }
    settings.when = self[.when].flatMap { $0.choice() } ?? .any
    if let field = self[.statuses] {
      settings.statuses = Set(
        field.items("a list of statuses", example: "[completeness]")?
          .distinct({ (item: Field) -> DeliverSettings.Status? in item.choice() }, sameAs: { $0 }).map(\.value) ?? [])
    }
    readTokens(into: &settings)
    settings.comments = self[.comments].flatMap { $0.flag() } ?? false
    readForge(into: &settings)
    settings.sign = self[.sign].flatMap { $0.secretReference() } ?? .none
    settings.signsOff = self[.signOff].flatMap { $0.flag() } ?? false
    settings.namesTranslators = self[.coAuthors].flatMap { $0.flag() } ?? false
    if let field = self[.addresses] {
      settings.addresses = field.addresses()
      if !settings.namesTranslators {
        field.report("has no effect without `co_authors: true`", hint: "remove it, or set co_authors: true")
      }
    }
    if let subject = self[.subject].flatMap({ $0.subjectTemplate() }) { settings.subject = subject }
    return settings
  }

  private func readForge(into settings: inout DeliverSettings) {
    if settings.mode != .pullRequest {
      for key in [DeliverKey.draft, .labels, .reviewers, .autoMerge] {
        self[key]?.report("has no effect without `mode: pull-request`", hint: "remove it, or set the mode")
      }
    } else {
      settings.extras = PullRequestExtras(
        labels: names(.labels, "a list of labels", example: "[l10n]"),
        reviewers: names(.reviewers, "a list of accounts", example: "[ada, \"team:translators\"]"),
        merge: self[.autoMerge].flatMap { $0.choice() })
    }
    if let field = self[.annotations], let flag = field.flag() {
      settings.annotates = flag
      if flag, settings.statuses.isEmpty {
        field.report("has no effect without `statuses`", hint: "remove it, or set statuses: [completeness]")
      }
    }
    guard settings.usesForge || settings.renewsToken else {
      for key in [DeliverKey.forge, .api, .token] {
        self[key]?.report(
          "has no effect without `mode: pull-request`, `statuses` or `comments: true`",
          hint: "remove it, or set one of them")
      }
      return
    }
    let kind: ForgeKind? = self[.forge].flatMap { $0.choice() }
    settings.forge = kind?.rawValue
    settings.api = self[.api].flatMap { $0.serverAddress() }
    settings.token = self[.token].flatMap { $0.credential() } ?? .none
    if settings.token == .agent {
      self[.token]?.report("the ssh agent has no token", hint: "write \(CredentialReference.notations)")
    }
    settings.isDraft = settings.mode == .pullRequest ? self[.draft].flatMap { $0.flag() } ?? false : false
  }

  private func names(_ key: DeliverKey, _ wanted: String, example: String) -> [String] {
    self[key]?.items(wanted, example: example)?.distinct(
      { field -> String? in
        guard let text = field.text("a name") else { return nil }
        guard text.count <= 100, !text.contains(","), !text.contains(where: \.isNewline) else {
          field.report(
            "\(field.shown) is not a single name of at most 100 characters",
            hint: "write each name as an item of its own")
          return nil
        }
        return text
      }, sameAs: { $0.lowercased() }
    ).map(\.value) ?? []
  }

  /// Reports labels and ways of automatic merging that a kind of server does not support.
  private func reportExtras(_ settings: DeliverSettings, on kind: ForgeKind) {
    if !settings.extras.labels.isEmpty, kind == .bitbucket || kind == .bitbucketServer {
      self[.labels]?.report("pull requests on Bitbucket have no labels", hint: "remove it")
    }
    if settings.extras.merge != nil, kind == .bitbucket {
      self[.autoMerge]?.report("Bitbucket Cloud has no auto-merge", hint: "remove it")
    }
    if settings.extras.merge == .rebase, kind == .gitlab {
      self[.autoMerge]?.report(
        "on GitLab, the project's merge method determines whether commits are rebased", hint: "write merge or squash")
    }
  }

  /// Reports what is missing for pull requests, statuses or comments: the kind of server, the repository's path on the server, or a token. Also
  /// reports settings that this kind of server does not support.
  func reportForge(_ settings: DeliverSettings, _ repository: RepositorySettings, at url: Field) {
    let what =
      settings.mode == .pullRequest ? "pull requests" : settings.statuses.isEmpty ? "comments" : "statuses"
    let place =
      settings.mode == .pullRequest ? self[.mode] : settings.statuses.isEmpty ? self[.comments] : self[.statuses]
    reportTokens(settings, repository)
    guard settings.usesForge, let place else { return }
    guard let found = ForgeRepository(remote: repository.url) else {
      url.report(
        "\(url.shown) is not on a server with \(what)",
        hint: "use the address that the server shows for cloning, or set deliver.mode: branch without statuses")
      return
    }
    let kind = settings.forge.flatMap(ForgeKind.init(rawValue:)) ?? ForgeKind(host: found.host)
    if let kind {
      reportExtras(settings, on: kind)
      if kind.pathFault(of: found) != nil {
        url.report(
          "the path \(found.path.joined(separator: "/")) does not have the form \(kind.pathForm) of \(kind.rawValue)",
          hint: "use the address that the server shows for cloning")
      }
    }
    if settings.annotates, let kind, kind != .github {
      self[.annotations]?.report("only GitHub has annotations", hint: "remove it")
    }
    guard settings.forge != nil || ForgeKind(host: found.host) != nil else {
      if self[.forge] == nil {
        place.report(
          "the kind of server at \(found.host) is not known",
          hint: "add `forge:` with one of \(ForgeKind.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      return
    }
    if settings.renewsToken { return }
    if settings.token == .none, settings.credentials == .none,
      repository.credentials == .none || Address(repository.url).isSSH
    {
      place.report(
        "\(what) need a token for the server's API", hint: "set deliver.token to \(CredentialReference.notations)")
    } else if settings.token == .none, Address(repository.url).isSSH {
      place.report(
        "deliver.credentials is for ssh, and \(what) need a token for the server's API",
        hint: "set deliver.token to \(CredentialReference.notations)")
    }
  }
}

extension Field {
  /// Reads a mapping of translators' accounts, addresses or names at the vendor to their mail addresses.
  fileprivate func addresses() -> [String: String] {
    var addresses: [String: String] = [:]
    for (key, value) in pairs("a mapping of accounts to addresses") ?? [] {
      guard let account = key.text("an account"), let text = value.text("an address") else { continue }
      guard let address = Translator.address(text) else {
        value.report("\(value.shown) is not an email address", hint: "write it as name@example.com")
        continue
      }
      addresses[account] = address
    }
    return addresses
  }

  /// Reads the template of the first line of commit messages.
  fileprivate func subjectTemplate() -> String? {
    guard let text = text("a line such as \"chore(l10n): {summary}\"") else { return nil }
    guard text.contains("{summary}") else {
      report("\(shown) lacks the placeholder {summary}", hint: "write it as in \"chore(l10n): {summary}\"")
      return nil
    }
    let rest = text.replacing("{summary}", with: "").replacing("{pipeline}", with: "")
    if rest.contains(where: { "{}".contains($0) }) {
      report(
        "\(shown) has an unknown placeholder or an unmatched brace",
        hint: "the placeholders are {summary} and {pipeline}")
      return nil
    }
    guard text.utf8.count <= 200, text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
      report("\(shown) is not one line of at most 200 bytes", hint: "shorten it")
      return nil
    }
    return text
  }

  /// Reads the template of the delivery branch. `{branch}` represents the watched branch.
  fileprivate func branchTemplate(_ watched: [Located<BranchPattern>]) -> String? {
    guard let template = text("a branch") else { return nil }
    let name = template.replacing("{branch}", with: "main")
    if let fault = BranchName.fault(name, isPattern: false) {
      report("\(shown) \(fault)", hint: "write a branch such as l10n/{branch}")
      return nil
    }
    guard !name.contains(where: { "{}".contains($0) }) else {
      report(
        "\(shown) has an unknown placeholder or an unmatched brace",
        hint: "the only placeholder is {branch}, the watched branch's name")
      return nil
    }
    if template.hasPrefix("{branch}/") {
      report(
        "\(shown) is below the watched branch, and git cannot have a branch below another one",
        hint: "write the watched branch last: l10n/{branch}")
      return nil
    }
    let isTemplate = template.contains("{branch}")
    guard isTemplate && template != "{branch}" || !isTemplate else {
      report(
        "\(shown) is the watched branch itself",
        hint: "use `mode: push` to deliver there, or add a prefix: l10n/{branch}")
      return nil
    }
    if !isTemplate, watched.count > 1 || watched.contains(where: { $0.value.text.contains { "*?".contains($0) } }) {
      report("\(shown) would receive the translations of several branches", hint: "include {branch}: l10n/{branch}")
    }
    let targets = BranchPattern(template.replacing("{branch}", with: "**"))
    // A template that matches the text of a pattern also matches every branch that the pattern matches, because `{branch}` stands for any text.
    for branch in watched where targets.matches(branch.value.text) {
      let isPattern = branch.value.text.contains { "*?".contains($0) }
      report(
        isPattern
          ? "\(shown) includes every branch that matches \(branch.field.shown), so none of them would ever be watched"
          : "\(shown) is or includes \(branch.field.shown), so that branch would never be watched",
        hint: "deliver to another branch")
    }
    reportCollision(of: template, watched)
    return template
  }

  /// Reports a delivery branch whose name is below or above the name of a watched branch, as `l10n/main` is below `l10n`. Git cannot have both
  /// branches, because one name would have to be both a file and a folder.
  private func reportCollision(of template: String, _ watched: [Located<BranchPattern>]) {
    let names = watched.map(\.value.text).filter { !$0.contains { "*?".contains($0) } }
    for target in names.map({ template.replacing("{branch}", with: $0) }) {
      guard let other = names.first(where: { BranchHead.collide($0, target) }) else { continue }
      report(
        "git cannot have both \(target) and the watched branch \(other)",
        hint: "deliver to a branch that is neither below nor above it, such as translations/{branch}")
      return
    }
  }
}
