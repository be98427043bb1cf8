internal import Foundation
internal import Glibc

/// A server that ends with the test process, even if the test process is killed: a shell starts it, and stops it when our end of a pipe
/// closes.
///
/// Foundation's `Process` passes its thread's signal mask on to the child. Dispatch's threads block all signals, so a child started from
/// one never receives SIGTERM. This type starts the child with an empty mask.
final class SupervisedChild: Sendable {
  private let supervisor: pid_t
  private let lifeline: Int32

  init(_ path: String, _ arguments: [String]) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
    for stream: Int32 in [1, 2] { posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var empty = sigset_t()
    sigemptyset(&empty)
    posix_spawnattr_setsigmask(&attributes, &empty)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let script = "\"$@\" < /dev/null & read -r _; kill $!; wait $!"
    var words: [UnsafeMutablePointer<CChar>?] = (["/bin/sh", "-c", script, "sh", path] + arguments).map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, "/bin/sh", &actions, &attributes, words, environ)
    close(ends[0])
    guard code == 0 else {
      close(ends[1])
      throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
    }
    supervisor = child
    lifeline = ends[1]
  }

  deinit {
    close(lifeline)
    var status: Int32 = 0
    while waitpid(supervisor, &status, 0) == -1, errno == EINTR {}
  }
}
