import HTTPTransport
import Localization
import Pipeline
import TranslationVendors

/// A check of the URLs of webhooks. Usually the whole URL is a secret, so errors do not contain it.
enum NoticeAddress {
  /// Returns the URL of a webhook.
  /// - Throws: `PipelineError` if the URL is missing or invalid, contains credentials, or would send the message to another machine unencrypted.
  static func url(_ address: Secret?, _ reference: CredentialReference) throws -> HTTPURL {
    func refused(_ detail: String) -> PipelineError {
      PipelineError(
        .refused, operation: "read the URL in \(reference.text)", detail: detail, disposition: .askPerson)
    }
    guard let address else { throw refused("it is empty. Store the URL of a webhook there") }
    guard !Address.holdsCredentials(address.reveal()) else {
      throw refused("it contains a user name or a password, which are not sent. Use a URL without them")
    }
    let url: HTTPURL
    do { url = try HTTPURL(address.reveal()) } catch { throw refused("\(error.detail). Store the URL of a webhook") }
    guard url.scheme == "https" || Address.isLocal(url.host) else {
      throw refused("it begins with http://, so the message would be sent unencrypted. Use an https URL")
    }
    return url
  }
}
