internal import Foundation
internal import HTTPTransport
internal import Localization
internal import StructuredText

/// The objects and folders below a prefix (ListObjectsV2).
struct S3Listing {
  var objects: [S3Object] = []
  /// The folders directly below the listed prefix, as prefixes that end with a slash. Empty if the keys in all folders are listed.
  var folders: [String] = []
  /// The time of the listing by the server's clock; `nil` if unknown.
  var now: Date?

}

extension S3Client {
  /// Lists the objects below a prefix.
  /// - Parameters:
  ///   - deep: whether to list the keys in all folders below the prefix.
  ///   - count: the maximum number of keys; `nil` for all.
  func list(_ prefix: String, deep: Bool, count: Int? = nil) async throws -> S3Listing {
    var listing = S3Listing()
    var token: String?
    repeat {
      var query: [(name: String, value: String)] = [("list-type", "2"), ("encoding-type", "url"), ("prefix", prefix)]
      if !deep { query.append(("delimiter", "/")) }
      if let token { query.append(("continuation-token", token)) }
      if let count { query.append(("max-keys", String(count))) }
      let response = try await send("GET", try address.url(query: query), limit: 16 << 20)
      guard response.status == 200 else { throw fault("list \(prefix)", response) }
      let next = try add(response, prefix, to: &listing)
      guard next == nil || next != token else { throw protocolFault(prefix, "the token of the next page repeats") }
      token = next
      guard listing.objects.count + listing.folders.count <= DropListing.limit else {
        throw VendorError(
          kind: .tooLarge, operation: "list \(prefix) on \(address.text)",
          detail: "it has more than \(DropListing.limit) entries")
      }
    } while token != nil && count == nil
    return listing
  }

  /// Adds the objects and folders of a response to a listing.
  /// - Returns: the token of the next page; `nil` after the last page.
  private func add(_ response: HTTPResponse, _ prefix: String, to listing: inout S3Listing) throws -> String? {
    let document: XMLDocument
    do { document = try XMLDocument.parse(response.body, options: XMLOptions(depth: 16, size: 16 << 20)) } catch {
      throw protocolFault(prefix, "it is not XML: \(error)")
    }
    guard document.isElement(document.root, "ListBucketResult") else {
      throw protocolFault(prefix, "it is not a list of objects. Is this an S3 server?")
    }
    func text(_ name: StaticString, of node: XMLNode) -> String? {
      document.firstElement(name, of: node).map { document.text(of: $0) }
    }
    let isEncoded = text("EncodingType", of: document.root) == "url"
    // A plus sign is a space, as in HTML forms.
    func decoded(_ text: String) -> String? { isEncoded ? HTTPURL.decode(text.replacing("+", with: "%20")) : text }
    for element in document.elements(of: document.root) {
      switch document.localName(of: element) {
      case "Contents":
        guard let key = text("Key", of: element).flatMap(decoded), key.hasPrefix(prefix) else { continue }
        listing.objects.append(
          S3Object(
            key: key, size: text("Size", of: element).flatMap { Int($0) } ?? 0, tag: text("ETag", of: element) ?? "",
            modified: text("LastModified", of: element).flatMap(Self.date)))
      case "CommonPrefixes":
        if let folder = text("Prefix", of: element).flatMap(decoded), folder.hasPrefix(prefix) {
          listing.folders.append(folder)
        }
      default: break
      }
    }
    listing.now = response.head.header("Date").flatMap(HTTPDate.seconds).map {
      Date(timeIntervalSince1970: TimeInterval($0))
    }
    guard text("IsTruncated", of: document.root) == "true" else { return nil }
    guard let token = text("NextContinuationToken", of: document.root), !token.isEmpty else {
      throw protocolFault(prefix, "it is incomplete, but has no token for the next page")
    }
    return token
  }

  private func protocolFault(_ prefix: String, _ detail: String) -> VendorError {
    VendorError(
      kind: .protocolFault, operation: "list \(prefix) on \(address.text)",
      detail: "the server's response cannot be read: \(detail)")
  }

  private static func date(_ text: String) -> Date? {
    (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
      ?? (try? Date(text, strategy: .iso8601))
  }
}
