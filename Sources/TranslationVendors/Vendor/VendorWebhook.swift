/// The method by which a vendor proves that it sent a webhook request. Such a request only makes Dragoman check the vendor for changes, so its
/// content is not read. A signature may be in hexadecimal digits or in base64, whichever the vendor uses. A time in the signed values must not differ
/// from the current time by more than five minutes, unless a case states another limit.
package enum VendorWebhook: Hashable, Sendable {
  /// A header that contains the secret itself. The body is not authenticated.
  case secret(header: String)
  /// A header that contains the HMAC-SHA256 of the raw body.
  case body(header: String)
  /// A header `signature` that contains the HMAC-SHA256 of these headers' values and the raw body, joined by `separator`. The last of these headers
  /// contains the time in seconds since 1970, which may differ from the current time by at most `tolerance`.
  case headers([String], separator: String, signature: String, tolerance: Duration)
  /// A header that contains JSON with `timestamp`, in milliseconds since 1970, and `signature`: HMAC-SHA256 of the timestamp, a dot and the raw body.
  case stamped(header: String)
  /// A header `signature` that contains the HMAC-SHA256 of four lines. The lines are `POST`, the values of the headers `url` and `date`, and the MD5
  /// digest of the raw body in hexadecimal digits. The date is in HTTP's format.
  case lines(url: String, date: String, signature: String)
  /// The signature of the specification Standard Webhooks.
  case standard
}
