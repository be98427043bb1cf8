private import FoundationEssentials
private import Glibc
internal import Localization

/// A secret in memory that a child can open as a file: it is on no disk, in no argument and in no environment.
@safe final class SecretFile {
  private let descriptor: Int32
  let path: String

  init(_ secret: Secret) throws(SSHFault) {
    let name = "/dragoman-\(UUID().uuidString)"
    // In memory, and its name is removed immediately. Children do not inherit the descriptor.
    descriptor = unsafe shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
    unsafe shm_unlink(name)
    path = "/proc/\(getpid())/fd/\(descriptor)"
    let bytes = Array(secret.reveal().utf8)
    guard descriptor >= 0, unsafe write(descriptor, bytes, bytes.count) == bytes.count else {
      throw SSHFault(.notStarted, "a secret could not be kept in memory: \(systemError())")
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}

/// The program that ssh asks for the password. It holds no secret.
@safe final class AskPassProgram {
  private let folder: String
  var path: String { folder + "/askpass" }

  init() throws(SSHFault) {
    let base = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    var template = Array((base + "/dragoman-ssh-XXXXXX").utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw SSHFault(.notStarted, "a folder in \(base) could not be created: \(systemError())")
    }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let bytes = Array("#!/bin/sh\nexec cat \"$DRAGOMAN_SECRET\"\n".utf8)
    let file = unsafe open(folder + "/askpass", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o700)
    defer { if file >= 0 { close(file) } }
    guard file >= 0, unsafe write(file, bytes, bytes.count) == bytes.count else {
      throw SSHFault(.notStarted, "\(folder)/askpass could not be written: \(systemError())")
    }
  }

  deinit {
    unsafe unlink(path)
    unsafe rmdir(folder)
  }
}

private func systemError() -> String { unsafe String(cString: strerror(errno)) }
