import Localization
import Testing

@Suite struct FileContentTests {
  private let old = Array("abcdefgh".utf8)

  private func text(_ content: FileContent) -> String { String(decoding: content.bytes, as: UTF8.self) }

  @Test("a file assembled from old and new pieces has the expected bytes")
  func pieces() {
    let content = FileContent(
      old, replacing: [(0..<0, Array("<".utf8)), (1..<3, Array("XYZ".utf8)), (5..<8, [])])
    #expect(text(content) == "<aXYZde" && content.count == 7)
    #expect(content.runs.reduce(into: []) { $0 += $1 } == content.bytes)
    #expect(content == FileContent(Array("<aXYZde".utf8)) && content != FileContent(old))
    #expect(text(FileContent(old)) == "abcdefgh" && text(FileContent([])) == "")
    #expect(text(FileContent(old, replacing: [])) == "abcdefgh")
  }

  @Test("an unchanged file is detected without assembling the pieces")
  func unchanged() {
    func isOld(_ replacements: [(Range<Int>, String)], _ file: String = "abcdefgh") -> Bool {
      FileContent(Array(file.utf8), replacing: replacements.map { ($0.0, Array($0.1.utf8)) }).isExactly(
        Array(file.utf8))
    }
    #expect(FileContent(old).isExactly(old) && FileContent([]).isExactly([]) && !FileContent(old).isExactly([]))
    #expect(isOld([]) && isOld([(2..<4, "cd")]))
    #expect(!isOld([(2..<4, "cx")]) && !isOld([(2..<4, "c")]) && !isOld([(0..<1, ""), (8..<8, "a")]))
    #expect(isOld([(0..<1, ""), (4..<4, "a")], "aaaa"))
    #expect(FileContent(old, replacing: [(0..<1, Array("x".utf8))]).isExactly(Array("xbcdefgh".utf8)))
    #expect(!FileContent(old).isExactly(Array("abcdefgx".utf8)))
  }
}
