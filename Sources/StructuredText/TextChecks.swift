/// Checks for text files of any syntax.
package enum TextChecks {
  /// The maximum number of faults of one kind that are reported.
  static let mostFaults = 20

  /// Returns a fault for every position that is not UTF-8, at most twenty. For a UTF-16 file, returns a single fault about the encoding.
  package static func utf8Faults(in bytes: [UInt8]) -> [SyntaxFault] {
    if let fault = wideFault(in: bytes) { return [fault] }
    var faults: [SyntaxFault] = []
    var start = 0
    let span = bytes.span
    while start < bytes.count, faults.count < mostFaults {
      guard let place = TextSurvey(span.extracting(start..<bytes.count)).firstInvalid else { break }
      let offset = start + place
      let byte = String(bytes[offset], radix: 16, uppercase: true)
      faults.append(
        SyntaxFault(
          kind: .notUTF8, position: TextPosition(offset: offset, in: bytes),
          message: "invalid UTF-8: unexpected byte 0x\(byte)", hint: "save the file as UTF-8"))
      // The remaining bytes of an invalid character are not separate faults.
      start = offset + 1
      while start < bytes.count, bytes[start] & 0xC0 == 0x80 { start += 1 }
    }
    return faults
  }

  /// Returns a fault if the file is UTF-16, detected by its byte order mark or by the NUL in its first character; `nil` for other files.
  static func wideFault(in bytes: [UInt8]) -> SyntaxFault? {
    let isMarked = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    guard isMarked || bytes.count > 1 && (bytes[0] == 0) != (bytes[1] == 0) else { return nil }
    return SyntaxFault(
      kind: .notUTF8, position: TextPosition(offset: 0, line: 1, column: 1), message: "the file is UTF-16, not UTF-8",
      hint: "save it as UTF-8")
  }

  /// Returns a fault if the file is UTF-32, detected by its byte order mark or by the NULs in its first character; `nil` for other files.
  static func quadFault(in bytes: [UInt8]) -> SyntaxFault? {
    let head = Array(bytes.prefix(4))
    let isMarked = head == [0xFF, 0xFE, 0, 0] || head == [0, 0, 0xFE, 0xFF]
    let isPlain = head.count == 4 && head[1] == 0 && head[2] == 0 && (head[0] == 0) != (head[3] == 0)
    guard isMarked || isPlain else { return nil }
    return SyntaxFault(
      kind: .notUTF8, position: TextPosition(offset: 0, line: 1, column: 1),
      message: "the file is UTF-32, neither UTF-8 nor UTF-16", hint: "save it as UTF-8")
  }

  /// Returns a fault for each conflict of an unfinished merge, at most twenty.
  package static func conflictFaults(in bytes: [UInt8]) -> [SyntaxFault] { MergeRegion.all(in: bytes).map(\.fault) }
}
