import CatalogFormats
import Foundation
import Localization
import Testing

@Suite struct UTF16ColumnsTests {
  @Test("a surrogate pair counts as two columns in UTF-8 and UTF-16 files", arguments: [false, true])
  func columns(isUTF16: Bool) throws {
    let text = "a\n\"🐦 Птица\" = \"x\";\r\nlast é"
    let bytes = isUTF16 ? [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } : Array(text.utf8)
    let columns = UTF16Columns(of: InMemoryTree(["a.strings": bytes]))
    // Before the quotation mark: 1 + 4 + 1 + 10 bytes, which are 1 + 2 + 1 + 5 UTF-16 code units.
    #expect(columns.column(17, ofLine: 2, in: "a.strings") == 10)
    #expect(columns.column(1, ofLine: 2, in: "a.strings") == 1)
    #expect(columns.column(8, ofLine: 3, in: "a.strings") == 7)
    // After the end of the file, and after the end of a line.
    #expect(columns.column(99, ofLine: 3, in: "a.strings") == 7)
    #expect(columns.column(99, ofLine: 1, in: "a.strings") == 2)
    #expect(columns.column(1, ofLine: 4, in: "a.strings") == nil)
    #expect(columns.column(1, ofLine: 1, in: "b.strings") == nil)
  }
}
