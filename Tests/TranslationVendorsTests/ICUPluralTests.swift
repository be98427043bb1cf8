import Localization
import Testing

@testable import TranslationVendors

@Suite("Plural forms in ICU's MessageFormat")
struct ICUPluralTests {
  @Test("forms are written in CLDR's order, and characters that are special to ICU are quoted")
  func writing() {
    #expect(
      ICUPlural.write([.other: "%lld birds", .one: "%lld bird"])
        == "{value, plural, one {%lld bird} other {%lld birds}}")
    #expect(ICUPlural.write([.other: "it's #1 {a}"]) == "{value, plural, other {it's '#'1 '{'a'}'}}")
    #expect(ICUPlural.write([.other: "birds'"]) == "{value, plural, other {birds''}}")
  }

  @Test(
    "written texts are read back unchanged",
    arguments: [
      "", "'", "''", "'''", "it's", "{", "}", "'{'", "#'", "|'|", "a'{b}'c''d'", "%#@birds@", "é\u{301}\n\t{'}'",
    ])
  func roundTrip(_ text: String) {
    let forms: [PluralCategory: String] = [.one: text, .other: "x\(text)y"]
    #expect(ICUPlural.read(ICUPlural.write(forms)) == forms)
  }

  @Test("other spellings are read; exact numbers are omitted, and nested arguments are kept unchanged")
  func reading() {
    #expect(
      ICUPlural.read(" { n ,plural , =0 {none} one{a {n} b}\n other { c } } ") == [.one: "a {n} b", .other: " c "])
  }

  @Test("a plural with an offset is refused with the offset, and an offset of 0 is ignored")
  func offsets() throws {
    for text in ["{n, plural, offset:1 one {a} other {b}}", "{n,plural,offset: 1other {b}}"] {
      #expect(throws: ICUPlural.Fault.offset("1")) { try ICUPlural.forms(text) }
      #expect(ICUPlural.read(text) == nil)
    }
    #expect(try ICUPlural.forms("{n, plural, offset:0 one {a} other {b}}") == [.one: "a", .other: "b"])
    for text in ["{n, plural, offset: other {b}}", "{n, plural, one {a} offset:1 other {b}}"] {
      #expect(throws: ICUPlural.Fault.notPlural) { try ICUPlural.forms(text) }
    }
  }

  @Test(
    "a text is read as a plural only if the whole text is one valid plural",
    arguments: [
      "", "bird", "{n}", "{n, select, a {b} other {c}}", "{n, plural, other {a}} b", "{n, plural, other {a}",
      "{n, plural, other {'{a}}", "{n, plural, other", "{n, plural, {a}}",
    ])
  func others(_ text: String) { #expect(ICUPlural.read(text) == nil) }
}
