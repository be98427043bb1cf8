internal import Foundation
package import HTTPTransport
package import Localization

/// A drop folder on a WebDAV server.
package struct WebDAVStorage: DropStorage {
  private let base: HTTPURL
  private let credentials: @Sendable () throws -> HTTPCredentials
  private let transport: HTTPTransport
  private let deadlines: Deadlines

  /// - Parameters:
  ///   - address: `dav://` (http) or `davs://` (https). The folder must exist.
  ///   - credentials: called for each request, so a changed secret is used without a restart.
  /// - Throws: an error for other addresses, and for addresses with a user or a password.
  package init(
    address: String, credentials: @escaping @Sendable () throws -> HTTPCredentials, transport: HTTPTransport,
    deadlines: Deadlines = Deadlines()
  ) throws {
    let lower = address.lowercased()
    let scheme = lower.hasPrefix("davs://") ? "https" : "http"
    guard lower.hasPrefix("davs://") || lower.hasPrefix("dav://") else {
      throw VendorError(
        kind: .configuration, operation: "use path “\(address)”", detail: "a WebDAV folder needs dav:// or davs://")
    }
    base = try HTTPURL(scheme + address.drop { $0 != ":" })
    self.credentials = credentials
    self.transport = transport
    self.deadlines = deadlines
  }

  package init(
    address: String, credentials: HTTPCredentials, transport: HTTPTransport, deadlines: Deadlines = Deadlines()
  ) throws {
    try self.init(address: address, credentials: { credentials }, transport: transport, deadlines: deadlines)
  }

  package var place: String { (base.scheme == "https" ? "davs" : "dav") + base.withoutQuery.drop { $0 != ":" } }

  package func list(_ folder: TreePath) async throws -> DropListing? {
    let url = url(folder, folder: true)
    let response: HTTPResponse
    do {
      response = try await send(
        "PROPFIND", url, headers: [("Depth", "1"), ("Content-Type", "application/xml; charset=utf-8")],
        body: Array(WebDAVListing.request.utf8), limit: WebDAVListing.sizeLimit)
    } catch let error as TransportError where error.kind == .bodyTooLarge {
      throw WebDAVListing.tooLarge(url, "the server's listing is larger than \(WebDAVListing.sizeLimit >> 20) MiB")
    }
    switch response.status {
    case 207: return try WebDAVListing.parse(response, of: response.head.url, folder: folder)
    case 404: return nil
    case 200..<300: throw noListing("list \(place)/\(folder)", response)
    default: throw response.error("list \(place)/\(folder)", hint: hint(response))
    }
  }

  package func entry(_ path: TreePath) async throws -> DropEntry? {
    guard !path.isRoot else { return nil }
    let headers = [("Depth", "0"), ("Content-Type", "application/xml; charset=utf-8")]
    let body = Array(WebDAVListing.request.utf8)
    var response = try await send("PROPFIND", url(path), headers: headers, body: body)
    // Some servers require a slash after the name of a folder.
    if (300..<400).contains(response.status) {
      response = try await send("PROPFIND", url(path, folder: true), headers: headers, body: body)
    }
    switch response.status {
    case 207: return try WebDAVListing.parseEntry(response, path: path)
    case 404: return nil
    case 200..<300: throw noListing("read the attributes of \(place)/\(path)", response)
    default: throw response.error("read the attributes of \(place)/\(path)", hint: hint(response))
    }
  }

  package func read(_ path: TreePath, limit: Int) async throws -> [UInt8] {
    do {
      // At least 64 KiB are accepted, because the body of an error may be longer than `limit`.
      let response = try await send("GET", url(path), limit: max(limit, 1 << 16))
      guard response.status == 200 else {
        throw try await isGone(path, response) ? missing("read \(path)") : fault("read \(path)", response)
      }
      if response.body.count <= limit { return response.body }
    } catch let error as TransportError where error.kind == .bodyTooLarge {}
    throw VendorError(kind: .tooLarge, operation: "read \(path)", detail: "it is larger than \(limit) bytes")
  }

  package func create(_ path: TreePath, with bytes: [UInt8]) async throws {
    try await done(
      "write \(path)",
      try await send("PUT", url(path), headers: [("If-None-Match", "*")], body: bytes, isRepeatable: false))
  }

  package func replace(_ path: TreePath, with bytes: [UInt8]) async throws {
    try await done("write \(path)", try await send("PUT", url(path), body: bytes))
  }

  package func move(_ path: TreePath, to new: TreePath) async throws { try await transfer("MOVE", path, to: new) }

  package func copy(_ path: TreePath, to new: TreePath) async throws { try await transfer("COPY", path, to: new) }

  package func remove(_ path: TreePath) async throws {
    let response = try await send("DELETE", url(path))
    if response.status != 404 { try await done("remove \(path)", response) }
  }

  package func makeFolder(_ path: TreePath) async throws {
    var made = TreePath.root
    for component in path.components {
      made = made.appending(String(component))
      let response = try await send("MKCOL", url(made, folder: true))
      // 405: the name exists. 403: another client created the folder at the same moment.
      if response.status == 403, try await entry(made)?.kind == .folder { continue }
      if response.status != 405 { try await done("create folder \(made)", response) }
    }
  }

  private func transfer(_ method: String, _ path: TreePath, to new: TreePath) async throws {
    let isFolder = try await entry(path)?.kind == .folder
    let headers = [("Destination", url(new, folder: isFolder).text), ("Overwrite", "F")]
    let response = try await send(method, url(path, folder: isFolder), headers: headers)
    let operation = "\(method.lowercased()) \(path) to \(new)"
    if !response.head.isSuccess, try await isGone(path, response) { throw missing(operation) }
    try await done(operation, response)
  }

  /// Returns whether another client moved the file away during the request. Apache then returns 403 or 500.
  private func isGone(_ path: TreePath, _ response: HTTPResponse) async throws -> Bool {
    guard [403, 500].contains(response.status) else { return false }
    return try await entry(path) == nil
  }

  func missing(_ operation: String) -> VendorError {
    VendorError(kind: .missing, operation: operation, detail: "no such file or folder on \(place)")
  }

  func url(_ path: TreePath, folder: Bool = false) -> HTTPURL {
    base.appending(path.components.map(String.init), folder: folder)
  }

  func send(
    _ method: String, _ url: HTTPURL, headers: [(String, String)] = [], body: [UInt8]? = nil, limit: Int = 1 << 20,
    isRepeatable: Bool? = nil
  ) async throws -> HTTPResponse {
    let request = HTTPRequest(
      method, url, headers: headers.map { (name: $0.0, value: $0.1) }, credentials: try credentials(),
      body: body.map(HTTPRequestBody.bytes) ?? .none, deadlines: deadlines, responseLimit: limit,
      isRepeatable: isRepeatable)
    return try await transport.send(request)
  }

  /// Checks that a request other than PROPFIND succeeded. The status 207 means that the request failed for some files.
  func done(_ operation: String, _ response: HTTPResponse) async throws {
    guard response.head.isSuccess, response.status != 207 else { throw fault(operation, response) }
  }

  private func fault(_ operation: String, _ response: HTTPResponse) -> any Error {
    switch response.status {
    case 412:
      VendorError(kind: .exists, operation: operation, detail: "a file with this name already exists on \(place)")
    case 404, 409: missing(operation)
    default: response.error("\(operation) on \(place)", hint: hint(response))
    }
  }

  private func noListing(_ operation: String, _ response: HTTPResponse) -> any Error {
    // The transport has a more specific message if the response is a sign-in page.
    let error = response.error(operation)
    guard error.kind == .status(response.status) else { return error }
    return VendorError(
      kind: .protocolFault, operation: operation,
      detail: "the server returned \(response.status), not 207. Is this a WebDAV folder?")
  }

  private func hint(_ response: HTTPResponse) -> String? {
    response.status == 405 ? "is this a WebDAV folder?" : nil
  }
}
