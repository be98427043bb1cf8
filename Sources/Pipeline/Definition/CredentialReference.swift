/// The place of a credential. A pipeline file never contains the secret itself.
package enum CredentialReference: Hashable, Sendable {
  case none
  case environment(String)
  case file(String)
  /// A file in the folder that systemd creates for the service's credentials (systemd.exec(5), `LoadCredential=`).
  case service(String)
  /// The SSH agent.
  case agent

  /// The reference as it is written in a pipeline file.
  package var text: String {
    switch self {
    case .none: "none"
    case .environment(let name): "env:" + name
    case .file(let path): "file:" + path
    case .service(let name): "credential:" + name
    case .agent: "agent"
    }
  }

  /// The notations of references to a secret that a person stores, for hints.
  package static let notations = "env:NAME, file:PATH or credential:NAME"

  /// Parses a reference as it is written in a pipeline file.
  /// - Returns: `nil` for any text except `none`, `agent`, `env:NAME`, `file:PATH` and `credential:NAME`.
  package init?(_ text: String) {
    if text == "none" {
      self = .none
    } else if text == "agent" {
      self = .agent
    } else if text.hasPrefix("env:"), text.utf8.count > 4 {
      self = .environment(String(text.dropFirst(4)))
    } else if text.hasPrefix("file:"), text.utf8.count > 5 {
      self = .file(String(text.dropFirst(5)))
    } else if text.hasPrefix("credential:"), text.utf8.count > 11 {
      self = .service(String(text.dropFirst(11)))
    } else {
      return nil
    }
  }
}
