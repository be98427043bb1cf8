private import FoundationEssentials
private import Glibc
internal import Localization

/// A command that starts `ssh`, with the secrets and programs that must exist until ssh is connected.
@safe package final class SSHCommand {
  /// The subsystem or command that ssh starts on the server.
  package enum Remote: Hashable, Sendable {
    /// A subsystem of the server, such as `sftp`.
    case subsystem(String)
    /// A command line for the account's shell. The caller must quote its arguments.
    case command(String)
  }

  package let executable: String
  /// Whether ssh uses the agent or the default keys of the account that runs Dragoman.
  package let usesAgent: Bool
  /// The arguments of ssh that precede the host and the remote command.
  private let options: [String]
  private let host: String
  /// All environment variables of ssh, as `NAME=value` strings.
  package let environment: [String]
  /// The secrets, and the program that provides a password. They are removed when this object is released.
  private let keepsakes: [AnyObject]

  /// - Parameter connect: the time limit for a connection. It is rounded down to whole seconds, but at least one second.
  /// - Throws: `refused` for a public key, or a private key with a passphrase; `notStarted` if ssh is missing, if the known_hosts file cannot be
  ///   read or has a quotation mark in its path, or if a secret or the program that provides the password cannot be stored.
  package init(
    _ server: SSHAddress, _ credentials: SSHCredentials, _ settings: SSHSettings, connect: Duration
  ) throws(SSHFault) {
    usesAgent = if case .agent = credentials { true } else { false }
    executable =
      if let program = settings.program {
        program
      } else {
        try SSHFault.preparing { () throws(SystemFault) in try SystemProgram.find("ssh", package: "openssh-client") }
      }
    // ssh reads the command line before its configuration and uses the first value of each option, so its configuration cannot change these options.
    var options = [
      "StrictHostKeyChecking=yes", "NoHostAuthenticationForLocalhost=no", "VerifyHostKeyDNS=no", "UpdateHostKeys=no",
      "ClearAllForwardings=yes", "PermitLocalCommand=no", "ControlMaster=no", "ControlPath=none", "RequestTTY=no",
      "NumberOfPasswordPrompts=1", "LogLevel=ERROR", "ConnectTimeout=\(max(1, connect.components.seconds))",
      "ServerAliveInterval=15", "ServerAliveCountMax=3",
    ]
    if let file = settings.knownHosts {
      guard !file.contains("\""), unsafe access(file, R_OK) == 0 else {
        throw SSHFault(
          .notStarted,
          "cannot read the known_hosts file \(file). Create it with the server's key, or correct `known_hosts`")
      }
      let name = file.replacing("%", with: "%%")
      options += ["UserKnownHostsFile=\"\(name)\"", "GlobalKnownHostsFile=/dev/null"]
    }
    var environment = ProcessInfo.processInfo.environment.filter { Self.inherited.contains($0.key) }
    // The C locale is set because ssh's messages are recognized by their English text.
    environment["LC_ALL"] = "C"
    var keepsakes: [AnyObject] = []
    switch credentials {
    case .privateKey(let secret), .password(let secret):
      guard !PrivateKeyText.isPublic(secret.reveal()) else {
        throw SSHFault(
          .refused, "this is a public key; give the private key, which is in the file without .pub in its name")
      }
    case .agent: break
    }
    switch credentials {
    case .agent: options.append("BatchMode=yes")
    case .privateKey(let key):
      guard !PrivateKeyText.isEncrypted(key.reveal()) else {
        throw SSHFault(
          .refused,
          "the private key is protected by a passphrase. Use a key without one, or an agent (leave `credentials` out)")
      }
      // OpenSSH does not read a key without a line break at its end, and refuses a key that other accounts may read.
      let file = try SSHFault.preparing { () throws(SystemFault) in try SecretFile(Secret(key.reveal() + "\n")) }
      keepsakes.append(file)
      options += [
        "BatchMode=yes", "IdentitiesOnly=yes", "IdentityAgent=none", "IdentityFile=\(file.path)",
        "PreferredAuthentications=publickey",
      ]
    case .password(let password):
      let (file, program) = try SSHFault.preparing { () throws(SystemFault) in
        (try SecretFile(password), try AskPassProgram())
      }
      keepsakes += [file, program] as [AnyObject]
      environment["SSH_ASKPASS"] = program.path
      environment["SSH_ASKPASS_REQUIRE"] = "force"
      environment["DRAGOMAN_SECRET"] = file.path
      options += ["PubkeyAuthentication=no", "PreferredAuthentications=password,keyboard-interactive"]
    }
    var arguments = settings.readsConfiguration ? [] : ["-F", "none"]
    arguments += ["-T", "-x", "-a"]
    if let port = server.port { arguments += ["-p", String(port)] }
    if let user = server.user { arguments += ["-l", user] }
    for option in options { arguments += ["-o", option] }
    self.options = arguments
    host = server.host
    self.environment = environment.map { "\($0.key)=\($0.value)" }.sorted()
    self.keepsakes = keepsakes
  }

  package func arguments(_ remote: Remote) -> [String] {
    switch remote {
    case .subsystem(let name): options + ["-s", "--", host, name]
    case .command(let line): options + ["--", host, line]
    }
  }

  private static let inherited: Set = ["HOME", "PATH", "USER", "LOGNAME", "SSH_AUTH_SOCK", "TMPDIR"]
}
