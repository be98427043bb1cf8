import FoundationEssentials
import HTTPTransport
package import Pipeline

/// The place where the workers of a database share facts: `DRAGOMAN_SHARED_FACTS`.
package enum SharedFactsPlace: Hashable, Sendable {
  case database
  case bucket(SharedFactsBucket)
  case nowhere

  /// - Parameter text: `store`, `off`, or the address of a bucket. An empty text means `store`.
  init(_ text: String) throws(SettingsFault) {
    switch text {
    case "", "store": self = .database
    case "off": self = .nowhere
    default: self = .bucket(try SharedFactsBucket(text))
    }
  }
}

/// A bucket of S3 or a compatible server: `s3://BUCKET/PREFIX?credentials=env:NAME`, with `endpoint` and `region` as in pipeline files. The text
/// contains only a reference to the keys, because other users of the machine may see it, for example in the unit of a service.
package struct SharedFactsBucket: Hashable, Sendable {
  /// The address without options: `s3://BUCKET/PREFIX`.
  package let address: String
  package let endpoint: String?
  package let region: String?
  package let credentials: CredentialReference

  init(_ text: String) throws(SettingsFault) {
    func fault(_ detail: String) -> SettingsFault { SettingsFault(faults: ["DRAGOMAN_SHARED_FACTS: \(detail)"]) }
    guard text.hasPrefix("s3://") else {
      // The message does not contain the invalid value, because it may be a secret.
      throw fault("write store, off, or s3://BUCKET/PREFIX?credentials=env:NAME")
    }
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    var options: [String: String] = [:]
    for pair in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
      let (name, value) = (String(pair.prefix { $0 != "=" }), String(pair.drop { $0 != "=" }.dropFirst()))
      guard ["endpoint", "region", "credentials"].contains(name), let value = HTTPURL.decode(value), !value.isEmpty,
        options.updateValue(value, forKey: name) == nil
      else { throw fault("after the question mark, write endpoint=, region= and credentials=, each once") }
    }
    guard let credentials = options["credentials"].flatMap({ CredentialReference($0) }), credentials != .agent else {
      throw fault(
        "the bucket needs a reference to ACCESS_KEY:SECRET, as credentials=REFERENCE: \(CredentialReference.notations)")
    }
    address = parts[0]
    endpoint = options["endpoint"]
    region = options["region"]
    self.credentials = credentials
  }
}
