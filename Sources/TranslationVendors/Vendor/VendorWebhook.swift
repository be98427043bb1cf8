/// How a vendor proves that it sent a webhook request. The content of the request is not read: the request only triggers a look at
/// the vendor.
package enum VendorWebhook: Hashable, Sendable {
  /// The secret itself in a header. It does not authenticate the body.
  case secret(header: String)
  /// HMAC-SHA256 of the raw body in a header, in hexadecimal digits or base64.
  case body(header: String)
  /// HMAC-SHA256 of some headers and the raw body, with `separator` between them, in hexadecimal digits. The last of the headers is the
  /// time in seconds since 1970.
  case headers([String], separator: String, signature: String, tolerance: Duration)
  /// A header of JSON with `timestamp`, in milliseconds since 1970, and `signature`: HMAC-SHA256 of the timestamp, a dot and the raw body,
  /// in hexadecimal digits.
  case stamped(header: String)
  /// HMAC-SHA256, in base64, of four lines: `POST`, the headers `url` and `date`, and the MD5 digest of the raw body in hexadecimal digits.
  /// The date is in HTTP's format.
  case lines(url: String, date: String, signature: String)
  /// Standard Webhooks.
  case standard
}
