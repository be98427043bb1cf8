import SwiftParsing
import Testing

@Suite struct LineTableTests {
  @Test(
    "line and column are returned in bytes, for every kind of line ending",
    arguments: [
      ("a\nbc\n", 0, 1, 1), ("a\nbc\n", 2, 2, 1), ("a\nbc\n", 3, 2, 2), ("a\r\nb", 3, 2, 1), ("a\rb", 2, 2, 1),
      ("é\nb", 3, 2, 1), ("", 0, 1, 1),
    ])
  func places(_ text: String, _ offset: Int, _ line: Int, _ column: Int) {
    let table = Array(text.utf8).withUnsafeBufferPointer { LineTable($0) }
    let place = table.place(of: offset)
    #expect(place.line == line && place.column == column)
  }
}
