internal import Foundation
internal import Glibc
package import Localization

/// How the account on an SFTP server is proved.
package enum SSHCredentials: Hashable, Sendable {
  /// By the agent, or by the default keys of the account that Dragoman runs as.
  case agent
  case password(Secret)
  /// A private key in a format that OpenSSH reads, without passphrase.
  case privateKey(Secret)

  /// What a secret is: a private key, recognized by its first line, or a password.
  package init(_ secret: Secret) {
    self = secret.reveal().hasPrefix("-----BEGIN ") ? .privateKey(secret) : .password(secret)
  }
}

/// How `ssh` is started.
package struct SSHSettings: Hashable, Sendable {
  /// The one file with the keys of servers; `nil`: ssh's own, `~/.ssh/known_hosts` and `/etc/ssh/ssh_known_hosts`.
  package var knownHosts: String?
  /// The ssh program; `nil`: the first in `PATH`.
  package var program: String?

  package init(knownHosts: String? = nil, program: String? = nil) {
    self.knownHosts = knownHosts
    self.program = program
  }
}

/// One start of `ssh` for the subsystem `sftp`, and what must exist until it is connected.
struct SSHCommand {
  let executable: String
  let arguments: [String]
  let environment: [String]
  /// Secrets and the program that hands over a password; gone with this value.
  private let keepsakes: [AnyObject]

  init(
    _ address: SFTPAddress, _ credentials: SSHCredentials, _ settings: SSHSettings, connect: Duration
  ) throws(VendorError) {
    executable = try Self.program(settings)
    var options = [
      // The user's own configuration could turn the check of host keys off, so no configuration is read.
      "StrictHostKeyChecking=yes", "UpdateHostKeys=no", "ClearAllForwardings=yes", "PermitLocalCommand=no",
      "ControlMaster=no", "ControlPath=none", "RequestTTY=no", "NumberOfPasswordPrompts=1", "LogLevel=ERROR",
      "ConnectTimeout=\(max(1, connect.components.seconds))", "ServerAliveInterval=15", "ServerAliveCountMax=3",
    ]
    if let file = settings.knownHosts {
      guard !file.contains("\""), access(file, R_OK) == 0 else {
        throw VendorError(
          kind: .configuration, operation: "connect to \(address.text)",
          detail: "cannot read the known_hosts file \(file). Create it with the server's key, or correct `known_hosts`")
      }
      let name = file.replacing("%", with: "%%")
      options += ["UserKnownHostsFile=\"\(name)\"", "GlobalKnownHostsFile=/dev/null"]
    }
    var environment = ProcessInfo.processInfo.environment.filter {
      Self.inherited.contains($0.key)
    }
    // Its messages are told apart by their words.
    environment["LC_ALL"] = "C"
    var keepsakes: [AnyObject] = []
    switch credentials {
    case .agent: options.append("BatchMode=yes")
    case .privateKey(let key):
      guard !PrivateKeyText.isEncrypted(key.reveal()) else {
        throw VendorError(
          kind: .refused, operation: "connect to \(address.text)",
          detail:
            "the private key is protected by a passphrase. Use a key without one, or an agent (`credentials: none`)"
        )
      }
      // Without a line break at its end OpenSSH does not take a key for one.
      let file = try SecretFile(Secret(key.reveal() + "\n"))
      keepsakes.append(file)
      options += [
        "BatchMode=yes", "IdentitiesOnly=yes", "IdentityAgent=none", "IdentityFile=\(file.path)",
        "PreferredAuthentications=publickey",
      ]
    case .password(let password):
      let file = try SecretFile(password)
      let program = try AskPassProgram()
      keepsakes += [file, program]
      environment["SSH_ASKPASS"] = program.path
      environment["SSH_ASKPASS_REQUIRE"] = "force"
      environment["DRAGOMAN_SECRET"] = file.path
      options += ["PubkeyAuthentication=no", "PreferredAuthentications=password,keyboard-interactive"]
    }
    var arguments = ["-F", "none", "-T", "-x", "-a", "-p", String(address.port)]
    if let user = address.user { arguments += ["-l", user] }
    for option in options { arguments += ["-o", option] }
    self.arguments = arguments + ["-s", "--", address.host, "sftp"]
    self.environment = environment.map { "\($0.key)=\($0.value)" }.sorted()
    self.keepsakes = keepsakes
  }

  private static let inherited: Set = ["HOME", "PATH", "USER", "LOGNAME", "SSH_AUTH_SOCK", "TMPDIR"]

  private static func program(_ settings: SSHSettings) throws(VendorError) -> String {
    if let program = settings.program { return program }
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    if let found = folders.map({ String($0) + "/ssh" }).first(where: { access($0, X_OK) == 0 }) { return found }
    throw VendorError(
      kind: .configuration, operation: "use SFTP",
      detail: "the program ssh is missing. Install it (Debian: apt-get install openssh-client)")
  }
}

/// What a private key says about itself.
private enum PrivateKeyText {
  /// ssh passes over such a key without a word if it cannot ask for the passphrase.
  static func isEncrypted(_ text: String) -> Bool {
    if text.contains("BEGIN ENCRYPTED PRIVATE KEY") || text.contains("Proc-Type: 4,ENCRYPTED") { return true }
    let body = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-") }.joined()
    let magic = Array("openssh-key-v1\0".utf8)
    guard let bytes = Data(base64Encoded: body).map(Array.init), bytes.starts(with: magic) else { return false }
    var reader = SFTPReader(Array(bytes.dropFirst(magic.count)))
    return (try? reader.string()).map { $0 != Array("none".utf8) } ?? false
  }
}

/// A secret in memory that a child can open as a file: it is on no disk, in no argument and in no environment.
private final class SecretFile {
  private let descriptor: Int32
  let path: String

  init(_ secret: Secret) throws(VendorError) {
    let name = "/dragoman-\(UUID().uuidString)"
    // Memory of the system, whose name goes at once. The descriptor is closed in children.
    descriptor = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
    shm_unlink(name)
    path = "/proc/\(getpid())/fd/\(descriptor)"
    let bytes = Array(secret.reveal().utf8)
    // ssh refuses a key that others may read.
    guard descriptor >= 0, write(descriptor, bytes, bytes.count) == bytes.count else {
      throw POSIXFault.error("keep a secret in memory")
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}

/// The program that ssh asks for the password. It holds no secret.
private final class AskPassProgram {
  private let folder: String
  var path: String { folder + "/askpass" }

  init() throws(VendorError) {
    let base = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    var template = Array((base + "/dragoman-ssh-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXFault.error("create a folder in \(base)") }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let bytes = Array("#!/bin/sh\nexec cat \"$DRAGOMAN_SECRET\"\n".utf8)
    let file = open(folder + "/askpass", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o700)
    guard file >= 0 else { throw POSIXFault.error("write \(folder)/askpass") }
    defer { close(file) }
    guard write(file, bytes, bytes.count) == bytes.count else { throw POSIXFault.error("write \(folder)/askpass") }
  }

  deinit {
    unlink(path)
    rmdir(folder)
  }
}
