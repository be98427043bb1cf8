/// A buffer for bytes that arrive in pieces and are split into lines. Each byte is searched only once, because a list of 100,000 branches is one line
/// of 10 MB.
struct LineBuffer {
  private var bytes: [UInt8] = []
  /// The number of bytes at the start that were searched and contain no line end.
  private var searched = 0
  /// The number of bytes that were searched in total.
  private(set) var work = 0

  /// The number of bytes that are still in the buffer.
  var count: Int { bytes.count }

  mutating func add(_ more: [UInt8]) { bytes += more }

  /// Removes and returns the first line, without its line end; `nil` if no line is complete.
  mutating func next() -> [UInt8]? {
    let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n"))
    work += (end ?? bytes.count) - searched
    guard let end else {
      searched = bytes.count
      return nil
    }
    let line = Array(bytes[..<end])
    bytes.removeSubrange(...end)
    searched = 0
    return line
  }
}
