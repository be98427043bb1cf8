import Localization
import Testing

struct TranslatorTests {
  @Test("a name is reduced to one line without characters that end a trailer or change the text direction")
  func names() {
    func name(_ text: String) -> String? { Translator(name: text)?.name }
    #expect(name("Ада  Lovelace") == "Ада Lovelace")
    #expect(name("Eve\nSigned-off-by: Root <root@example.com>") == "Eve Signed-off-by: Root root@example.com")
    #expect(name("Eve\r\n\r\nL10n-Source: 0") == "Eve L10n-Source: 0")
    #expect(name("a\u{2028}b\u{85}c\u{0}d") == "a b c d")
    #expect(name("a\u{202E}b\u{200B}c") == "abc")
    #expect(name("<<>>") == nil && name(" \n\t") == nil && name(".,:;'\"") == nil && name("") == nil)
    #expect(name("\"Dr. Who,\"") == "Dr. Who")
    #expect(name(String(repeating: "a", count: 100_000))?.unicodeScalars.count == Translator.longestName)
    #expect(name("e" + String(repeating: "\u{301}", count: 5000))?.unicodeScalars.count == Translator.longestName)
  }

  @Test("only ordinary ASCII addresses are accepted")
  func addresses() {
    #expect(Translator(name: "A", address: "ada+l10n@mail.example.com")?.address == "ada+l10n@mail.example.com")
    for text in [
      "", "ada", "@example.com", "ada@", "a@b@c", "ada@example.com>\nX: y", "<ada@example.com>", "a b@example.com",
      "ada@exa mple.com", "ada@example..com", "ada@-example.com", "ада@example.com", ".ada@example.com",
      String(repeating: "a", count: 250) + "@example.com", "ada@example.com\n", "\"ada\"@example.com",
    ] {
      #expect(Translator(name: "A", address: text)?.address == nil, "\(text)")
    }
  }

  @Test("the account or the address is used in place of a missing name")
  func fallbacks() {
    #expect(Translator(name: nil, account: "ada_l")?.name == "ada_l")
    #expect(Translator(name: "\n", account: "ada_l")?.name == "ada_l")
    #expect(Translator(name: nil, address: "ada@example.com")?.name == "ada")
    #expect(Translator(name: nil) == nil && Translator(name: nil, account: "\n", address: "nobody") == nil)
  }
}
