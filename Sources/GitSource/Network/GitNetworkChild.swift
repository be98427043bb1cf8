private import Dispatch
private import FoundationEssentials
private import Glibc
import Pipeline

/// The process in which network operations run: this executable once more, with a hidden argument. libgit2 1.5 waits for a silent peer
/// without end, and a process is what can be ended.
package struct GitNetworkChild: Sendable {
  /// The hidden first argument.
  package static let argument = "--git-network-child"

  /// The program to start; it must call ``runIfRequested(arguments:)`` first.
  package var executable: String
  /// How long one operation may take.
  package var deadline: Duration
  /// How long the peer may be silent.
  package var stallLimit: Duration
  /// A file with the certificates to trust, instead of the system's.
  package var certificates: String?
  /// How many bytes one fetch may bring. A hostile server could fill the disk within the deadline.
  package var fetchLimit: Int

  /// 16 GiB: above the whole history of the largest public repositories.
  package static let standardFetchLimit = 16 << 30

  package init(
    executable: String = "/proc/self/exe", deadline: Duration = .seconds(1800), stallLimit: Duration = .seconds(90),
    certificates: String? = nil, fetchLimit: Int = Self.standardFetchLimit
  ) {
    self.fetchLimit = fetchLimit
    self.executable = executable
    self.deadline = deadline
    self.stallLimit = stallLimit
    self.certificates = certificates
  }

  /// Serves one request and ends the process, if it was started for that; does nothing otherwise. To be called before anything else
  /// in `main`.
  /// - Parameter arguments: `CommandLine.arguments`.
  package static func runIfRequested(arguments: [String]) {
    guard arguments.dropFirst().first == argument else { return }
    // A parent that is gone ends us at the next word, whatever it set for itself.
    _ = signal(SIGPIPE, SIG_DFL)
    closeInherited()
    let output = MessageOutput()
    guard let line = nextLine(), let request = try? JSONDecoder().decode(NetworkRequest.self, from: Data(line)) else {
      output.send(.failed(kind: .failed, operation: "read the request", detail: "another version of Dragoman sent it"))
      exit(1)
    }
    // The parent holds the other end as long as it lives; nobody would end us after it was killed.
    DispatchQueue.global().async {
      while nextLine() != nil {}
      _exit(1)
    }
    do {
      output.send(try answer(request) { output.send($0) })
    } catch {
      output.send(.failed(kind: error.kind, operation: error.operation, detail: error.detail))
    }
    // Not `exit`: the thread above would run into what that tears down.
    _exit(0)
  }

  private static func answer(
    _ request: NetworkRequest, report: @escaping (GitProgress) -> Void
  ) throws(GitError) -> NetworkMessage {
    LibGit2.start()
    // What a fetch brings is for our account only. No other thread makes files here.
    umask(0o077)
    if let file = request.certificates { try check("read \(file)", setCertificates(file)) }
    switch request.operation {
    case .list:
      let connection = try RemoteConnection(request, mirror: nil, report: report)
      try connection.connect(fetching: true)
      return .heads(try connection.advertised().heads)
    case .fetch(let folder):
      let mirror = try RepositoryHandle(folder: folder, isPlain: false)
      let connection = try RemoteConnection(request, mirror: mirror, report: report)
      try connection.connect(fetching: true)
      let heads = try connection.advertised().heads
      if !heads.branches.allSatisfy({ ObjectID($0.commit).map(mirror.holds) ?? false }) { try connection.download() }
      return .heads(heads)
    case .push(let folder, let commit, let reference, let branch, let expected):
      let mirror = try RepositoryHandle(folder: folder, isPlain: false)
      let connection = try RemoteConnection(request, mirror: mirror, report: report)
      try connection.connect(fetching: false)
      let current = try connection.advertised().ids["refs/heads/" + branch]?.commit
      if current == commit { return .push(.upToDate) }
      guard current == expected else { return .push(.leaseLost(remote: current)) }
      guard let refusal = try connection.push(reference, to: branch) else { return .push(.pushed) }
      // Somebody may have been faster between the advertisement and our commands; the server then refuses without saying who.
      let again = try RemoteConnection(request, mirror: nil, report: report)
      try again.connect(fetching: true)
      let now = try again.advertised().ids["refs/heads/" + branch]?.commit
      return .push(now == expected ? .refused(refusal) : .leaseLost(remote: now))
    }
  }

  /// What the parent had open and some library did not mark is no business of ours.
  private static func closeInherited() {
    for name in folderNames("/proc/self/fd") ?? [] {
      if let number = Int32(name), number > STDERR_FILENO { close(number) }
    }
  }

  /// The next line of standard input; `nil` at its end.
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

/// Standard output, a message a line. Progress is thinned out: the parent wants to know that we live, not each object.
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
