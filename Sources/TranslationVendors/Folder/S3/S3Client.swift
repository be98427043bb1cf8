internal import Foundation
internal import HTTPTransport
internal import Localization
internal import StructuredText

/// A client that sends signed requests to one bucket. Errors for refused requests contain the cause and the next step.
struct S3Client: Sendable {
  let address: S3Address
  let credentials: @Sendable () throws -> S3Credentials
  let transport: HTTPTransport
  let deadlines: Deadlines
  let now: @Sendable () -> Date

  /// Signs and sends a request.
  /// - Parameter isRepeatable: whether the transport may repeat the request.
  func send(
    _ method: String, _ url: HTTPURL, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil,
    limit: Int = 1 << 20, isRepeatable: Bool = true
  ) async throws -> HTTPResponse {
    let signer = S3Signer(try credentials(), region: address.region)
    let signed = signer.headers(
      method, url, headers, digest: ContentDigest.hexadecimal(of: body ?? []), date: now())
    let request = HTTPRequest(
      method, url, headers: signed.open, secretHeaders: signed.secret, body: body.map(HTTPRequestBody.bytes) ?? .none,
      deadlines: deadlines, responseLimit: limit, isRepeatable: isRepeatable)
    return try await transport.send(request)
  }

  /// Returns the size, entity tag and time of an object; `nil` if the object does not exist.
  func head(_ key: String) async throws -> S3Object? {
    let response = try await send("HEAD", address.url(key), limit: .max)
    switch response.status {
    case 200: return S3Object(key: key, response.head)
    case 404: return nil
    default: throw fault("read the attributes of \(key)", response)
    }
  }

  /// Reads an object.
  /// - Parameter tag: the entity tag that the object must have; `nil` for any tag.
  /// - Throws: `missing` if the object does not exist or has another entity tag, `tooLarge` if the object has more than `limit` bytes,
  ///   `protocolFault` if the contents do not match the server's checksum.
  func get(_ key: String, tag: String? = nil, limit: Int) async throws -> (
    bytes: [UInt8], object: S3Object, serverNow: Date?
  ) {
    let operation = "read \(key)"
    let tooLarge = VendorError(kind: .tooLarge, operation: operation, detail: "it is larger than \(limit) bytes")
    var headers = [(name: "x-amz-checksum-mode", value: "ENABLED")]
    if let tag { headers.append(("If-Match", tag)) }
    let response: HTTPResponse
    // At least 64 KiB are accepted, because the body of an error may be longer than `limit`.
    do { response = try await send("GET", address.url(key), headers: headers, limit: max(limit, 1 << 16)) } catch let
      error
      as TransportError where error.kind == .bodyTooLarge
    { throw tooLarge }
    if response.status == 412 { throw missing(operation) }
    guard response.status == 200 else { throw fault(operation, response) }
    guard response.body.count <= limit else { throw tooLarge }
    // The checksum of an object in parts contains a hyphen. Such a checksum is computed from the parts' checksums and cannot be compared.
    if let sum = response.head.header("x-amz-checksum-sha256"), !sum.contains("-"), sum != Self.checksum(response.body)
    {
      throw VendorError(
        kind: .protocolFault, operation: "\(operation) from \(address.text)",
        detail: "the content does not match the server's checksum")
    }
    let serverNow = response.head.header("Date").flatMap(HTTPDate.seconds).map {
      Date(timeIntervalSince1970: TimeInterval($0))
    }
    return (response.body, S3Object(key: key, response.head), serverNow)
  }

  enum Condition { case always, ifNew }

  /// Writes an object.
  /// - Throws: `exists` if the condition is `ifNew` and the object exists; `disk` if other clients keep writing the same key.
  func put(_ key: String, _ bytes: [UInt8], _ condition: Condition) async throws {
    var headers = [(name: "x-amz-checksum-sha256", value: Self.checksum(bytes))]
    if condition == .ifNew { headers.append(("If-None-Match", "*")) }
    let operation = "write \(key)"
    for _ in 0..<3 {
      let response = try await send(
        "PUT", address.url(key), headers: headers, body: bytes, isRepeatable: condition == .always)
      // Another client was writing the same key. The next attempt shows whether the key exists now.
      if response.status == 409, condition == .ifNew { continue }
      guard response.status != 412 else { throw exists(operation) }
      guard response.head.isSuccess else { throw fault(operation, response) }
      return
    }
    throw VendorError(
      kind: .disk, operation: operation, detail: "other clients are writing this file at the same time")
  }

  /// Copies an object on the server. Objects that are too large to be downloaded and uploaded again are copied in this way. Throws `exists` if the
  /// new key exists, and `missing` if the source object has changed.
  func copy(_ source: S3Object, to key: String) async throws {
    let operation = "copy \(source.key) to \(key)"
    let path =
      "/" + address.bucket + "/"
      + source.key.split(separator: "/").map { HTTPURL.encode($0.description) }.joined(separator: "/")
    let headers = [
      (name: "x-amz-copy-source", value: path), ("x-amz-copy-source-if-match", source.tag), ("If-None-Match", "*"),
    ]
    guard try await head(key) == nil else { throw exists(operation) }
    let response = try await send("PUT", address.url(key), headers: headers, body: [], isRepeatable: false)
    guard response.status != 412 else { throw missing(operation) }
    // If a copy fails after it has started, the status is also 200, and the body contains the error.
    guard response.head.isSuccess, S3Fault(response) == nil else { throw fault(operation, response) }
  }

  /// Removes an object. A missing object is not an error.
  /// - Parameter tag: the entity tag of the object to remove. An object with another tag is kept. With `nil`, the object is removed whatever its tag
  ///   is.
  func delete(_ key: String, tag: String? = nil) async throws {
    let headers = tag.map { [(name: "If-Match", value: $0)] } ?? []
    let response = try await send("DELETE", address.url(key), headers: headers)
    // This server does not support conditional deletion, so the entity tag is compared before the deletion.
    if tag != nil, [400, 501].contains(response.status), S3Fault(response)?.code == "NotImplemented" {
      guard try await head(key)?.tag == tag else { return }
      return try await delete(key)
    }
    guard response.head.isSuccess || [404, 412].contains(response.status) else {
      throw fault("remove \(key)", response)
    }
  }

  static func checksum(_ bytes: [UInt8]) -> String { Data(ContentDigest.of(bytes)).base64EncodedString() }

  func missing(_ operation: String) -> VendorError {
    VendorError(kind: .missing, operation: operation, detail: "no such file on \(address.text)")
  }

  func exists(_ operation: String) -> VendorError {
    VendorError(kind: .exists, operation: operation, detail: "a file with this name already exists on \(address.text)")
  }

  func fault(_ operation: String, _ response: HTTPResponse) -> any Error {
    let known = try? credentials()
    return S3Fault.error(
      operation, response, address, now: now(), mask: SecretMask([], whole: [known?.secret, known?.session]))
  }
}

/// The properties of an object, without its contents.
struct S3Object: Hashable, Sendable {
  var key: String
  var size: Int
  /// The entity tag, with its quotation marks.
  var tag: String
  var modified: Date?

  init(key: String, size: Int, tag: String, modified: Date?) {
    self.key = key
    self.size = size
    self.tag = tag
    self.modified = modified
  }

  init(key: String, _ head: HTTPResponseHead) {
    self.init(
      key: key, size: head.header("Content-Length").flatMap { Int($0) } ?? 0, tag: head.header("ETag") ?? "",
      modified: head.header("Last-Modified").flatMap(HTTPDate.seconds).map {
        Date(timeIntervalSince1970: TimeInterval($0))
      })
  }
}
