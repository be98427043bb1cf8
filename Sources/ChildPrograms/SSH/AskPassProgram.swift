private import CSpawn
private import FoundationEssentials
private import Glibc

/// A shell script from which ssh gets the password. It prints the content of the file whose path is in the variable `DRAGOMAN_SECRET`, and does not
/// contain the password itself.
@safe final class AskPassProgram {
  private let folder: String
  var path: String { folder + "/askpass" }

  init() throws(SystemFault) {
    let base = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    var template = Array((base + "/dragoman-ssh-XXXXXX").utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw SystemFault(detail: "a folder in \(base) could not be created: \(SystemFault.lastError)")
    }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    try write(Array("#!/bin/sh\nexec cat \"$DRAGOMAN_SECRET\"\n".utf8))
    waitForOtherDescriptors()
  }

  private func write(_ bytes: [UInt8]) throws(SystemFault) {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o700)
    defer { if file >= 0 { close(file) } }
    guard file >= 0, unsafe Glibc.write(file, bytes, bytes.count) == bytes.count else {
      throw SystemFault(detail: "\(path) could not be written: \(SystemFault.lastError)")
    }
  }

  /// Waits at most one second until no process has the file open for writing, because Linux does not run such a file ("Text file busy"). A child
  /// process that another thread has forked has a copy of our descriptor until it runs its program.
  private func waitForOtherDescriptors() {
    var remaining = 1000
    while remaining > 0, Self.isOpenForWriting(path) {
      usleep(1000)
      remaining -= 1
    }
  }

  /// Returns whether a process has the file open for writing. Returns `false` for a file that cannot be opened.
  static func isOpenForWriting(_ path: String) -> Bool {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    // Closing the descriptor ends the lease.
    defer { close(file) }
    // Linux grants a read lease only if no process has the file open for writing.
    return fcntl(file, dragoman_set_lease, Int32(F_RDLCK)) < 0 && errno == EAGAIN
  }

  deinit {
    unsafe unlink(path)
    unsafe rmdir(folder)
  }
}
