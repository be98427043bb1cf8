internal import Foundation
internal import Glibc
package import Localization
internal import Synchronization

/// A recorder that writes requests to a vendor and the vendor's responses to files. The files are used as fixtures of an adapter's tests.
/// Secrets are left out (``ExchangeRedaction``).
///
/// Each exchange is written to a JSON file that only the file's owner can read. The file's name starts with a number:
/// `0007-POST-projects-p1-keys.json`. Numbers continue after the last file in the folder. Recorders in this process that write to the same folder
/// share the numbers.
package final class ExchangeRecorder: Sendable {
  /// The maximum number of exchanges in one folder.
  static let most = 9999

  /// The number of the last file in each folder.
  private static let numbers = Mutex<[String: Int]>([:])

  private let folder: String
  private let secret: @Sendable () throws -> Secret?

  /// - Parameters:
  ///   - folder: the folder of the files. The folder is created when the first exchange is recorded.
  ///   - secret: the vendor's secret.
  package init(folder: String, secret: @escaping @Sendable () throws -> Secret?) {
    self.folder = folder
    self.secret = secret
  }

  /// Writes an exchange to a new file.
  /// - Parameter token: the secret that was sent with the request, if it differs from the vendor's secret.
  /// - Returns: `false` if the folder is full.
  /// - Throws: an error if the file cannot be written or the vendor's secret cannot be read.
  func record(_ exchange: RecordedExchange, token: Secret?) throws -> Bool {
    let exchange = ExchangeRedaction(secrets: [try secret(), token].compactMap(\.self)).redacted(exchange)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let bytes = Array(try encoder.encode(exchange)) + [10]
    return try Self.numbers.withLock { numbers in
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let number = try (numbers[folder] ?? numberOfLastFile()) + 1
      guard number <= Self.most else { return false }
      let name =
        "\(String(number + 10_000).dropFirst())-\(exchange.request.method)-\(Self.words(exchange.request.path))"
      try write(bytes, to: "\(folder)/\(name).json")
      numbers[folder] = number
      return true
    }
  }

  private func write(_ bytes: [UInt8], to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try handle.write(contentsOf: Data(bytes))
    try handle.close()
  }

  private func numberOfLastFile() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { Int($0.prefix { $0 != "-" }) }.max() ?? 0
  }

  /// Returns a path as a part of a file name: its ASCII letters and digits, with hyphens in place of other characters, at most 60 characters.
  private static func words(_ path: String) -> String {
    let words = path.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
    return String(words.joined(separator: "-").prefix(60))
  }
}
