/// One conflict of an unfinished git merge: the lines from the marker `<<<<<<<` to the marker `>>>>>>>`.
package struct MergeRegion: Hashable, Sendable {
  /// The position of the first marker.
  package let start: TextPosition
  /// The line of the last marker; `nil` if it is missing.
  package let lastLine: Int?
  /// The offset of the line break after the last marker, or the end of the file; if the last marker is missing, the offset after the first marker.
  package let end: Int

  package static let hint = "resolve the conflict and remove the markers"

  package var message: String { Self.message(from: start.line, to: lastLine) }

  package static func message(from line: Int, to lastLine: Int?) -> String {
    "conflict markers of an unfinished merge" + (lastLine.map { ", lines \(line) to \($0)" } ?? "")
  }

  package var fault: SyntaxFault {
    SyntaxFault(kind: .conflictMarkers, position: start, message: message, hint: Self.hint)
  }

  /// Returns the conflicts in a file, at most twenty, including conflicts with only one of the two markers. White space before a marker is
  /// allowed, because editors indent the lines of a conflict.
  package static func all(in bytes: [UInt8]) -> [MergeRegion] {
    var regions: [MergeRegion] = []
    var open: (start: TextPosition, end: Int)?
    var line = 1
    var start = 0
    func add(_ first: (start: TextPosition, end: Int), to last: (line: Int, end: Int)?) {
      regions.append(MergeRegion(start: first.start, lastLine: last?.line, end: last?.end ?? first.end))
    }
    while start < bytes.count, regions.count < TextChecks.mostFaults {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      let word = bytes[start..<end].firstIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") } ?? end
      let marker = (start: TextPosition(offset: word, line: line, column: word - start + 1), end: word + markerLength)
      if isMarker(UInt8(ascii: "<"), at: word, in: bytes) {
        if let open { add(open, to: nil) }
        open = marker
      } else if isMarker(UInt8(ascii: ">"), at: word, in: bytes) {
        add(open ?? marker, to: (line, end))
        open = nil
      }
      start = end + 1
      line += 1
    }
    if let open, regions.count < TextChecks.mostFaults { add(open, to: nil) }
    return regions
  }

  private static let markerLength = 7

  /// Returns whether there is a marker made of `character` at an offset.
  package static func isMarker(_ character: UInt8, at start: Int, in bytes: [UInt8]) -> Bool {
    let end = start + markerLength
    guard end <= bytes.count, bytes[start..<end].allSatisfy({ $0 == character }) else { return false }
    return end == bytes.count || [UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains(bytes[end])
  }
}
