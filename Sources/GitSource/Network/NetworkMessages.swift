import ChildPrograms
import Localization
import Pipeline

/// A request to a network child. It is sent over standard input, because other users can read arguments and the environment.
struct NetworkRequest: Codable, Sendable {
  enum Operation: Codable, Sendable {
    case list
    /// Lists the branches as a push does first. Nothing is pushed.
    case listForPush
    /// Downloads the missing objects of all branches. The parent updates the references.
    case fetch(mirror: String)
    /// Downloads the missing objects of one reference.
    case fetchReference(mirror: String, name: String)
    /// Downloads the missing objects of a commit that some reference, such as a tag, points to.
    case fetchCommit(mirror: String, commit: CommitID)
    /// Pushes a commit, to which this reference of the mirror points.
    case push(mirror: String, commit: CommitID, reference: String, branch: String, expected: CommitID?)
  }

  var url: String
  /// For a remote that is reached over ssh.
  var ssh: SSHInvocation?
  var operation: Operation
  /// For HTTP; `nil` with a bearer token.
  var user: String?
  /// The password or the token. Plain text, because the value is only used for sending.
  var password: String?
  /// For a remote that is reached over http(s).
  var http: HTTPInvocation?
  /// The maximum size of a fetch, in bytes.
  var fetchLimit: Int
}

/// The way in which the child starts `ssh`. Secrets are in files that only exist while the parent waits for the answer.
struct SSHInvocation: Codable, Sendable {
  /// For messages.
  var server: SSHAddress
  var knownHosts: String?
  var usesAgent: Bool
  var executable: String
  /// For the two services of git: `git-upload-pack`, which sends objects, and `git-receive-pack`.
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

/// A message of a network child: one line of JSON.
enum NetworkMessage: Codable, Sendable {
  case progress(GitProgress)
  case heads(RemoteHeads)
  /// The commit to which a reference points; `nil` if the remote does not have it.
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
  /// 0 while the total is unknown.
  package var totalObjects: Int
  package var bytes: Int
}
