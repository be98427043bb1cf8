internal import Foundation
internal import Localization
internal import Pipeline
internal import TranslationVendors

/// Tells this installation from others that may use the same drop folders.
///
/// The identity is kept in the state folder and goes where that goes. It is first made of the machine and the folder's place, so that an
/// installation whose state was lost is the same one when it begins again in the same place.
enum Installation {
  /// - Throws: `PipelineError` where the file can neither be read nor written.
  static func identity(in folder: String) throws -> String {
    let path = folder + "/installation"
    if let text = try? String(contentsOfFile: path, encoding: .utf8) {
      let identity = text.trimmingCharacters(in: .whitespacesAndNewlines)
      if identity.utf8.count == 32, identity.utf8.allSatisfy({ UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "f") }) {
        return identity
      }
    }
    let machine =
      (try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)) ?? ProcessInfo.processInfo.hostName
    let words = "dragoman installation\n\(machine)\n\(CanonicalPlace.path(folder))"
    let identity = ContentDigest.hexadecimal(of: Array(words.utf8), bytes: 16)
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
}
