internal import Foundation
internal import HTTPTransport
internal import StructuredText

/// The `<Error>` element of a response.
struct S3Fault: Hashable {
  var code: String
  var message: String
  var region: String?

  /// Parses the body of a response; `nil` if the body is not an `<Error>`.
  /// - Parameter mask: hides secrets in the server's response. The mask is applied before texts are shortened.
  init?(_ response: HTTPResponse, _ mask: SecretMask = SecretMask([])) {
    let options = XMLOptions(depth: 8, size: 1 << 16)
    guard let document = try? XMLDocument.parse(response.body, options: options),
      document.isElement(document.root, "Error")
    else { return nil }
    func text(_ name: StaticString) -> String? {
      document.firstElement(name, of: document.root).map { mask.text(document.text(of: $0)) }
    }
    code = text("Code") ?? ""
    let words = (text("Message") ?? "").unicodeScalars.filter { $0.value >= 0x20 }.prefix(200)
    message = String(String.UnicodeScalarView(words))
    region = text("Region")
  }

  /// Returns an error for a response, with the cause and the next step.
  static func error(_ operation: String, _ response: HTTPResponse, _ address: S3Address, now: Date, mask: SecretMask)
    -> any Error
  {
    let fault = S3Fault(response, mask)
    let operation = "\(operation) on \(address.text)"
    func error(_ kind: VendorError.Kind, _ detail: String) -> VendorError {
      VendorError(kind: kind, operation: operation, detail: detail)
    }
    if response.status == 403, let words = clockWords(response, now: now, code: fault?.code) {
      return error(.refused, words)
    }
    let region = fault?.region ?? response.head.header("x-amz-bucket-region").map(mask.text)
    if [301, 400, 307].contains(response.status), let region, region != address.region {
      return error(.configuration, "the bucket is in the region \(region). Set `region: \(region)`")
    }
    switch fault?.code ?? "" {
    case "NoSuchBucket":
      return error(
        .configuration, "the bucket \(address.bucket) does not exist. Create it, or correct `path` or `endpoint`")
    case "InvalidAccessKeyId": return error(.refused, "the access key is unknown to the server. Check `credentials`")
    case "SignatureDoesNotMatch":
      return error(.refused, "the secret does not match the access key, or `region` is wrong. Check `credentials`")
    case "ExpiredToken", "TokenRefreshRequired":
      return error(.refused, "the session token has expired. Provide new credentials")
    case "InvalidToken": return error(.refused, "the session token is not valid. Check `credentials`")
    case "AccessDenied", "AllAccessDisabled", "AccountProblem":
      return error(
        .refused,
        "the account does not have the permission for this. It needs s3:ListBucket, s3:GetObject, s3:PutObject and "
          + "s3:DeleteObject on \(address.bucket)")
    case "NoSuchKey": return error(.missing, "no such file")
    default: break
    }
    if response.status == 403 {
      return error(.refused, "the server returned 403. Check `credentials`, and the permissions on \(address.bucket)")
    }
    if response.status == 404 { return error(.missing, "no such file") }
    let hint = fault.map { "\($0.code): “\($0.message)”" }
    return response.error(operation, hint: hint)
  }

  /// Returns a message if the request failed because this machine's clock is wrong; otherwise `nil`. Signatures are valid for 15 minutes by the
  /// server's clock. If the response has no error code, as after HEAD, the two clocks are compared.
  private static func clockWords(_ response: HTTPResponse, now: Date, code: String?) -> String? {
    let server = response.head.header("Date").flatMap(HTTPDate.seconds)
    let skew = server.map { Int64(now.timeIntervalSince1970) - $0 }
    guard code == "RequestTimeTooSkewed" || code == nil && abs(skew ?? 0) > 900 else { return nil }
    guard let skew, abs(skew) >= 60 else { return "this machine's clock differs from the server's. Set the clock" }
    let minutes = abs(skew) / 60
    return "this machine's clock is \(minutes) \(minutes == 1 ? "minute" : "minutes") "
      + "\(skew > 0 ? "ahead of" : "behind") the server's. Set the clock, for example with NTP"
  }
}
