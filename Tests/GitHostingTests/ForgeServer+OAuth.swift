import Foundation
import TestSupport

extension ForgeServer {
  /// An OAuth application. Each renewal replaces both tokens and invalidates the former tokens, as GitLab documents.
  struct Application {
    enum Loss { case beforeRenewal, afterRenewal }

    var refresh = "refresh-0"
    var access: String?
    var expiry = Date.distantPast
    var renewals = 0
    /// The next renewals whose response is lost, before or after the server replaces the tokens. The last element applies first.
    var losses: [Loss] = []
    var lifetime: Int? = 7200
  }

  /// Returns whether the request has valid credentials for the API.
  func isAllowed(_ request: RecordedRequest, _ state: State) -> Bool {
    guard let application = state.application else { return request.header(credentials.name) == credentials.value }
    guard let access = application.access, application.expiry > state.now else { return false }
    return request.header("Authorization") == "Bearer \(access)" && request.header("PRIVATE-TOKEN") == nil
  }

  /// Returns the response to `POST /oauth/token`; `nil` for other paths, and if the server has no OAuth application.
  func renewal(_ request: RecordedRequest, _ state: inout State) -> LoopbackReply? {
    guard request.path == ["oauth", "token"], var application = state.application else { return nil }
    let form = request.form ?? [:]
    guard request.method == "POST", request.header("Authorization") == nil, form["grant_type"] == "refresh_token" else {
      state.refused.append("\(request.line): not a renewal")
      return .json(["error": "unsupported_grant_type"], status: 400)
    }
    guard form["client_id"] == "client", form["client_secret"] == "hush" else {
      return .json(["error": "invalid_client", "error_description": "unknown"], status: 401)
    }
    guard form["refresh_token"] == application.refresh else {
      return .json(["error": "invalid_grant", "error_description": "revoked"], status: 400)
    }
    let loss = application.losses.popLast()
    if loss != .beforeRenewal {
      application.renewals += 1
      application.refresh = "refresh-\(application.renewals)"
      application.access = "access-\(application.renewals)"
      application.expiry = state.now.addingTimeInterval(Double(application.lifetime ?? 7200))
    }
    state.application = application
    guard loss == nil else { return .close }
    var response: [String: Any] = [
      "access_token": application.access ?? "", "refresh_token": application.refresh, "token_type": "Bearer",
      "created_at": Int(state.now.timeIntervalSince1970), "scope": "api",
    ]
    response["expires_in"] = application.lifetime
    return .json(response)
  }
}
