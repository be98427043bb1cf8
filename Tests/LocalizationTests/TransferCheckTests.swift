import Localization
import Testing

@Suite("Damage to texts by a vendor's system")
struct TransferCheckTests {
  /// A source text, the returned text, the language, the repair, and the repaired text.
  struct Case: Sendable, CustomTestStringConvertible {
    var source: String
    var came: String
    var language: LocaleIdentifier = "de"
    var repair: TransferCheck.Repair
    var better: String

    var testDescription: String { "\(repair): \(came.debugDescription)" }
  }

  private static let damaged = [
    Case(source: "Name: ", came: "Name:", repair: .spaces, better: "Name: "),
    Case(source: "  Done\n", came: "Fertig", repair: .spaces, better: "  Fertig\n"),
    Case(source: "Done\n", came: "Fertig ", repair: .spaces, better: "Fertig\n"),
    Case(source: "Done\n", came: "完了", language: "ja", repair: .spaces, better: "完了\n"),
    Case(source: "Tom & Jerry", came: "Tom &amp; Jerry", repair: .escapes, better: "Tom & Jerry"),
    Case(source: "It's", came: "Es ist&#39;s &quot;so&quot;", repair: .escapes, better: "Es ist's \"so\""),
    Case(source: "A < B", came: "A &#x3c; B", repair: .escapes, better: "A < B"),
    Case(source: "Two\nlines", came: #"Zwei\nZeilen"#, repair: .escapes, better: "Zwei\nZeilen"),
    Case(source: "Say “hi”", came: #"Sag \"hallo\" \u2026"#, repair: .escapes, better: "Sag \"hallo\" …"),
    Case(
      source: #"<a href="x">Open</a>"#, came: "<a href=„x“>Öffnen</a> „jetzt“", repair: .quotes,
      better: #"<a href="x">Öffnen</a> „jetzt“"#),
    Case(source: "%'d files", came: "%’d Dateien", repair: .quotes, better: "%'d Dateien"),
    Case(source: "%1$'lld files", came: "%1$’lld Dateien", repair: .quotes, better: "%1$'lld Dateien"),
    Case(source: "Bird", came: "\u{200F}Vogel", repair: .marks, better: "Vogel"),
    Case(source: "Bird", came: "\u{202B}Vogel\u{202C}", repair: .marks, better: "Vogel"),
    Case(source: "Bird", came: "\u{202E}طائر\u{202C}", language: "ar", repair: .marks, better: "طائر"),
    Case(source: "Bird", came: "\u{2067}طائر", language: "ar", repair: .marks, better: "طائر"),
    Case(
      source: "%lld birds", came: "%\u{200F}lld طيور\u{200F}", language: "ar", repair: .marks,
      better: "%lld طيور\u{200F}"),
  ]

  @Test("each kind of damage is found, and repaired only by the repair for it", arguments: damaged)
  func damage(_ text: Case) {
    #expect(TransferCheck.fault(of: text.came, against: text.source, in: text.language) != nil)
    let repaired = TransferCheck.repaired(text.came, of: text.source, in: text.language, by: [text.repair])
    #expect(repaired == text.better)
    #expect(TransferCheck.fault(of: repaired, against: text.source, in: text.language) == nil)
    #expect(TransferCheck.repaired(text.came, of: text.source, in: text.language, by: []) == text.came)
    let others = Set(TransferCheck.Repair.allCases).subtracting([text.repair])
    #expect(TransferCheck.repaired(text.came, of: text.source, in: text.language, by: others) == text.came)
  }

  @Test(
    "undamaged texts are left unchanged",
    arguments: [
      ("Name: ", "名前：", "ja"), ("Name", "Name ", "de"), (" ", "", "de"), ("Tom &amp; Jerry", "Tom &amp; Jerry", "de"),
      ("&lt;b&gt;", "&lt;strong&gt;", "de"), (#"C:\new"#, #"C:\neu"#, "de"), ("R&D", "F&E", "de"),
      ("A & B;", "C & D;", "de"),
      ("&copyright;", "&unknown;", "de"), ("Say \"hi\"", "Sag „hallo“", "de"),
      ("<b>It's</b>", "<b>Das ist’s</b>", "de"),
      (#"<a title="“x”">a</a>"#, #"<a title="„x“">b</a>"#, "de"), ("50 % don't", "50 %’der", "tr"),
      ("Bird", "\u{200F}طائر (Bird)\u{200E}", "ar"), ("Bird", "\u{2068}Vogel\u{2069}", "de"),
      ("\u{200F}x", "\u{200F}Vogel", "de"), ("Bird", "\u{2067}طائر\u{2069}", "he"), ("", "x", "de"), ("x", "", "de"),
    ])
  func right(_ source: String, _ came: String, _ language: String) {
    let language = LocaleIdentifier(language)
    #expect(TransferCheck.fault(of: came, against: source, in: language) == nil)
    #expect(
      TransferCheck.repaired(came, of: source, in: language, by: Set(TransferCheck.Repair.allCases)).isExactly(came))
  }

  @Test(
    "control characters count as damage if the source text has none",
    arguments: ["\0", "\u{7}", "\u{7F}", "\u{9B}", "\u{FFFD}"])
  func controls(_ character: String) {
    let text = "Hallo\(character)"
    #expect(TransferCheck.fault(of: text, against: "Hello", in: "de")?.contains("control character U+") == true)
    #expect(TransferCheck.fault(of: text, against: "Hello\(character)", in: "de") == nil)
    #expect(TransferCheck.fault(of: "Hallo\r\n\tÄ ﬁ…", against: "Hello\r\n\tA fi…", in: "de") == nil)
  }
}
