private import Glibc

/// The reason why a child process cannot be prepared: a program is missing, or a file for it could not be made.
struct SystemFault: Error, Hashable {
  let detail: String

  /// The system's message for the last error of this thread.
  static var lastError: String { unsafe String(cString: strerror(errno)) }
}
