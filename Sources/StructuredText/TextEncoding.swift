/// The encoding of a text file: UTF-8 or UTF-16, with or without a byte order mark.
///
/// The readers of this module read UTF-8. A UTF-16 file is converted to UTF-8 and back. The conversion is lossless if all surrogates are
/// paired, so all bytes outside an edit stay the same.
package struct TextEncoding: Hashable, Sendable {
  package enum Unit: Hashable, Sendable {
    case utf8, utf16LittleEndian, utf16BigEndian
  }

  package var unit: Unit
  /// Whether the file starts with a byte order mark.
  package var hasMark: Bool

  package init(_ unit: Unit, hasMark: Bool) {
    self.unit = unit
    self.hasMark = hasMark
  }

  package static let utf8 = TextEncoding(.utf8, hasMark: false)

  /// Detects the encoding from the bytes alone: from the byte order mark, or else from the positions of NUL bytes. The default is UTF-8
  /// (xcode-formats.md F).
  package init(sniffing bytes: [UInt8]) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      self.init(.utf8, hasMark: true)
    } else if bytes.starts(with: [0xFF, 0xFE]) {
      self.init(.utf16LittleEndian, hasMark: true)
    } else if bytes.starts(with: [0xFE, 0xFF]) {
      self.init(.utf16BigEndian, hasMark: true)
    } else {
      self.init(Self.unit(of: bytes), hasMark: false)
    }
  }

  /// Detects the code unit. Text in Apple's files starts with ASCII, and the high byte of ASCII in UTF-16 is NUL. Of the first 64 bytes, at least a
  /// quarter of the high bytes must be NUL, so a few NULs do not make a UTF-8 file UTF-16 unless it is very short.
  private static func unit(of bytes: [UInt8]) -> Unit {
    let head = bytes.prefix(64)
    guard head.count >= 2 else { return .utf8 }
    var zeros = (even: 0, odd: 0)
    for (index, byte) in head.enumerated() where byte == 0 {
      if index.isMultiple(of: 2) { zeros.even += 1 } else { zeros.odd += 1 }
    }
    let half = head.count / 2
    if zeros.odd * 4 >= half, zeros.even * 4 <= zeros.odd { return .utf16LittleEndian }
    if zeros.even * 4 >= half, zeros.odd * 4 <= zeros.even { return .utf16BigEndian }
    return .utf8
  }

  private var markLength: Int {
    guard hasMark else { return 0 }
    return unit == .utf8 ? 3 : 2
  }

  /// Returns the file's text in UTF-8, without the byte order mark. The readers, not this function, check whether a UTF-8 file is valid.
  /// - Throws: `SyntaxError` with every unpaired surrogate, at most twenty; also if a UTF-16 file has an odd number of bytes or if the file
  ///   is UTF-32. The positions are those in the UTF-8 text.
  package func text(of bytes: [UInt8]) throws(SyntaxError) -> [UInt8] {
    if let fault = TextChecks.quadFault(in: bytes) { throw SyntaxError([fault]) }
    guard unit != .utf8 else { return hasMark ? Array(bytes.dropFirst(markLength)) : bytes }
    let isBig = unit == .utf16BigEndian
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var broken: [(offset: Int, unit: UInt16)] = []
    let span = bytes.span
    var index = markLength
    func load(_ index: Int) -> UInt16 {
      isBig ? UInt16(span[index]) << 8 | UInt16(span[index + 1]) : UInt16(span[index + 1]) << 8 | UInt16(span[index])
    }
    while index + 1 < span.count {
      let first = load(index)
      index += 2
      if first < 0x80 {
        text.append(UInt8(truncatingIfNeeded: first))
      } else if let scalar = Unicode.Scalar(first) {
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      } else if UTF16.isLeadSurrogate(first), index + 1 < span.count, UTF16.isTrailSurrogate(load(index)) {
        let scalar = UTF16.decode(UTF16.EncodedScalar([first, load(index)]))
        index += 2
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      } else {
        if broken.count < TextChecks.mostFaults { broken.append((text.count, first)) }
        text.append(contentsOf: UTF8.encodedReplacementCharacter)
      }
    }
    let lines = LineMap(text)
    var faults = broken.map { place in
      SyntaxFault(
        kind: .syntax, position: lines.position(at: place.offset),
        message: "unpaired surrogate 0x\(String(place.unit, radix: 16, uppercase: true))",
        hint: "remove the broken character")
    }
    if index < span.count {
      faults.append(
        SyntaxFault(
          kind: .truncated, position: lines.position(at: text.count),
          message: "the file is UTF-16 and ends within a character",
          hint: "the file is incomplete; copy it again or check it out again"))
    }
    guard faults.isEmpty else { throw SyntaxError(faults) }
    return text
  }

  /// Returns the bytes of a file with this encoding for a UTF-8 text without a byte order mark.
  package func bytes(of text: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    guard unit != .utf8 else { return hasMark ? [0xEF, 0xBB, 0xBF] + text : text }
    let isBig = unit == .utf16BigEndian
    bytes.reserveCapacity(2 * text.count + 2)
    func append(_ unit: UInt16) {
      let (high, low) = (UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit))
      bytes.append(isBig ? high : low)
      bytes.append(isBig ? low : high)
    }
    if hasMark { append(0xFEFF) }
    for unit in String(decoding: text, as: UTF8.self).utf16 { append(unit) }
    return bytes
  }
}
