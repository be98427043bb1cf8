import FoundationEssentials
package import HTTPTransport
package import Localization
package import Pipeline
import TranslationVendors

/// Reads secrets from the places that a pipeline file specifies. A file is read at each use, so a changed secret needs no restart.
package struct Credentials: Sendable {
  private let environment: [String: String]
  private static let largestFile = 1 << 16

  package init(environment: [String: String]) { self.environment = environment }

  /// - Returns: `nil` for `none`.
  /// - Throws: `PipelineError` with the place of the secret, never with the secret itself.
  package func secret(_ reference: CredentialReference, for purpose: String) throws -> Secret? {
    let operation = "get the credentials for \(purpose)"
    func missing(_ detail: String) -> PipelineError {
      PipelineError(.refused, operation: operation, detail: detail, disposition: .askPerson)
    }
    switch reference {
    // ssh itself asks the agent.
    case .none, .agent: return nil
    case .environment(let name):
      guard let value = environment[name], !value.isEmpty else {
        throw missing("the environment variable \(name) is not set. Set it and restart Dragoman, or use file:PATH")
      }
      return Secret(value)
    case .file(let path): return try Self.contents(of: path, missing)
    case .service(let name):
      guard let folder = environment["CREDENTIALS_DIRECTORY"], !folder.isEmpty else {
        throw missing(
          """
          this process has no credentials of a systemd service. Add LoadCredential=\(name):PATH to the unit and \
          restart it, or use file:PATH
          """)
      }
      return try Self.contents(of: folder + "/" + name, missing)
    }
  }

  /// The proxy that the environment names for a URL.
  package func proxy(for url: String) -> HTTPProxy? {
    HTTPProxy.named(by: environment, for: url.hasPrefix("https:") ? "https" : "http")
  }

  /// Reads a secret from a file, without the line breaks at its end.
  private static func contents(of path: String, _ missing: (String) -> PipelineError) throws -> Secret {
    func unreadable(_ why: String, _ step: String) -> PipelineError { missing("\(path) \(why). \(step)") }
    let attributes: [FileAttributeKey: Any]
    do { attributes = try FileManager.default.attributesOfItem(atPath: CanonicalPlace.path(path)) } catch {
      guard (error as? CocoaError)?.code == .fileReadNoSuchFile else {
        throw unreadable("cannot be read", "Check the permissions of the folders above it")
      }
      throw unreadable("does not exist", "Create it, or correct the path")
    }
    // The type is checked first, because reading a pipe would never end.
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      throw unreadable("is not a file", "Correct the path")
    }
    guard attributes[.size] as? UInt64 ?? 0 <= UInt64(largestFile) else {
      throw unreadable("has more than 64 KiB", "A file with a secret has only the secret")
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw unreadable("cannot be read", "Give this account the permission to read it")
    }
    var bytes = Array(data)
    while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
    guard !bytes.isEmpty else { throw missing("\(path) is empty") }
    return Secret(String(decoding: bytes, as: UTF8.self))
  }
}
