import ChildPrograms
import Localization
import Pipeline

/// A request to a network child. It is sent over standard input, because it may contain a password, and other users can read a process's arguments.
struct NetworkRequest: Codable, Sendable {
  enum Operation: Codable, Sendable {
    case list
    /// Lists the branches like the first step of a push, but pushes nothing.
    case listForPush
    /// Downloads the missing objects of all branches. The parent updates the references.
    case fetch(mirror: String)
    /// Downloads the missing objects of one reference.
    case fetchReference(mirror: String, name: String)
    /// Downloads the missing objects of a commit. If no reference points to the commit, the server may refuse.
    case fetchCommit(mirror: String, commit: CommitID)
    /// Pushes a commit. `reference` is the name of a reference in the mirror that points to the commit.
    case push(mirror: String, commit: CommitID, reference: String, branch: String, expected: CommitID?)
  }

  var url: String
  /// The ssh settings; `nil` for other remotes.
  var ssh: SSHInvocation?
  var operation: Operation
  /// The user name for HTTP; `nil` with a bearer token.
  var user: String?
  /// The password or token for HTTP; `nil` if none is sent. It is not a `Secret`, because a `Secret` cannot be encoded.
  var password: String?
  /// The http(s) settings; `nil` for other remotes.
  var http: HTTPInvocation?
  /// The maximum size of a fetch, in bytes.
  var fetchLimit: Int
}

/// The parameters with which the child starts `ssh`. Secrets are in files that exist only while the parent waits for the reply.
struct SSHInvocation: Codable, Sendable {
  /// The server's address, for messages.
  var server: SSHAddress
  var knownHosts: String?
  var usesAgent: Bool
  var executable: String
  /// ssh's arguments for a fetch, which starts `git-upload-pack` on the server.
  var uploadPack: [String]
  var receivePack: [String]
  var environment: [String]
}

extension SSHInvocation {
  init(_ repository: SSHRepository, _ command: SSHCommand, knownHosts: String?) {
    self.init(
      server: repository.server, knownHosts: knownHosts, usesAgent: command.usesAgent,
      executable: command.executable,
      uploadPack: command.arguments(.command(repository.command("git-upload-pack"))),
      receivePack: command.arguments(.command(repository.command("git-receive-pack"))),
      environment: command.environment)
  }
}

/// A message of a network child. Each message is one line of JSON.
enum NetworkMessage: Codable, Sendable {
  case progress(GitProgress)
  case heads(RemoteHeads)
  /// The commit that was fetched; `nil` if the remote does not have the reference or does not send the commit.
  case reference(CommitID?)
  case push(PushOutcome)
  case failed(kind: GitError.Kind, operation: String, detail: String)
}

/// The encodable form of ``PushResult``.
enum PushOutcome: Codable, Sendable {
  case pushed, upToDate
  case leaseLost(remote: CommitID?)
  case refused(String)
}

/// The progress of a transfer.
package struct GitProgress: Codable, Hashable, Sendable {
  package var objects: Int
  /// The total number of objects; 0 while it is unknown.
  package var totalObjects: Int
  package var bytes: Int
}
