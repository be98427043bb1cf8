import Foundation
import Synchronization
import TestSupport

/// A server for `git upload-pack` over HTTP. A test can change parts of its responses.
final class FaultyGitServer: Sendable {
  enum Part { case list, transfer }
  typealias Change = @Sendable (_ response: [UInt8]) -> LoopbackReply

  let repository: String
  private let changes = Mutex<[Part: Change]>([:])
  private let started = Mutex<LoopbackHTTPServer?>(nil)

  /// Starts the server.
  /// - Parameter repository: the path of a bare repository.
  init(_ repository: String) throws {
    self.repository = repository
    let server = try LoopbackHTTPServer { [weak self] request, _ in
      (try? self?.response(to: request)) ?? .respond(status: 500)
    }
    started.withLock { $0 = server }
  }

  var url: String { started.withLock { $0?.url ?? "" } + "/app.git" }

  /// Changes a part of all later responses; `nil` restores git's own responses.
  func change(_ part: Part, _ change: Change?) { changes.withLock { $0[part] = change } }

  /// Returns the headers of a response with this length.
  static func head(_ part: Part, length: Int) -> [UInt8] {
    Array("HTTP/1.1 200 OK\r\nContent-Type: \(type(part))\r\nContent-Length: \(length)\r\n\r\n".utf8)
  }

  static func response(_ part: Part, _ body: [UInt8]) -> LoopbackReply {
    .respond(status: 200, headers: [("Content-Type", type(part))], body: body)
  }

  private static func type(_ part: Part) -> String {
    "application/x-git-upload-pack-\(part == .list ? "advertisement" : "result")"
  }

  /// Returns git's response, or the response as the test changes it. git gets no protocol version here, so fetches and polls both use
  /// version 0.
  private func response(to request: RecordedRequest) throws -> LoopbackReply {
    let part = request.method == "GET" ? Part.list : .transfer
    let folder = try TemporaryFolder("upload-pack")
    try folder.write(request.body, to: "in")
    let child = try ChildProcess(
      "git",
      ["-c", "safe.directory=*", "upload-pack", "--stateless-rpc"] + (part == .list ? ["--advertise-refs"] : [])
        + [repository],
      input: .file(folder.file("in")), output: .file(folder.file("out")), errors: .null)
    child.waitUntilExit()
    var body = try folder.read("out")
    if part == .list { body = Array("001e# service=git-upload-pack\n0000".utf8) + body }
    return changes.withLock { $0[part] }?(body) ?? Self.response(part, body)
  }
}
