import Localization
import Testing
import TranslationVendors

@Suite struct PseudoStyleTests {
  @Test(
    "words are changed, and everything that a program parses is kept",
    arguments: [
      ("Hello, World!", "Ĥéļļó, Ŵóŕļð!"),
      ("%lld of %@ done", "%lld óƒ %@ ðóñé"),
      ("%1$lld %2$@ %% %-5.2f %#@birds@ %1$#@birds@ %arg", "%1$lld %2$@ %% %-5.2f %#@birds@ %1$#@birds@ %arg"),
      ("Ask ${applicationName} now", "Ášķ ${applicationName} ñóẋ".replacing("ẋ", with: "ŵ")),
      ("See [the **docs**](https://a.example/b_(c)) now", "Šéé [ţĥé **ðóçš**](https://a.example/b_(c)) ñóŵ"),
      ("^[%lld bird](inflect: true) sang", "^[%lld bird](inflect: true) šáñĝ"),
      ("<b>bold</b> &amp; a<b", "<b>ƀóļð</b> &amp; á<ƀ"),
      ("at https://example.com/path, say", "áţ https://example.com/path, šáý"),
      ("a\\nb", "á\\nƀ"),
      ("100%", "100%"), ("50% of it", "50% óƒ íţ"), ("日本語 🐦", "日本語 🐦"), ("", ""),
    ])
  func accented(_ text: String, _ expected: String) {
    #expect(PseudoStyle.apply([.accented], to: text) == expected)
  }

  @Test("the styles lengthened, doubled, bounded and right-to-left work alone and combined")
  func styles() {
    #expect(PseudoStyle.apply([.lengthened], to: "Hello %@") == "Heelloo %@")
    #expect(PseudoStyle.apply([.doubleLength], to: "%lld birds") == "%lld birds birds")
    #expect(PseudoStyle.apply([.doubleLength], to: "%@") == "%@")
    #expect(PseudoStyle.apply([.bounded], to: "Hello") == "[# Hello #]")
    #expect(PseudoStyle.apply([.rightToLeft], to: "Two\nlines") == "\u{202E}Two\u{202C}\n\u{202E}lines\u{202C}")
    #expect(
      PseudoStyle.apply([.accented, .lengthened, .bounded], to: "Bird")
        == "[# ßíírd #]".replacing("ß", with: "Ɓ").replacing("rd", with: "ŕð"))
  }

  @Test("placeholders keep their number, order and type", arguments: PseudoStyle.allCases)
  func placeholders(_ style: PseudoStyle) {
    let texts = [
      "%lld of %@", "%2$@ %1$lld%%", "50 % off %@", "%", "%%", "% d %+.3Lf", "%#@a@ and %1$#@b.c@ %arg", "${name} ${",
      "100% sure, %d%% of %s",
      "^[%lld mouse](inflect: true)", "[%@](%@)", "a % b % c",
    ]
    for text in texts {
      let before = FormatString(text)
      let after = FormatString(PseudoStyle.apply([style], to: text))
      #expect(before.arguments.map(\.type) == after.arguments.map(\.type), "\(text)")
      #expect(before.references == after.references && before.names == after.names, "\(text)")
    }
  }

  @Test(
    "every hostile text is processed in finite time",
    arguments: ["]((((", "^[[[[", "<a<a<a", "&&&&", "%#@", "${", "`", "\\", "http://"])
  func hostile(_ text: String) {
    #expect(PseudoStyle.apply(Set(PseudoStyle.allCases), to: String(repeating: text, count: 200)).isEmpty == false)
  }
}
