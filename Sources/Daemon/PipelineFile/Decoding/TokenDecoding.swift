internal import GitHosting
internal import Localization
internal import Pipeline

/// Functions that read the settings of forge tokens that Dragoman renews.
extension Section<DeliverKey> {
  func readTokens(into settings: inout DeliverSettings) {
    settings.app = appSettings()
    settings.oauth = oauthSettings()
    if settings.app != nil, settings.oauth != nil {
      self[.oauthClient]?.report(
        "has no effect, because the app's tokens are used", hint: "remove `oauth_client`, or `app`")
    }
    guard settings.renewsToken else { return }
    let others = settings.app != nil ? "`app` and `app_key`" : "the keys that begin with `oauth_`"
    self[.token]?.report(
      "has no effect, because the \(settings.app != nil ? "app" : "application")'s tokens are used",
      hint: "remove `token`, or \(others)")
  }

  private func appSettings() -> DeliverSettings.AppSettings? {
    guard let id = self[.app].flatMap({ $0.appIdentifier() }) else {
      if self[.app] == nil { self[.appKey]?.report("has no effect without `app`", hint: "add the app's id as `app:`") }
      return nil
    }
    guard let key = self[.appKey] else {
      self[.app]?.report("the app has no key", hint: "add `app_key:` with \(CredentialReference.notations)")
      return nil
    }
    return key.secretReference(isOptional: false).map { DeliverSettings.AppSettings(id: id, key: $0) }
  }

  private func oauthSettings() -> DeliverSettings.OAuthSettings? {
    guard let field = self[.oauthClient] else {
      for key in [DeliverKey.oauthSecret, .oauthRefreshToken] {
        self[key]?.report("has no effect without `oauth_client`", hint: "add the application's id as `oauth_client:`")
      }
      return nil
    }
    guard let client = field.clientIdentifier() else { return nil }
    guard let token = self[.oauthRefreshToken] else {
      field.report(
        "the application has no refresh token",
        hint: "add `oauth_refresh_token:` with \(CredentialReference.notations)")
      return nil
    }
    let secret = self[.oauthSecret].flatMap { $0.secretReference() } ?? .none
    return token.secretReference(isOptional: false).map {
      DeliverSettings.OAuthSettings(client: client, secret: secret, refreshToken: $0)
    }
  }

  /// Reports an app or OAuth application that the repository's kind of server does not support. Also reports an `api` from which the address for new
  /// tokens of an OAuth application cannot be derived.
  func reportTokens(_ settings: DeliverSettings, _ repository: RepositorySettings) {
    guard settings.renewsToken else { return }
    let kind =
      settings.forge.flatMap(ForgeKind.init(rawValue:))
      ?? ForgeRepository(remote: repository.url).flatMap { ForgeKind(host: $0.host) }
    if settings.app != nil, kind != .github {
      self[.app]?.report(
        "apps are only supported on GitHub", hint: "remove it, or set forge: github for your own server")
    }
    guard settings.oauth != nil else { return }
    if kind != .gitlab {
      self[.oauthClient]?.report(
        "only GitLab's OAuth applications are supported",
        hint: "remove it, or set forge: gitlab for your own server")
    } else if let api = settings.api, !api.hasSuffix("/api/v4") {
      self[.api]?.report(
        "\(api) does not end with /api/v4, so the address for new tokens is unknown",
        hint: "write the address with the path /api/v4")
    }
  }
}

extension Field {
  /// Reads the app id or the client id of a GitHub app.
  fileprivate func appIdentifier() -> String? {
    identifier(
      "the id of a GitHub app", in: 1...40, alsoAllowed: ".",
      hint: "write the App ID or the Client ID that GitHub shows")
  }

  /// Reads the id of an OAuth application.
  fileprivate func clientIdentifier() -> String? {
    identifier(
      "the id of an OAuth application", in: 1...200, alsoAllowed: "-_",
      hint: "write the Application ID that GitLab shows")
  }

  private func identifier(_ what: String, in lengths: ClosedRange<Int>, alsoAllowed: String, hint: String) -> String? {
    guard let text = text(what) else { return nil }
    let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || alsoAllowed.contains($0)) }
    guard isPlain, lengths.contains(text.utf8.count) else {
      report("\(shown) is not \(what)", hint: hint)
      return nil
    }
    return text
  }
}
