import HTTPTransport
import Localization
private import Synchronization

/// A client that lists the branches of a remote over HTTP in this process, usually with one small request on a persistent connection.
final class RemoteLook: Sendable {
  private let url: RemoteURL
  private let child: GitNetworkChild
  private let network: NetworkResources
  /// Whether the server has responded to a command of protocol version 2. If so, the next look skips the advertisement.
  private let speaksVersion2 = Mutex(false)
  private static let contentLimit = 64 << 20

  init(url: RemoteURL, child: GitNetworkChild, network: NetworkResources) {
    self.url = url
    self.child = child
    self.network = network
  }

  func heads(
    _ credentials: GitCredentials?, over connection: HTTPConnection, _ operation: String
  ) async throws(GitError) -> RemoteHeads {
    let base: HTTPURL
    let query: HTTPURL
    do {
      base = try HTTPURL(url.text)
      query = try HTTPURL(base.appending(["info", "refs"]).text + "?service=git-upload-pack")
    } catch { throw GitError(.unsupported, operation, error.detail) }
    let wasVersion2 = speaksVersion2.withLock { $0 }
    if wasVersion2 {
      let response = try await send(command(base, credentials), over: connection, operation)
      if response.status == 200, Self.isResult(response) {
        let found = try ReferenceAdvertisement.readingCommand(response.body, operation)
        return RemoteHeads(found)
      }
      // Either another server has replaced the previous server and needs the advertisement first, or the server has an error, which the next request
      // reports.
      speaksVersion2.withLock { $0 = false }
    }
    let request = HTTPRequest(
      "GET", query, headers: [("Git-Protocol", "version=2")], credentials: http(credentials), deadlines: deadlines,
      responseLimit: Self.contentLimit)
    let response = try await send(request, over: connection, operation)
    try check(response, hasCredentials: credentials != nil, over: connection, operation)
    guard response.head.header("Content-Type") == "application/x-git-upload-pack-advertisement" else {
      let type = ServerWords.cleaned(response.head.header("Content-Type") ?? "none")
      throw GitError(.noSuchRemote, operation, "no git repository at this URL (content type \(type))")
    }
    let advertised = try ReferenceAdvertisement.reading(response.body, operation)
    guard advertised.speaksVersion2 else { return RemoteHeads(advertised) }
    let listed = try await send(command(base, credentials), over: connection, operation)
    try check(listed, hasCredentials: credentials != nil, over: connection, operation)
    guard Self.isResult(listed) else {
      throw GitError(.unreachable, operation, "the response to ls-refs has an unexpected content type")
    }
    let found = try ReferenceAdvertisement.readingCommand(listed.body, operation)
    speaksVersion2.withLock { $0 = true }
    return RemoteHeads(found)
  }

  private func command(_ base: HTTPURL, _ credentials: GitCredentials?) -> HTTPRequest {
    HTTPRequest(
      "POST", base.appending(["git-upload-pack"]),
      headers: [
        ("Content-Type", "application/x-git-upload-pack-request"), ("Accept", "application/x-git-upload-pack-result"),
        ("Git-Protocol", "version=2"),
      ], credentials: http(credentials), body: .bytes(ReferenceAdvertisement.command), deadlines: deadlines,
      responseLimit: Self.contentLimit, isRepeatable: true)
  }

  private static func isResult(_ response: HTTPResponse) -> Bool {
    response.head.header("Content-Type") == "application/x-git-upload-pack-result"
  }

  private func http(_ credentials: GitCredentials?) -> HTTPCredentials {
    HTTPCredentials(user: credentials?.user, secret: credentials?.secret)
  }

  private var deadlines: Deadlines {
    Deadlines(connect: min(child.stallLimit, child.deadline), stall: child.stallLimit, whole: child.deadline)
  }

  private func send(
    _ request: HTTPRequest, over connection: HTTPConnection, _ operation: String
  ) async throws(GitError) -> HTTPResponse {
    do {
      return try await network.transport(over: connection).send(request)
    } catch {
      if Task.isCancelled { throw GitError(.cancelled, operation, "cancelled") }
      throw GitError(error, operation, detail: words(for: error), over: connection)
    }
  }

  private func words(for error: TransportError) -> String {
    switch error.kind {
    case .connectTimedOut where child.deadline > child.stallLimit:
      "no connection within \(child.stallLimit)"
    case .timedOut, .connectTimedOut: "it took longer than \(child.deadline)"
    case .stalled: "the server sent nothing for \(child.stallLimit)"
    default: error.detail
    }
  }

  private func check(
    _ response: HTTPResponse, hasCredentials: Bool, over connection: HTTPConnection, _ operation: String
  ) throws(GitError) {
    let fault = GitError(
      response.head, body: response.body, hasCredentials: hasCredentials, over: connection, operation)
    if let fault { throw fault }
  }
}
