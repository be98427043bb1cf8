internal import Localization

/// The text of a YAML file. The text is checked before it is passed to the parser. This type also converts the parser's positions to places.
struct FileText {
  let text: String
  /// The bytes of each line, without its line break.
  private let lines: [ArraySlice<UInt8>]
  /// The byte offsets of the Unicode scalars and of the end, for each line that is not ASCII, by line number.
  private let scalarStarts: [Int: [Int32]]

  /// Checks the bytes of a file.
  /// - Returns: `nil` if the bytes are not valid text for YAML or exceed `FileLimits`; the reason is added to `faults`.
  init?(_ bytes: [UInt8], faults: FaultList) {
    guard bytes.count <= FileLimits.bytes else {
      faults.add("the file has \(bytes.count) bytes; the limit for a pipeline file is \(FileLimits.bytes)")
      return nil
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let content = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
    guard let text = String(validating: content, as: UTF8.self) else {
      faults.add("the file is not UTF-8", at: Self.placeOfInvalidByte(content), hint: "save it as UTF-8")
      return nil
    }
    self.text = text
    lines = Self.lines(of: content)
    var scalarStarts: [Int: [Int32]] = [:]
    for (index, line) in lines.enumerated() where line.contains(where: { $0 >= 0x80 }) {
      let starts = line.enumerated().filter { $0.element & 0xC0 != 0x80 }.map { Int32($0.offset) }
      scalarStarts[index + 1] = starts + [Int32(line.count)]
    }
    self.scalarStarts = scalarStarts
    guard checkCharacters(faults), checkStructure(faults) else { return nil }
  }

  /// Converts a position of libYAML, which counts columns in Unicode scalars, to a place.
  ///
  /// - Parameters:
  ///   - line: the line, from 1.
  ///   - column: the column in Unicode scalars, from 1.
  func place(line: Int, column: Int) -> Place {
    guard let starts = scalarStarts[line], !starts.isEmpty else {
      return Place(line: max(line, 1), column: max(column, 1))
    }
    return Place(line: line, column: Int(starts[min(max(column - 1, 0), starts.count - 1)]) + 1)
  }

  /// Returns whether the indentation of a line contains a tab.
  func isIndentedWithTab(_ line: Int) -> Bool {
    guard lines.indices.contains(line - 1) else { return false }
    return lines[line - 1].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.contains(UInt8(ascii: "\t"))
  }

  /// Checks for characters that libYAML would reject without reporting their position. The line separators of YAML 1.1 are also rejected, because
  /// editors do not count them as line breaks.
  private func checkCharacters(_ faults: FaultList) -> Bool {
    for (index, line) in lines.enumerated() {
      var column = 1
      for scalar in String(decoding: line, as: UTF8.self).unicodeScalars {
        switch scalar.value {
        case 0x09, 0x20...0x7E, 0xA0...0x2027, 0x202A...0xFEFE, 0xFF00...0xFFFD, 0x10000...0x10FFFF: break
        default:
          let number = String(scalar.value, radix: 16, uppercase: true)
          faults.add(
            "the character U+\(String(repeating: "0", count: max(0, 4 - number.count)) + number) is not allowed in YAML",
            at: Place(line: index + 1, column: column), hint: "remove it")
          return false
        }
        column += scalar.utf8.count
      }
    }
    return true
  }

  /// Checks the limits for nesting and aliases before the text is parsed. The counts are upper bounds, because they include brackets and stars in
  /// texts and in comments at the end of lines.
  private func checkStructure(_ faults: FaultList) -> Bool {
    var brackets = 0
    var aliases = 0
    for (index, line) in lines.enumerated() {
      let opening = line.prefix { " -?:\t".utf8.contains($0) }
      guard line.dropFirst(opening.count).first != UInt8(ascii: "#") else { continue }
      guard opening.count <= FileLimits.indentation else {
        faults.add(
          "the line is indented by \(opening.count) columns", at: Place(line: index + 1, column: opening.count),
          hint: "the limit is \(FileLimits.indentation)")
        return false
      }
      var previous = UInt8(ascii: " ")
      for (column, byte) in line.enumerated() {
        if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { brackets += 1 }
        if byte == UInt8(ascii: "*"), " \t[{,:-?".utf8.contains(previous), Self.isNamed(line.dropFirst(column + 1)) {
          aliases += 1
        }
        guard brackets <= FileLimits.brackets else {
          faults.add(
            "too many brackets", at: Place(line: index + 1, column: column + 1),
            hint: "the limit is \(FileLimits.brackets)")
          return false
        }
        guard aliases <= FileLimits.aliases else {
          faults.add(
            "too many aliases (`*name`)", at: Place(line: index + 1, column: column + 1),
            hint: "the limit is \(FileLimits.aliases); write the values instead")
          return false
        }
        previous = byte
      }
    }
    return true
  }

  /// Returns whether the bytes begin with the name of an alias.
  private static func isNamed(_ rest: ArraySlice<UInt8>) -> Bool {
    guard let byte = rest.first else { return false }
    return byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte)
      || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  /// Splits the bytes at LF, CR and CR LF, as libYAML does.
  private static func lines(of bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = bytes.startIndex
    var index = start
    while index < bytes.endIndex {
      let byte = bytes[index]
      index += 1
      guard byte == 0x0A || byte == 0x0D else { continue }
      lines.append(bytes[start..<(index - 1)])
      if byte == 0x0D, index < bytes.endIndex, bytes[index] == 0x0A { index += 1 }
      start = index
    }
    lines.append(bytes[start...])
    return lines
  }

  private static func placeOfInvalidByte(_ bytes: ArraySlice<UInt8>) -> Place {
    for (index, line) in lines(of: bytes).enumerated() where String(validating: line, as: UTF8.self) == nil {
      var decoder = Unicode.UTF8.ForwardParser()
      var iterator = line.makeIterator()
      var column = 1
      while case .valid(let scalar) = decoder.parseScalar(from: &iterator) { column += scalar.count }
      return Place(line: index + 1, column: column)
    }
    return .start
  }
}
