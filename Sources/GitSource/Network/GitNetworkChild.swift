private import Dispatch
private import FoundationEssentials
private import Glibc
import Pipeline

/// The process that runs network operations: this executable with a hidden argument. libgit2 1.5 waits forever for a silent peer, and
/// only a process can be stopped reliably.
package struct GitNetworkChild: Sendable {
  /// The hidden first argument.
  package static let argument = "--git-network-child"

  /// The program to start. It must call ``runIfRequested(arguments:)`` first.
  package var executable: String
  /// The time limit of one operation.
  package var deadline: Duration
  /// The time limit without any data from the peer.
  package var stallLimit: Duration
  /// The maximum size of one fetch, in bytes. A malicious server could otherwise fill the disk before the deadline.
  package var fetchLimit: Int

  /// 16 GiB: more than the whole history of the largest public repositories.
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

  /// Serves one request and exits, if the process was started for this; otherwise does nothing. Call it before anything else in `main`.
  /// - Parameter arguments: `CommandLine.arguments`.
  package static func runIfRequested(arguments: [String]) {
    guard arguments.dropFirst().first == argument else { return }
    // If the parent has ended, the next write ends this process. The parent may have changed the signal's handling.
    _ = signal(SIGPIPE, SIG_DFL)
    closeInherited()
    let output = MessageOutput()
    guard let line = nextLine(), let request = try? JSONDecoder().decode(NetworkRequest.self, from: Data(line)) else {
      output.send(.failed(kind: .failed, operation: "read the request", detail: "another version of Dragoman sent it"))
      exit(1)
    }
    // Exits when the parent ends: if the parent was killed, nobody else stops this process. The parent keeps its end open while it lives.
    DispatchQueue.global().async {
      while nextLine() != nil {}
      // The child has its own process group, with the ssh that it started.
      kill(0, SIGKILL)
    }
    do {
      output.send(try answer(request) { output.send($0) })
    } catch {
      output.send(.failed(kind: error.kind, operation: error.operation, detail: error.detail))
    }
    // `exit` would tear down state that the thread above still uses.
    _exit(0)
  }

  private static func answer(
    _ request: NetworkRequest, report: @escaping (GitProgress) -> Void
  ) throws(GitError) -> NetworkMessage {
    LibGit2.start()
    // Files of a fetch are accessible only to our account. No other thread creates files here.
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
      // An annotated tag is advertised twice: its own id, and the commit as `refs/tags/NAME^{}`.
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
      // Someone may have pushed between the advertisement and our commands. The server then refuses without naming the cause.
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

/// Writes one message a line to standard output. Progress is throttled: the parent only needs to know that the child is alive.
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
