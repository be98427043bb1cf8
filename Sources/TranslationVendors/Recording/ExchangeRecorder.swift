internal import Foundation
internal import Glibc
package import Localization
internal import Synchronization

/// Writes requests to a vendor and the answers as files, to be used as fixtures of an adapter's tests. Secrets are left out
/// (``ExchangeRedaction``).
///
/// Each exchange is a JSON file with a number, as `0007-POST-projects-p1-keys.json`, that only its owner can read. Numbers go on where the
/// folder ends; recorders of one folder in this process share them.
package final class ExchangeRecorder: Sendable {
  /// Exchanges in one folder.
  static let most = 9999

  /// The number of the last file by folder.
  private static let numbers = Mutex<[String: Int]>([:])

  private let folder: String
  private let secret: @Sendable () throws -> Secret?

  /// - Parameters:
  ///   - folder: is made when something is recorded.
  ///   - secret: the vendor's.
  package init(folder: String, secret: @escaping @Sendable () throws -> Secret?) {
    self.folder = folder
    self.secret = secret
  }

  /// - Parameter token: the secret that the request was sent with, if it differs from the vendor's own.
  /// - Returns: `false` if the folder is full.
  /// - Throws: if the file cannot be written.
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

  /// A path as part of a file's name.
  private static func words(_ path: String) -> String {
    let words = path.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
    return String(words.joined(separator: "-").prefix(60))
  }
}
