import SwiftFacts
import SwiftParsing

/// A converter of the bytes of a C-family file to UTF-8. Old projects also contain UTF-16 sources, which Xcode accepts.
enum CSourceBytes {
  /// The maximum size of a file in bytes. A larger file is assumed to be generated and to contain no text for people.
  static let limit = 32 << 20

  /// Returns the text without a byte order mark, or the fault. UTF-16 is converted to UTF-8. Other bytes are not checked. Reported positions refer to
  /// this text.
  static func utf8(_ bytes: [UInt8]) -> Result<[UInt8], CFault> {
    guard bytes.count <= limit else { return .failure(fault(.tooLarge, at: 0, of: [])) }
    switch (bytes.first, bytes.dropFirst().first) {
    case (0xFF, 0xFE): return utf16(bytes) { UInt16($0) | UInt16($1) << 8 }
    case (0xFE, 0xFF): return utf16(bytes) { UInt16($0) << 8 | UInt16($1) }
    default: return .success(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes)
    }
  }

  private static func utf16(_ bytes: [UInt8], _ unit: (UInt8, UInt8) -> UInt16) -> Result<[UInt8], CFault> {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count / 2)
    var units = stride(from: 2, to: bytes.count - 1, by: 2).map { unit(bytes[$0], bytes[$0 + 1]) }.makeIterator()
    var codec = UTF16()
    while true {
      switch codec.decode(&units) {
      case .scalarValue(let scalar):
        if let encoded = UTF8.encode(scalar) { text.append(contentsOf: encoded) }
      case .emptyInput: return .success(text)
      case .error: return .failure(fault(.brokenUTF16, at: text.count, of: text))
      }
    }
  }

  private static func fault(_ kind: CFault.Kind, at offset: Int, of text: [UInt8]) -> CFault {
    let place = text.withUnsafeBufferPointer { LineTable($0) }.place(of: offset)
    return CFault(
      kind: kind, place: SourcePlace(line: Int32(clamping: place.line), column: Int32(clamping: place.column)), name: ""
    )
  }
}

extension CFault: Error {}

extension CFileFacts {
  /// The version. Increase it when the same bytes give different facts, or the same facts give different encoded bytes.
  static let version = 2

  /// Extracts the facts of a file.
  static func compile(_ bytes: [UInt8]) -> CFileFacts {
    switch CSourceBytes.utf8(bytes) {
    case .success(let text): CCallScanner.scan(text)
    case .failure(let fault): CFileFacts(faults: [fault])
    }
  }
}
