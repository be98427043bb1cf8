private import Glibc

/// The reason why a child process could not be prepared: a missing program, or a file or folder that could not be created.
struct SystemFault: Error, Hashable {
  let detail: String

  /// The system's message for the last error of this thread.
  static var lastError: String { unsafe String(cString: strerror(errno)) }
}
