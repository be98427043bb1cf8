internal import Foundation
internal import Localization

/// The packet types and flags of SFTP version 3 (draft-ietf-secsh-filexfer-02). All servers support this version.
enum SFTPNumber {
  static let version: UInt32 = 3
  static let initialize: UInt8 = 1
  static let versionReply: UInt8 = 2
  static let open: UInt8 = 3
  static let close: UInt8 = 4
  static let read: UInt8 = 5
  static let write: UInt8 = 6
  static let lstat: UInt8 = 7
  static let fstat: UInt8 = 8
  static let openFolder: UInt8 = 11
  static let readFolder: UInt8 = 12
  static let remove: UInt8 = 13
  static let makeFolder: UInt8 = 14
  static let removeFolder: UInt8 = 15
  static let realPath: UInt8 = 16
  static let stat: UInt8 = 17
  static let rename: UInt8 = 18
  static let extended: UInt8 = 200
  static let status: UInt8 = 101
  static let handle: UInt8 = 102
  static let data: UInt8 = 103
  static let name: UInt8 = 104
  static let attributes: UInt8 = 105

  // Flags of `open`.
  static let forReading: UInt32 = 1
  /// Writing to a new file. Opening fails if the name exists.
  static let forCreating: UInt32 = 2 | 8 | 0x20

  /// The maximum length of a packet in bytes. OpenSSH's own limit is 256 KiB.
  static let packetLimit = 300 << 10
}

/// The error for bytes from the server that violate the protocol.
struct SFTPMalformed: Error {
  var detail: String
}

/// An error status from the server.
struct SFTPStatus: Error, Hashable {
  enum Code {
    static let done: UInt32 = 0
    static let endOfFile: UInt32 = 1
    static let noSuchFile: UInt32 = 2
    static let permissionDenied: UInt32 = 3
    /// Any other failure, including an existing name.
    static let failure: UInt32 = 4
    static let unsupported: UInt32 = 8
  }

  var code: UInt32
  /// The server's message.
  var message: String

  func error(_ operation: String) -> VendorError {
    let kind: VendorError.Kind =
      switch code {
      case Code.noSuchFile: .missing
      case Code.permissionDenied: .refused
      case Code.unsupported: .protocolFault
      default: .disk
      }
    let words: String =
      switch code {
      case Code.noSuchFile: "no such file or folder"
      case Code.permissionDenied: "the account does not have the permission for this"
      case Code.unsupported: "the server does not support this"
      default: "the server refused the operation; its disk or the account's quota may be full"
      }
    let own = message.isEmpty ? "" : " (“\(message)”)"
    return VendorError(kind: kind, operation: operation, detail: words + own)
  }
}

/// The attributes of a file. Attributes that the server did not send are `nil`.
struct SFTPAttributes: Hashable {
  /// The size in bytes.
  var size: UInt64?
  /// The file type and permissions, as `st_mode` of POSIX.
  var permissions: UInt32?
  /// The time of the last change, in seconds since 1970.
  var modified: UInt32?

  var kind: DropEntry.Kind? {
    guard let permissions else { return nil }
    return switch permissions & 0o170000 {
    case 0o100000: .file
    case 0o040000: .folder
    default: .other
    }
  }

  func entry(_ path: TreePath) -> DropEntry {
    DropEntry(
      path: path, kind: kind ?? .other, modified: modified.map { Date(timeIntervalSince1970: TimeInterval($0)) },
      tag: "\(size ?? 0) \(modified ?? 0)")
  }
}

/// A builder of a packet's bytes. Numbers are big-endian, and each text follows its length.
struct SFTPWriter {
  private(set) var bytes: [UInt8] = []

  mutating func add(_ number: UInt32) { withUnsafeBytes(of: number.bigEndian) { bytes += $0 } }
  mutating func add(_ number: UInt64) { withUnsafeBytes(of: number.bigEndian) { bytes += $0 } }
  mutating func add(_ text: some Collection<UInt8>) {
    add(UInt32(text.count))
    bytes += text
  }
  mutating func add(_ text: String) { add(Array(text.utf8)) }
}

/// A parser of a packet's bytes. Every length is checked against the remaining bytes.
struct SFTPReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() throws -> UInt8 {
    guard let byte = rest.popFirst() else { throw SFTPMalformed(detail: "a packet is too short") }
    return byte
  }

  mutating func number() throws -> UInt32 {
    let part = try take(4)
    return part.reduce(0) { $0 << 8 | UInt32($1) }
  }

  mutating func longNumber() throws -> UInt64 { UInt64(try number()) << 32 | UInt64(try number()) }

  mutating func string() throws -> [UInt8] { Array(try take(Int(try number()))) }

  mutating func attributes() throws -> SFTPAttributes {
    var attributes = SFTPAttributes()
    let flags = try number()
    if flags & 1 != 0 { attributes.size = try longNumber() }
    if flags & 2 != 0 { _ = try take(8) }
    if flags & 4 != 0 { attributes.permissions = try number() }
    if flags & 8 != 0 {
      _ = try number()
      attributes.modified = try number()
    }
    if flags & 0x8000_0000 != 0 {
      for _ in 0..<(try number()) {
        _ = try string()
        _ = try string()
      }
    }
    return attributes
  }

  private mutating func take(_ count: Int) throws -> ArraySlice<UInt8> {
    guard rest.count >= count else { throw SFTPMalformed(detail: "a packet is too short") }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}
