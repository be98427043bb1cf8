private import Dispatch
private import FoundationEssentials
private import Glibc
import Pipeline

/// The child process that runs network operations: this executable with a hidden argument. libgit2 1.5 waits forever for a silent server, and only a
/// separate process can be stopped reliably.
package struct GitNetworkChild: Sendable {
  /// The hidden first argument that starts the executable as a network child.
  package static let argument = "--git-network-child"

  /// The path of the program to start. The program must call ``runIfRequested(arguments:)`` first.
  package var executable: String
  /// The time limit of one operation.
  package var deadline: Duration
  /// The maximum time without progress, which is data that the child receives from the server or sends to it.
  package var stallLimit: Duration
  /// The maximum size of one fetch, in bytes. A malicious server could otherwise fill the disk before the deadline.
  package var fetchLimit: Int

  /// The default limit of one fetch, 16 GiB: more than the whole history of almost all public repositories.
  package static let standardFetchLimit = 16 << 30

  package init(
    executable: String = "/proc/self/exe", deadline: Duration = .seconds(1800), stallLimit: Duration = .seconds(90),
    fetchLimit: Int = Self.standardFetchLimit
  ) {
    self.fetchLimit = fetchLimit
    self.executable = executable
    self.deadline = deadline
    self.stallLimit = stallLimit
  }

  /// Serves one request and exits if the process was started as a network child. Otherwise does nothing. Call this function first in `main`.
  /// - Parameter arguments: `CommandLine.arguments`.
  package static func runIfRequested(arguments: [String]) {
    guard arguments.dropFirst().first == argument else { return }
    // With the default handling of SIGPIPE, the first write after the parent has ended terminates this process. The parent may have changed the
    // handling.
    _ = signal(SIGPIPE, SIG_DFL)
    closeInherited()
    let output = MessageOutput()
    guard let line = nextLine(), let request = try? JSONDecoder().decode(NetworkRequest.self, from: Data(line)) else {
      output.send(.failed(kind: .failed, operation: "read the request", detail: "another version of Dragoman sent it"))
      exit(1)
    }
    // Exits when the parent ends, because nothing else would stop this process if the parent was killed. The parent keeps its side of the socket open
    // as long as it runs.
    DispatchQueue.global().async {
      while nextLine() != nil {}
      // Kills the process group, which contains only this process and the processes that it started, such as ssh.
      kill(0, SIGKILL)
    }
    do {
      output.send(try reply(to: request) { output.send($0) })
    } catch {
      output.send(.failed(kind: error.kind, operation: error.operation, detail: error.detail))
    }
    // `exit` would destroy state that the thread above still uses.
    _exit(0)
  }

  private static func reply(
    to request: NetworkRequest, report: @escaping (GitProgress) -> Void
  ) throws(GitError) -> NetworkMessage {
    LibGit2.start()
    // The files of a fetch must be accessible only to our account. No other thread of this process creates files.
    umask(0o077)
    switch request.operation {
    case .list, .listForPush:
      let connection = try RemoteConnection(request, mirror: nil, report: report)
      let isFetching = if case .list = request.operation { true } else { false }
      try connection.connect(fetching: isFetching)
      return .heads(try connection.advertised().heads)
    case .fetch(let folder):
      let mirror = try RepositoryHandle(folder: folder, isPlain: false)
      let connection = try RemoteConnection(request, mirror: mirror, report: report)
      try connection.connect(fetching: true)
      let heads = try connection.advertised().heads
      if !heads.branches.allSatisfy({ ObjectID($0.commit).map(mirror.holds) ?? false }) { try connection.download() }
      return .heads(heads)
    case .fetchReference(let folder, let name):
      let mirror = try RepositoryHandle(folder: folder, isPlain: false)
      let connection = try RemoteConnection(request, mirror: mirror, report: report)
      try connection.connect(fetching: true)
      guard let id = try connection.advertised().ids[name] else { return .reference(nil) }
      if !mirror.holds(id) { try connection.download("+\(name):\(name)") }
      return .reference(id.commit)
    case .fetchCommit(let folder, let commit):
      let mirror = try RepositoryHandle(folder: folder, isPlain: false)
      let connection = try RemoteConnection(request, mirror: mirror, report: report)
      try connection.connect(fetching: true)
      let names = try connection.advertised().ids.filter { $0.value.commit == commit }.map(\.key)
      // An annotated tag is advertised twice: with its own id, and with the commit as `refs/tags/NAME^{}`.
      guard let name = names.filter({ $0.hasPrefix("refs/") }).min() else {
        return .reference(try connection.downloadUnadvertised(commit, into: mirror) ? commit : nil)
      }
      let reference = name.hasSuffix("^{}") ? String(name.dropLast(3)) : name
      try connection.download("+\(reference):\(reference)")
      return .reference(commit)
    case .push(let folder, let commit, let reference, let branch, let expected):
      let mirror = try RepositoryHandle(folder: folder, isPlain: false)
      let connection = try RemoteConnection(request, mirror: mirror, report: report)
      try connection.connect(fetching: false)
      let current = try connection.advertised().ids["refs/heads/" + branch]?.commit
      if current == commit { return .push(.upToDate) }
      guard current == expected else { return .push(.leaseLost(remote: current)) }
      guard let refusal = try connection.push(reference, to: branch) else { return .push(.pushed) }
      // Someone may have pushed between the advertisement and our push. In that case the server refuses without naming the cause.
      let again = try RemoteConnection(request, mirror: nil, report: report)
      try again.connect(fetching: true)
      let now = try again.advertised().ids["refs/heads/" + branch]?.commit
      return .push(now == expected ? .refused(refusal) : .leaseLost(remote: now))
    }
  }

  /// Closes files of the parent that some library opened without the close-on-exec flag.
  private static func closeInherited() {
    for name in folderNames("/proc/self/fd") ?? [] {
      if let number = Int32(name), number > STDERR_FILENO { close(number) }
    }
  }

  /// Returns the next line of standard input; `nil` at its end.
  private static func nextLine() -> [UInt8]? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = unsafe read(STDIN_FILENO, &byte, 1)
      if count < 0 && errno == EINTR { continue }
      guard count == 1 else { return nil }
      if byte == UInt8(ascii: "\n") { return line }
      line.append(byte)
    }
  }
}

/// The output of a network child: one message per line on standard output. Progress messages are throttled, because they only show the parent that
/// the child is working.
private final class MessageOutput {
  private var lastProgress: ContinuousClock.Instant?

  func send(_ progress: GitProgress) {
    let now = ContinuousClock.now
    if let last = lastProgress, now - last < .milliseconds(100) { return }
    lastProgress = now
    send(.progress(progress))
  }

  func send(_ message: NetworkMessage) {
    guard let data = try? JSONEncoder().encode(message), let output = Descriptor(dup(STDOUT_FILENO)),
      output.writeAll((Array(data) + [UInt8(ascii: "\n")])[...])
    else { _exit(1) }
  }
}
