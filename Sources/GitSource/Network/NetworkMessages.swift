import Localization
import Pipeline

/// What a network child is asked for. Travels over its standard input, because arguments and environment can be read by others.
struct NetworkRequest: Codable, Sendable {
  enum Operation: Codable, Sendable {
    case list
    /// Downloads what the mirror lacks of every branch; references are the parent's.
    case fetch(mirror: String)
    /// Pushes the commit, which stands at this reference of the mirror.
    case push(mirror: String, commit: CommitID, reference: String, branch: String, expected: CommitID?)
  }

  var url: String
  var operation: Operation
  var user: String?
  /// In the clear: this value exists to be sent.
  var password: String?
  /// A file with the certificates to trust, instead of the system's.
  var certificates: String?
  /// How many bytes a fetch may bring.
  var fetchLimit: Int
}

/// What a network child says, one line of JSON each.
enum NetworkMessage: Codable, Sendable {
  case progress(GitProgress)
  case heads(RemoteHeads)
  case push(PushOutcome)
  case failed(kind: GitError.Kind, operation: String, detail: String)
}

/// ``PushResult`` as it travels.
enum PushOutcome: Codable, Sendable {
  case pushed, upToDate
  case leaseLost(remote: CommitID?)
  case refused(String)
}

/// How far a transfer is.
package struct GitProgress: Codable, Hashable, Sendable {
  package var objects: Int
  /// 0 while it is not known.
  package var totalObjects: Int
  package var bytes: Int
}
