package import Foundation
package import HTTPTransport
package import Localization

/// The keys of an account: `ACCESS_KEY:SECRET` or `ACCESS_KEY:SECRET:SESSION_TOKEN`.
package struct S3Credentials: Hashable, Sendable {
  package let accessKey: String
  package let secret: Secret
  /// The session token of temporary keys.
  package let session: Secret?

  /// - Throws: `configuration` if the text has another form. The message does not contain the secret.
  package init(_ text: Secret) throws(VendorError) {
    let parts = text.reveal().split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } })
    else {
      throw VendorError(
        kind: .configuration, operation: "use the credentials of the vendor folder",
        detail: "credentials for S3 must be ACCESS_KEY:SECRET or ACCESS_KEY:SECRET:SESSION_TOKEN, on one line")
    }
    accessKey = parts[0]
    secret = Secret(parts[1])
    session = parts.count == 3 ? Secret(parts[2]) : nil
  }
}

/// A signer of requests with AWS Signature Version 4. The signature also covers the digest of the body.
package struct S3Signer: Sendable {
  package let credentials: S3Credentials
  package let region: String

  package init(_ credentials: S3Credentials, region: String) {
    self.credentials = credentials
    self.region = region
  }

  /// Returns all headers of the signed request except `host`: the given headers, and the headers of the signature. The signature covers the given
  /// headers, the added `x-amz-` headers and `host`.
  /// - Parameters:
  ///   - headers: headers without line breaks and without repeated names.
  ///   - digest: the SHA-256 of the body in hexadecimal digits.
  package func headers(
    _ method: String, _ url: HTTPURL, _ headers: [(name: String, value: String)], digest: String, date: Date
  ) -> (open: [(name: String, value: String)], secret: [(name: String, value: Secret)]) {
    let time = date.formatted(.iso8601).replacing("-", with: "").replacing(":", with: "")
    let day = time.prefix(8)
    let open = headers + [("x-amz-date", time), ("x-amz-content-sha256", digest)]
    var secret: [(name: String, value: Secret)] = credentials.session.map { [("x-amz-security-token", $0)] } ?? []
    let isDefaultPort = url.port == (url.scheme == "https" ? 443 : 80)
    let host = url.host + (isDefaultPort ? "" : ":\(url.port)")
    let all = open + secret.map { (name: $0.name, value: $0.value.reveal()) } + [(name: "host", value: host)]
    let signed =
      all
      .map { (name: $0.name.lowercased(), value: Self.trimmed($0.value)) }.sorted { $0.name < $1.name }
    let names = signed.map(\.name).joined(separator: ";")
    let canonical = [
      method, url.path, Self.canonical(url.query ?? ""),
      signed.map { "\($0.name):\($0.value)\n" }.joined(), names, digest,
    ].joined(separator: "\n")
    let scope = "\(day)/\(region)/s3/aws4_request"
    let text = "AWS4-HMAC-SHA256\n\(time)\n\(scope)\n" + ContentDigest.hexadecimal(of: canonical.utf8)
    var key = Array("AWS4\(credentials.secret.reveal())".utf8)
    for part in [String(day), region, "s3", "aws4_request", text] {
      key = ContentDigest.authentication(of: Array(part.utf8), key: key)
    }
    let value =
      "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope),SignedHeaders=\(names),Signature=\(key.hexadecimal)"
    secret.append(("Authorization", Secret(value)))
    return (open, secret)
  }

  /// Returns the query in the canonical form that the signature covers: the parts are sorted, and each has an equals sign.
  private static func canonical(_ query: String) -> String {
    let parts = query.split(separator: "&").map { part in
      (name: String(part.prefix { $0 != "=" }), value: String(part.drop { $0 != "=" }.dropFirst()))
    }
    return parts.sorted { ($0.name, $0.value) < ($1.name, $1.value) }.map { "\($0.name)=\($0.value)" }
      .joined(separator: "&")
  }

  private static func trimmed(_ value: String) -> String {
    value.split(separator: " ").joined(separator: " ")
  }
}
