private import Glibc

/// The deletion of files when SIGTERM or SIGINT ends the process.
///
/// The handler calls only functions that a signal handler may call. After the deletion, the signal ends the process as it would without the handler.
enum SignalCleanup {
  private static let signals = [SIGTERM, SIGINT]

  /// Runs work, and deletes files if a signal ends the process before the work has ended. Only one thread may use this at a time.
  static func deleting<Value>(_ paths: [String], during work: () throws -> Value) rethrows -> Value {
    // The names are never freed, because a handler on another thread may still use them.
    let names = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: paths.count + 1)
    names.initialize(repeating: nil, count: paths.count + 1)
    for (index, path) in paths.enumerated() { names[index] = strdup(path) }
    deletedNames = names
    let former = signals.map { ($0, handle($0)) }
    defer {
      for (signal, action) in former {
        var action = action
        sigaction(signal, &action, nil)
      }
    }
    return try work()
  }

  /// Sets the handler of a signal.
  /// - Returns: the former action.
  private static func handle(_ signal: Int32) -> sigaction {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { signal in
      var index = 0
      while let name = deletedNames?[index] {
        unlink(name)
        index += 1
      }
      // The signal is blocked until the handler returns, and then ends the process.
      var standard = sigaction()
      sigaction(signal, &standard, nil)
      raise(signal)
    }
    var former = sigaction()
    sigaction(signal, &action, &former)
    return former
  }
}

/// The files that the signal handler deletes; `nil` after the last. It is a global variable, because a signal handler can access no other state.
private nonisolated(unsafe) var deletedNames: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
