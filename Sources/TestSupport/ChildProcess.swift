internal import CSpawn
package import Foundation
internal import Glibc

/// A program that a test starts with an empty signal mask and only the standard descriptors.
///
/// Tests do not use Foundation's `Process`. When a process has more than about a thousand open files, `Process.run()` reads past the end of a
/// directory entry of /proc/self/fd and can crash. `Process.run()` also passes the signal mask of its thread to the child. Dispatch's threads block
/// all signals, so a child started from such a thread never receives SIGTERM.
package final class ChildProcess: Sendable {
  package enum Stream: Sendable {
    case inherited
    case null
    case file(String)
    /// A pipe with ``ChildProcess/pipe`` as its other end. Only one stream can be a pipe.
    case pipe
  }

  package let processIdentifier: Int32
  /// Our end of the stream that is a pipe; `nil` if no stream is a pipe.
  package let pipe: FileHandle?

  /// - Parameters:
  ///   - program: a path, or a name that is looked up in `PATH`.
  ///   - environment: the whole environment; `nil` for the environment of the test process.
  /// - Throws: `POSIXError` if `env`, which starts the program, cannot be started. If the program does not exist, its exit status is 127.
  package init(
    _ program: String, _ arguments: [String], in folder: String? = nil, environment: [String: String]? = nil,
    input: Stream = .null, output: Stream = .inherited, errors: Stream = .inherited
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The child's end and our end of the pipe.
    var ends: [Int32] = []
    for (number, stream) in [input, output, errors].enumerated() {
      let number = Int32(number)
      let flags = number == STDIN_FILENO ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC
      switch stream {
      case .inherited: break
      case .null: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", flags, 0o600)
      case .file(let path): posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o600)
      case .pipe:
        var pair: [Int32] = [0, 0]
        // A socket pair is used because Glibc's module has no `pipe2`. Other children that start at the same time must not inherit the pair.
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &pair) == 0 else { throw POSIXError(.EMFILE) }
        ends = pair
        posix_spawn_file_actions_adddup2(&actions, ends[0], number)
      }
    }
    // A server that inherited further descriptors would keep connections of other tests open.
    dragoman_close_from(&actions, STDERR_FILENO + 1)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var mask = sigset_t()
    sigemptyset(&mask)
    posix_spawnattr_setsigmask(&attributes, &mask)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let variables = environment ?? ProcessInfo.processInfo.environment
    let words = Self.pointers(
      folder.map { ["/usr/bin/env", "-C", $0, program] } ?? ["/usr/bin/env", program], arguments)
    let settings = Self.pointers(variables.map { "\($0.key)=\($0.value)" }, [])
    defer { for pointer in words + settings { free(pointer) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, "/usr/bin/env", &actions, &attributes, words, settings)
    if let end = ends.first { close(end) }
    guard code == 0 else {
      if let end = ends.last { close(end) }
      throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO, userInfo: [NSFilePathErrorKey: program])
    }
    processIdentifier = child
    pipe = ends.last.map { FileHandle(fileDescriptor: $0, closeOnDealloc: true) }
  }

  /// Waits until the program has ended. Must be called only once.
  /// - Returns: the exit status, or 128 plus the signal's number if a signal ended the program.
  @discardableResult
  package func waitUntilExit() -> Int32 {
    var status: Int32 = 0
    while waitpid(processIdentifier, &status, 0) == -1, errno == EINTR {}
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }

  private static func pointers(_ first: [String], _ more: [String]) -> [UnsafeMutablePointer<CChar>?] {
    (first + more).map { strdup($0) } + [nil]
  }
}

/// The exit status and the output of a program that has ended.
package struct ProgramEnd: Sendable {
  /// The result of ``ChildProcess/waitUntilExit()``.
  package var status: Int32
  package var output: String
  package var errors: String

  package init(status: Int32, output: String, errors: String) {
    self.status = status
    self.output = output
    self.errors = errors
  }

  /// Runs a program until it ends, and returns its exit status and output.
  package static func of(
    _ program: String, _ arguments: [String], in folder: String? = nil, environment: [String: String]? = nil,
    input: String = ""
  ) throws -> ProgramEnd {
    // The output goes to files. Pipes would fill, because they are not read while the program runs.
    let scratch = try TemporaryFolder("output")
    try scratch.write(input, to: "in")
    let child = try ChildProcess(
      program, arguments, in: folder, environment: environment, input: .file(scratch.file("in")),
      output: .file(scratch.file("out")), errors: .file(scratch.file("err")))
    let status = child.waitUntilExit()
    return ProgramEnd(
      status: status, output: String(decoding: try scratch.read("out"), as: UTF8.self),
      errors: String(decoding: try scratch.read("err"), as: UTF8.self))
  }
}

/// The error for a failed command of a test.
package struct CommandFailure: Error, CustomStringConvertible {
  package let description: String
}

/// Runs a program and waits for its end.
/// - Returns: the program's standard output without the last newline.
/// - Throws: ``CommandFailure`` if the program exits with a status other than 0.
@discardableResult
package func run(
  _ program: String, _ arguments: [String], in folder: String? = nil, environment: [String: String]? = nil,
  input: String = ""
) throws -> String {
  let end = try ProgramEnd.of(program, arguments, in: folder, environment: environment, input: input)
  guard end.status == 0 else {
    throw CommandFailure(
      description: "\(program) \(arguments.joined(separator: " ")): exit \(end.status): \(end.errors)\(end.output)")
  }
  return end.output.hasSuffix("\n") ? String(end.output.dropLast()) : end.output
}
