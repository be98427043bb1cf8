import Foundation

extension Pipe {
  /// Reads the line that a server prints when it is ready. Python may write the line in several parts.
  /// - Returns: the line without its line break, or all the output if the server ended first.
  func line() throws -> String {
    var line = Data()
    while let byte = try fileHandleForReading.read(upToCount: 1), let first = byte.first, first != 0x0A {
      line.append(byte)
    }
    return String(decoding: line, as: UTF8.self)
  }
}
