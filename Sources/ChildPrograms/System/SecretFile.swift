private import FoundationEssentials
private import Glibc
internal import Localization

/// A secret in memory that a child can open as a file. The secret is not on a disk, in an argument or in the environment.
@safe final class SecretFile {
  private let descriptor: Int32
  let path: String

  init(_ secret: Secret) throws(SystemFault) {
    let name = "/dragoman-\(UUID().uuidString)"
    // The file is in memory, and its name is removed immediately. Children do not inherit the descriptor.
    descriptor = unsafe shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
    unsafe shm_unlink(name)
    path = "/proc/\(getpid())/fd/\(descriptor)"
    let bytes = Array(secret.reveal().utf8)
    guard descriptor >= 0, unsafe write(descriptor, bytes, bytes.count) == bytes.count else {
      throw SystemFault(detail: "a secret could not be kept in memory: \(SystemFault.lastError)")
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
