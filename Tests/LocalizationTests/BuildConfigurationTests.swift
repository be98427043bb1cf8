import Localization
import Testing

@Suite struct BuildConfigurationTests {
  private static func configuration(_ values: [String: String]) -> BuildConfiguration {
    BuildConfiguration(
      name: "Debug", settings: values.mapValues { BuildSetting(value: $0, path: "p", line: 1, column: 1) })
  }

  @Test(
    "references to settings are replaced, and an unclosed bracket stays as text",
    arguments: [
      ("plain", "plain"), ("$(A)", "a/b.c"), ("x${A:file:base:upper}y", "xBy"), ("$(N:default=x=y)", "x=y"),
      ("$(N)", nil), ("$(A", "$(A"), ("$(${A) $(A)", "$(${A) a/b.c"), ("$( $(A)", "$( a/b.c"), ("$(A}) $", nil),
      ("$$(A)$", "$a/b.c$"), ("${A)}", nil), ("$(N:default=a:lower)b:c", "ab:c"), ("$(O)", nil),
    ] as [(String, String?)])
  func expanding(text: String, expected: String?) {
    let configuration = Self.configuration(["A": "a/b.c", "O": "$(SDKROOT)"])
    #expect(configuration.expanding(text) == expected)
  }

  @Test("the pieces of a text with any brackets add up to the text, and a megabyte of open brackets is scanned once")
  func pieces() {
    func joined(_ text: String) -> String {
      SettingReference.pieces(of: text).map { piece in
        switch piece {
        case .text(let plain): String(plain)
        case .reference(let reference): String(reference.written)
        }
      }.joined()
    }
    let open = String(repeating: "$(", count: 500_000)
    for text in [open, open + ")", open + "A" + String(repeating: ")", count: 500_000), "é$(é)\u{301}${é:x}"] {
      #expect(joined(text).utf8.elementsEqual(text.utf8))
    }
    #expect(SettingReference.pieces(of: open + ")").count == 2)
  }

  @Test("a value that is or becomes too large, or needs too much work, is treated as unknown")
  func bounds() {
    let configuration = Self.configuration(["A": String(repeating: "a", count: 6000)])
    #expect(configuration.expanding("$(A)")?.utf8.count == 6000)
    #expect(configuration.expanding("$(A)$(A)") == nil)
    #expect(configuration.expanding(String(repeating: "$(A:suffix)", count: 700)) == nil)
    #expect(configuration.expanding(String(repeating: "$(", count: 500_000)) == nil)
    let plain = String(repeating: "a", count: 1 << 20)
    #expect(configuration.expanding(plain) == plain)
  }
}
