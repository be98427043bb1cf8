internal import Foundation
internal import HTTPTransport

/// The example server of a page under docs, which runs as a reader would run it, but on a free port of 127.0.0.1. The server exits when
/// the last reference to this object is released.
package final class DocumentedServer: Sendable {
  package let port: Int
  private let child: SupervisedChild
  private let folder: TemporaryFolder

  package var url: String { "http://127.0.0.1:\(port)" }

  /// Starts the first Python block of a page, with another port in place of 8080.
  /// - Parameters:
  ///   - page: an absolute path.
  ///   - path: a resource for which the server returns 200 as soon as it is ready.
  /// - Returns: `nil` if Python is not installed; the reason is printed.
  package static func start(page: String, ready path: String) async throws -> DocumentedServer? {
    let python = "/usr/bin/python3"
    guard FileManager.default.fileExists(atPath: python) else {
      print("skipped: \(python) is missing; install python3")
      return nil
    }
    let text = try String(contentsOfFile: page, encoding: .utf8)
    guard let start = text.firstRange(of: "```python\n"), let end = text[start.upperBound...].firstRange(of: "```")
    else {
      throw CocoaError(.fileReadCorruptFile, userInfo: [NSLocalizedDescriptionKey: "\(page) has no Python block"])
    }
    let program = String(text[start.upperBound..<end.lowerBound])
    // Another process may take the free port before the server binds to it. In this case, another port is tried.
    var last: (any Error)?
    for _ in 0..<3 {
      do { return try await DocumentedServer(program, python, ready: path) } catch { last = error }
    }
    throw last ?? POSIXError(.EADDRINUSE)
  }

  private init(_ program: String, _ python: String, ready path: String) async throws {
    folder = try TemporaryFolder()
    port = try LoopbackPort.free()
    try folder.write(program.replacing("8080", with: "\(port)"), to: "server.py")
    child = try SupervisedChild(python, [folder.file("server.py")])
    let transport = HTTPTransport(TransportSettings(usesEnvironmentProxy: false))
    let request = HTTPRequest("GET", try HTTPURL(url).appending([path]))
    if await OtherProcess.wait(for: child, until: { (try? await transport.send(request))?.status == 200 }) { return }
    throw CocoaError(
      .executableLoad, userInfo: [NSLocalizedDescriptionKey: "the example server did not respond with status 200"])
  }
}
