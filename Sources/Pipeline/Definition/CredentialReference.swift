/// Where to find a credential. A pipeline file never contains the secret itself.
package enum CredentialReference: Hashable, Sendable {
  case none
  case environment(String)
  case file(String)
  /// The SSH agent.
  case agent

  /// - Returns: `nil` for anything except `none`, `agent`, `env:NAME` and `file:PATH`.
  package init?(_ text: String) {
    if text == "none" {
      self = .none
    } else if text == "agent" {
      self = .agent
    } else if text.hasPrefix("env:"), text.utf8.count > 4 {
      self = .environment(String(text.dropFirst(4)))
    } else if text.hasPrefix("file:"), text.utf8.count > 5 {
      self = .file(String(text.dropFirst(5)))
    } else {
      return nil
    }
  }
}
