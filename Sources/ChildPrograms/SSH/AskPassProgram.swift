private import FoundationEssentials
private import Glibc

/// The program from which ssh gets the password. The program file does not contain the secret.
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
    let bytes = Array("#!/bin/sh\nexec cat \"$DRAGOMAN_SECRET\"\n".utf8)
    let file = unsafe open(folder + "/askpass", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o700)
    defer { if file >= 0 { close(file) } }
    guard file >= 0, unsafe write(file, bytes, bytes.count) == bytes.count else {
      throw SystemFault(detail: "\(folder)/askpass could not be written: \(SystemFault.lastError)")
    }
  }

  deinit {
    unsafe unlink(path)
    unsafe rmdir(folder)
  }
}
