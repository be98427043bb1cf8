package import Localization

/// The means of authentication for the account on an ssh server.
package enum SSHCredentials: Hashable, Sendable {
  /// The agent, or the default keys of the account that runs Dragoman.
  case agent
  case password(Secret)
  /// A private key in a format that OpenSSH reads, without a passphrase.
  case privateKey(Secret)

  /// Creates credentials from a secret: a private key, which has a line that begins with `-----BEGIN `, or a password.
  package init(_ secret: Secret) {
    self = PrivateKeyText.normalized(secret.reveal()).map { .privateKey(Secret($0)) } ?? .password(secret)
  }
}

/// The settings for starting `ssh`.
package struct SSHSettings: Hashable, Sendable {
  /// The only file in which servers' host keys are looked up; `nil` for the files that ssh uses otherwise, by default `~/.ssh/known_hosts` and
  /// `/etc/ssh/ssh_known_hosts`.
  package var knownHosts: String?
  /// The path of the ssh program; `nil` for the first `ssh` in the folders of `PATH`.
  package var program: String?
  /// Whether `~/.ssh/config` and `/etc/ssh/ssh_config` are read, for example for `ProxyJump`. Host keys are always checked.
  package var readsConfiguration: Bool

  package init(knownHosts: String? = nil, program: String? = nil, readsConfiguration: Bool = false) {
    self.knownHosts = knownHosts
    self.program = program
    self.readsConfiguration = readsConfiguration
  }
}
