import Localization
import Testing

struct AddressCheckTests {
  @Test(
    "a changed or added address is reported; a localized page, a repeated address or a final period is not",
    arguments: [
      (
        "<a href=\"https://example.com\">Help</a>", "<a href=\"https://evil.example\">Hilfe</a>",
        "the address https://example.com is now https://evil.example"
      ),
      (
        "See https://example.com/a.", "Siehe https://example.com/b.",
        "the address https://example.com/a is now https://example.com/b"
      ),
      ("See the page.", "Siehe https://x.org.", "the address https://x.org is not in the source text"),
      ("See https://x.org/a.", "Auf https://x.org/a, siehe (https://x.org/a)!", nil),
      ("See https://en.wikipedia.org/wiki", "Siehe https://de.wikipedia.org/wiki", nil),
      ("See https://x.org", "Siehe die Seite", nil),
      ("See https://x.org/en.", "Auf https://x.org/de, siehe https://x.org/de!", nil),
      (
        "See https://en.wikipedia.org/bird and https://en.wikipedia.org/nest.",
        "Siehe https://de.wikipedia.org/nest, https://en.wikipedia.org/bird und https://evil.example.",
        "the address https://evil.example is not in the source text"
      ),
    ] as [(String, String, String?)])
  func change(_ source: String, _ translation: String, _ words: String?) {
    #expect(AddressCheck.change(of: translation, against: source) == words)
    if let words { #expect(MarkupCheck.loss(of: translation, against: source) == words) }
  }
}
