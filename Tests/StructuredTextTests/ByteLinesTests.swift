import StructuredText
import Testing

@Suite struct ByteLinesTests {
  @Test("the indentation of a line is returned up to a position in the line, with a limited length")
  func indentation() {
    let text = Array("a\n \t b\r\n  ".utf8)
    #expect(Array(text.indentation(ofLineAt: 5)) == Array(" \t ".utf8))
    #expect(Array(text.indentation(ofLineAt: 3)) == Array(" ".utf8))
    #expect(text.indentation(ofLineAt: 0).isEmpty && text.indentation(ofLineAt: 1).isEmpty)
    #expect(text.indentation(ofLineAt: text.count).count == 2)
    let long = Array(repeating: UInt8(0x20), count: (64 << 10) + 2)
    #expect(long.indentation(ofLineAt: 64 << 10).count == 64 << 10)
    #expect(long.indentation(ofLineAt: (64 << 10) + 1).isEmpty)
  }

  @Test(
    "lines end with LF, CR LF or CR",
    arguments: [("", 0), ("a", 0), ("a\nb\n", 2), ("\r\n\r\n", 2), ("\r\r", 2), ("\n\r", 2), ("a\r\nb\rc\n", 3)])
  func lineBreaks(text: String, count: Int) {
    #expect(Array(text.utf8)[...].lineBreakCount == count)
    #expect(Array(("x" + text).utf8).dropFirst().lineBreakCount == count)
  }
}
