internal import Foundation
internal import Localization
internal import Pipeline
internal import TranslationVendors

/// The identity of this installation, which distinguishes this installation from others that may use the same drop folders.
///
/// The identity is stored in the state folder and moves with this folder. It is derived from the machine and the path of the folder. If the state is
/// lost, a new start in the same folder gets the same identity. If the ledger is in PostgreSQL, all workers use the identity in the database instead,
/// which is that of the first worker.
enum Installation {
  /// Returns the identity that is stored in a folder. If there is none, derives the identity and stores it.
  /// - Throws: `PipelineError` if the identity cannot be stored.
  static func identity(in folder: String) throws -> String {
    let path = folder + "/installation"
    if let identity = stored(at: path) { return identity }
    let identity = derived(for: folder)
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try Data((identity + "\n").utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    } catch {
      throw PipelineError(
        .inconsistent, operation: "write \(path)", detail: error.localizedDescription, disposition: .retry)
    }
    return identity
  }

  /// Returns the identity that a folder has, or will get when it is first used. This function writes nothing.
  static func known(for folder: String) -> String { stored(at: folder + "/installation") ?? derived(for: folder) }

  private static func stored(at path: String) -> String? {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    let identity = text.trimmingCharacters(in: .whitespacesAndNewlines)
    return identity.utf8.count == 32 && identity.allSatisfy { $0.isHexDigit && !$0.isUppercase } ? identity : nil
  }

  private static func derived(for folder: String) -> String {
    let machine =
      (try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)) ?? ProcessInfo.processInfo.hostName
    let words = "dragoman installation\n\(machine)\n\(CanonicalPlace.path(folder))"
    return ContentDigest.hexadecimal(of: Array(words.utf8), bytes: 16)
  }
}
