import Localization
import Testing

@Suite struct ContentDigestTests {
  @Test(
    "the digest equals SHA-256 on the examples of FIPS 180-4",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
      ),
    ])
  func examples(_ text: String, _ expected: String) {
    var digest = ContentDigest()
    digest.update(text.utf8)
    #expect(digest.finishHexadecimal() == expected)
  }

  @Test("the digest does not depend on how the bytes are split")
  func pieces() {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for size in [1, 7, 63, 64, 65, 200] {
      var digest = ContentDigest()
      for start in stride(from: 0, to: bytes.count, by: size) {
        digest.update(bytes[start..<min(start + size, bytes.count)])
      }
      #expect(digest.finish() == ContentDigest.of(bytes))
    }
  }

  @Test("two consecutive texts have a different digest than one combined text")
  func texts() {
    func digest(_ texts: String...) -> [UInt8] {
      var digest = ContentDigest()
      for text in texts { digest.update(text: text) }
      return digest.finish()
    }
    #expect(digest("ab", "c") != digest("a", "bc"))
    #expect(digest("ab") != digest("ab", ""))
  }
}
