private import FoundationEssentials
private import Glibc

/// A key ring for one signature: a folder that only this account can read.
///
/// The folder is locked while it is in use. The system releases the lock when the process ends, so the leftover key rings of killed processes can be
/// recognized.
@safe final class GPGHome {
  private static let prefix = "dragoman-gpg-"
  /// The age, in seconds, from which an unlocked folder counts as a leftover. A newer folder may not be locked yet.
  private static let leftoverAge = 60

  /// The path. It must be short, because the folder contains the agent's socket and the path of a socket has at most 107 bytes.
  let path: String
  private let descriptor: Int32

  init(in base: String) throws(SigningFault) {
    Self.removeLeftovers(in: base)
    var template = Array("\(base)/\(Self.prefix)XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw SigningFault(
        .refused, "no folder for a key ring could be created in \(base): \(unsafe String(cString: strerror(errno)))")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0,
      FileManager.default.createFile(atPath: path + "/gpg-agent.conf", contents: Data("disable-scdaemon\n".utf8))
    else {
      throw SigningFault(.refused, "no key ring can be made in \(path): \(unsafe String(cString: strerror(errno)))")
    }
  }

  /// Removes the folder. The agent of the key ring ends when its socket no longer exists.
  deinit {
    try? FileManager.default.removeItem(atPath: path)
    if descriptor >= 0 { _ = close(descriptor) }
  }

  /// Removes the key rings of killed processes.
  private static func removeLeftovers(in base: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? [] where name.hasPrefix(prefix) {
      let path = base + "/" + name
      // Folders of other accounts cannot be opened and are skipped.
      let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { _ = close(descriptor) }
      var status = stat()
      guard unsafe fstat(descriptor, &status) == 0, status.st_mtim.tv_sec < time(nil) - leftoverAge,
        flock(descriptor, LOCK_EX | LOCK_NB) == 0
      else { continue }
      try? FileManager.default.removeItem(atPath: path)
    }
  }
}
