internal import HTTPTransport
internal import Localization

/// The address of a drop folder in a bucket: `s3://bucket/prefix`, and the bucket's server.
struct S3Address: Hashable, Sendable {
  let bucket: String
  /// The prefix of all keys of the folder: empty, or ending with a slash.
  let prefix: String
  let region: String
  /// The URL of the bucket. The bucket's name is in the path or in the host name.
  let base: HTTPURL
  /// The address for people: the bucket and prefix and, except for AWS, the server.
  let text: String
  /// The end of `text` that contains the server; empty for AWS.
  private let server: String

  /// - Parameters:
  ///   - endpoint: the server's URL, to which the bucket is appended; `nil` for AWS, where the bucket is usually in the host name.
  ///   - region: the bucket's region; default `us-east-1`.
  /// - Throws: `configuration` for an invalid address, endpoint or region.
  init(_ text: String, endpoint: String?, region: String?) throws(VendorError) {
    func fault(_ detail: String) -> VendorError {
      VendorError(kind: .configuration, operation: "use path “\(text)”", detail: detail)
    }
    guard text.lowercased().hasPrefix("s3://") else { throw fault("a folder in a bucket needs s3://bucket/prefix") }
    let rest = text.dropFirst("s3://".count)
    let bucket = String(rest.prefix { $0 != "/" })
    guard (3...63).contains(bucket.utf8.count),
      bucket.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || ".-".utf8.contains($0) }),
      !bucket.contains("..")
    else {
      throw fault("“\(bucket)” is not the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens")
    }
    let parts = rest.dropFirst(bucket.count).split(separator: "/")
    guard !parts.contains(where: { $0 == "." || $0 == ".." }) else { throw fault("the prefix contains “.” or “..”") }
    let region = region ?? "us-east-1"
    guard !region.isEmpty,
      region.utf8.allSatisfy({ $0 == 0x2D || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) })
    else { throw fault("“\(region)” is not a region, such as eu-central-1") }
    let shown = "s3://" + ([Substring(bucket)] + parts).joined(separator: "/")
    do {
      if let endpoint {
        base = try HTTPURL(endpoint).appending([bucket])
        self.server = " at \(try HTTPURL(endpoint).withoutQuery)"
      } else {
        let host = "s3.\(region).amazonaws.com" + (region.hasPrefix("cn-") ? ".cn" : "")
        // The certificate of AWS does not cover bucket names with dots, so such a name is in the path instead of the host name.
        base = try HTTPURL(bucket.contains(".") ? "https://\(host)/\(bucket)" : "https://\(bucket).\(host)/")
        self.server = ""
      }
    } catch { throw fault("the endpoint is invalid: \(error.detail)") }
    self.text = shown + server
    self.bucket = bucket
    self.region = region
    prefix = parts.map { $0 + "/" }.joined()
  }

  /// Returns the address of an object for messages: `s3://bucket/prefix/a.xliff at http://host:9000/`.
  func text(of path: TreePath) -> String { "s3://\(bucket)/\(key(path))\(server)" }

  func key(_ path: TreePath) -> String { prefix + path.text }

  /// Returns the prefix of the keys below a folder.
  func keyPrefix(_ folder: TreePath) -> String { folder.isRoot ? prefix : prefix + folder.text + "/" }

  func url(_ key: String) -> HTTPURL {
    base.appending(
      key.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }, folder: key.hasSuffix("/"))
  }

  func url(query: [(name: String, value: String)]) throws(TransportError) -> HTTPURL {
    let pairs = query.map { "\(HTTPURL.encode($0.name))=\(HTTPURL.encode($0.value))" }
    return try HTTPURL(base.text + "?" + pairs.joined(separator: "&"))
  }
}
