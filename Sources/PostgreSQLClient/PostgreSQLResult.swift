private import CLibPQ

/// The rows that a statement returned, and the number of rows that it changed. All rows are in memory.
@safe
package final class PostgreSQLResult {
  private let result: OpaquePointer
  package let count: Int
  private let columnCount: Int
  private lazy var columns: [String: Int] = {
    var columns: [String: Int] = [:]
    for index in 0..<columnCount {
      guard let name = unsafe PQfname(result, Int32(index)) else { continue }
      unsafe columns[String(cString: name)] = index
    }
    return columns
  }()

  /// Takes ownership of a libpq result, which is freed with this object.
  init(_ result: OpaquePointer) {
    unsafe self.result = result
    count = unsafe Int(PQntuples(result))
    columnCount = unsafe Int(PQnfields(result))
  }

  deinit { unsafe PQclear(result) }

  /// The number of rows that an INSERT, UPDATE or DELETE changed.
  package var changes: Int {
    guard let text = unsafe PQcmdTuples(result) else { return 0 }
    return unsafe Int(String(cString: text)) ?? 0
  }

  /// The server's command tag, such as `COMMIT`.
  package var status: String { unsafe PQcmdStatus(result).map { unsafe String(cString: $0) } ?? "" }

  /// Returns the index of a column; `nil` if there is no column with this name.
  package func column(_ name: String) -> Int? { columns[name] }

  /// Returns the text of a value; `nil` for null.
  /// - Precondition: `row` and `column` exist.
  package func text(_ row: Int, _ column: Int) -> String? {
    unsafe bytes(row, column).map { unsafe EscapedText.text($0) }
  }

  package func integer(_ row: Int, _ column: Int) -> Int64? {
    guard let bytes = unsafe bytes(row, column) else { return nil }
    var value: Int64 = 0
    var isNegative = false
    let count = bytes.count
    for index in 0..<count {
      let byte = unsafe bytes[index]
      if index == 0, byte == UInt8(ascii: "-") {
        isNegative = true
      } else if (48...57).contains(byte) {
        value = value &* 10 &+ Int64(byte - 48)
      } else if byte == UInt8(ascii: "t"), count == 1 {
        return 1
      } else {
        // Parsing also stops at the `f` of a Boolean and at the fraction of a sum.
        break
      }
    }
    return isNegative ? -value : value
  }

  package func double(_ row: Int, _ column: Int) -> Double? {
    unsafe bytes(row, column).flatMap { unsafe Double(String(decoding: $0, as: UTF8.self)) }
  }

  /// Returns the bytes of a value that was encoded with `encode(…, 'hex')`.
  /// - Returns: `nil` for null and for text that is not hexadecimal.
  package func hexadecimal(_ row: Int, _ column: Int) -> [UInt8]? {
    guard let digits = unsafe bytes(row, column), digits.count % 2 == 0 else { return nil }
    var values: [UInt8] = []
    values.reserveCapacity(digits.count / 2)
    for place in stride(from: 0, to: digits.count, by: 2) {
      guard let high = Self.value(of: unsafe digits[place]), let low = Self.value(of: unsafe digits[place + 1]) else {
        return nil
      }
      values.append(high << 4 | low)
    }
    return values
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x61...0x66: digit - 0x57
    default: nil
    }
  }

  private func bytes(_ row: Int, _ column: Int) -> UnsafeBufferPointer<UInt8>? {
    precondition(row >= 0 && row < count && column >= 0 && column < columnCount, "no such row or column in a result")
    let (row, column) = (Int32(row), Int32(column))
    guard unsafe PQgetisnull(result, row, column) == 0, let start = unsafe PQgetvalue(result, row, column) else {
      return nil
    }
    let length = unsafe Int(PQgetlength(result, row, column))
    return unsafe UnsafeBufferPointer(
      start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self), count: length)
  }
}
