import CatalogFormats
import Localization
import StructuredText
import Testing

@Suite("Invisible texts")
struct InvisibleTextTests {
  @Test("an encoded text that begins with an invisible character is recognized without decoding")
  func beginning() throws {
    let invisible = (0x20...0x10FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init).filter(\.showsNothing)
    #expect(invisible.count > 4000)
    for scalar in invisible {
      let document = try JSONDocument.parse(Array("\"\(scalar)\"".utf8))
      #expect(document.mayBeginWithSpace(document.root), "U+\(String(scalar.value, radix: 16))")
    }
    for text in ["a", "ä", "日", "ب", "한", "("] {
      let document = try JSONDocument.parse(Array("\"\(text)\"".utf8))
      #expect(!document.mayBeginWithSpace(document.root), "\(text)")
    }
  }
}
