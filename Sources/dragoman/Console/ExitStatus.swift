import ArgumentParser
import GitSource
import Localization

/// The exit codes defined in cli.md.
enum ExitStatus: Int32 {
  case done = 0
  /// The command ran, but found a problem, such as a failed check, a held unit or a merge conflict.
  case finding = 1
  case usage = 64
  case unreadableInput = 65
  case notFound = 66
  case unavailable = 69
  case ourFault = 70
  case disk = 74
  case refused = 77

  var code: ExitCode { ExitCode(rawValue) }
}

/// A failure with its own exit code and message.
struct CommandFailure: Error, ExitStatusProviding, CustomStringConvertible {
  let exitStatus: ExitStatus
  let description: String

  init(_ status: ExitStatus, _ description: String) {
    exitStatus = status
    self.description = description
  }
}

/// An error with its own exit code.
protocol ExitStatusProviding: Error {
  var exitStatus: ExitStatus { get }
}

extension GitError: ExitStatusProviding {
  var exitStatus: ExitStatus {
    switch kind {
    case .noSuchPath, .notARepository, .noMirror, .emptyRepository, .noSuchRevision, .ambiguousRevision, .noSuchRemote:
      .notFound
    case .missingObject, .obstructed, .unsupported: .unreadableInput
    case .unreachable, .timedOut, .locked: .unavailable
    case .unauthorized, .refused, .branchConflict: .refused
    case .disk: .disk
    case .cancelled, .failed: .ourFault
    }
  }
}

extension TreeError: ExitStatusProviding {
  var exitStatus: ExitStatus {
    switch kind {
    case .notFound, .notAFile: .notFound
    case .isSymbolicLink, .tooLarge: .unreadableInput
    case .unreadable: .unreadableInput
    case .unwritable: .disk
    }
  }
}
