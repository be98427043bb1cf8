import FoundationEssentials
package import Localization
package import Pipeline

/// Finds secrets where a pipeline file says they are.
package struct Credentials: Sendable {
  private let environment: [String: String]

  package init(environment: [String: String]) { self.environment = environment }

  /// - Returns: `nil` for `none`.
  /// - Throws: `PipelineError` that names the place and never the secret.
  package func secret(_ reference: CredentialReference, for purpose: String) throws -> Secret? {
    let operation = "find the credentials of \(purpose)"
    switch reference {
    case .none: return nil
    case .agent:
      throw PipelineError(
        .notBuilt, operation: operation, detail: "the SSH agent is not built yet; use env:NAME or file:PATH",
        disposition: .askPerson)
    case .environment(let name):
      guard let value = environment[name], !value.isEmpty else {
        throw PipelineError(
          .notFound, operation: operation,
          detail: "the environment variable \(name) is not set; set it and start again",
          disposition: .askPerson)
      }
      return Secret(value)
    case .file(let path):
      guard let data = FileManager.default.contents(atPath: path) else {
        throw PipelineError(
          .notFound, operation: operation, detail: "\(path) cannot be read; check that it is there and its rights",
          disposition: .askPerson)
      }
      var bytes = Array(data)
      while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
      guard !bytes.isEmpty else {
        throw PipelineError(.notFound, operation: operation, detail: "\(path) is empty", disposition: .askPerson)
      }
      return Secret(String(decoding: bytes, as: UTF8.self))
    }
  }
}
