package import Localization

/// The means of authentication for the account on an ssh server.
package enum SSHCredentials: Hashable, Sendable {
  /// The agent, or the default keys of the account that Dragoman runs as.
  case agent
  case password(Secret)
  /// A private key in a format that OpenSSH reads, without passphrase.
  case privateKey(Secret)

  /// The kind of a secret: a private key, recognized by its first line, or a password.
  package init(_ secret: Secret) {
    self = secret.reveal().hasPrefix("-----BEGIN ") ? .privateKey(secret) : .password(secret)
  }
}

/// The settings for starting `ssh`.
package struct SSHSettings: Hashable, Sendable {
  /// The only file with the keys of servers; `nil`: ssh's own, `~/.ssh/known_hosts` and `/etc/ssh/ssh_known_hosts`.
  package var knownHosts: String?
  /// The ssh program; `nil`: the first in `PATH`.
  package var program: String?
  /// Whether `~/.ssh/config` and `/etc/ssh/ssh_config` are read, for example for `ProxyJump`. Host keys are always checked.
  package var readsConfiguration: Bool

  package init(knownHosts: String? = nil, program: String? = nil, readsConfiguration: Bool = false) {
    self.knownHosts = knownHosts
    self.program = program
    self.readsConfiguration = readsConfiguration
  }
}
