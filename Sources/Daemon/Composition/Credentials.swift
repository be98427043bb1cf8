import FoundationEssentials
package import HTTPTransport
package import Localization
package import Pipeline
import TranslationVendors

/// A reader of the secrets to which pipeline files, the address of the database and the daemon's settings refer. A secret in a file is read at each
/// use, so it can be changed without a restart.
package struct Credentials: Sendable {
  private let environment: [String: String]
  private static let largestFile = 1 << 16

  package init(environment: [String: String]) { self.environment = environment }

  /// Returns a secret without white space at its start and end, and at the end of each line.
  /// - Returns: `nil` for `none` and `agent`.
  /// - Throws: `PipelineError` if the secret is missing, unreadable or malformed. The error names the location of the secret, and never contains the
  ///   secret.
  package func secret(_ reference: CredentialReference, for purpose: String) throws -> Secret? {
    let operation = "get the credentials for \(purpose)"
    func missing(_ detail: String) -> PipelineError {
      PipelineError(.refused, operation: operation, detail: detail, disposition: .askPerson)
    }
    switch reference {
    // For `agent`, ssh finds the keys itself: in its agent, or in the account's default files.
    case .none, .agent: return nil
    case .environment(let name):
      guard let value = environment[name].map(Self.trimmed), !value.isEmpty else {
        throw missing(
          "the environment variable \(name) is not set, or is empty. Set it and restart Dragoman, or use file:PATH")
      }
      return try Self.secret(value, of: "the environment variable \(name)", missing)
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

  /// Returns the proxy that the environment specifies for a URL; `nil` if the environment specifies no proxy.
  package func proxy(for url: String) -> HTTPProxy? {
    HTTPProxy.named(by: environment, for: url.hasPrefix("https:") ? "https" : "http")
  }

  /// Reads a secret from a file.
  private static func contents(of path: String, _ missing: (String) -> PipelineError) throws -> Secret {
    func unreadable(_ why: String, _ step: String) -> PipelineError { missing("\(path) \(why). \(step)") }
    let attributes: [FileAttributeKey: Any]
    do { attributes = try FileManager.default.attributesOfItem(atPath: CanonicalPlace.path(path)) } catch {
      guard (error as? CocoaError)?.code == .fileReadNoSuchFile else {
        throw unreadable("cannot be read", "Check the permissions of the folders above it")
      }
      throw unreadable("does not exist", "Create it, or correct the path")
    }
    // The type is checked first, because reading from a pipe would block forever.
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      throw unreadable("is not a file", "Correct the path")
    }
    guard attributes[.size] as? UInt64 ?? 0 <= UInt64(largestFile) else {
      throw unreadable("has more than 64 KiB", "The file must contain only the secret")
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw unreadable("cannot be read", "Give this account the permission to read it")
    }
    let text = trimmed(String(decoding: data, as: UTF8.self))
    guard !text.isEmpty else { throw missing("\(path) is empty. Store the secret in it") }
    return try secret(text, of: path, missing)
  }

  /// Removes what editors and shells add to a secret: a byte order mark, and white space at the start, at the end and at the end of each line. Lines
  /// end with LF in the result.
  private static func trimmed(_ text: String) -> String {
    func isMargin(_ character: Character) -> Bool { character.isWhitespace || character == "\u{FEFF}" }
    // Swift treats CR LF as one Character.
    let lines = text.drop(while: isMargin)
      .split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }
      .map { (line: Substring) -> Substring in line.lastIndex { !isMargin($0) }.map { line[...$0] } ?? "" }
    guard let last = lines.lastIndex(where: { !$0.isEmpty }) else { return "" }
    return lines[...last].joined(separator: "\n")
  }

  /// Returns a secret after checking its number of lines. Tokens and passwords have one line; keys and certificates have several. If a token with two
  /// lines were sent in an HTTP header, its second line would begin another header.
  private static func secret(
    _ text: String, of place: String, _ missing: (String) -> PipelineError
  ) throws -> Secret {
    let breaks = text.count { $0 == "\n" }
    guard breaks == 0 || text.contains("-----BEGIN ") else {
      throw missing(
        "\(place) has \(breaks + 1) lines. A token or password has one line; only a key or certificate has several, and "
          + "contains -----BEGIN. Remove the other lines")
    }
    return Secret(text)
  }
}
