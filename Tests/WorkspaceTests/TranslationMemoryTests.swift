import CatalogFormats
import Localization
import Testing
import Workspace

struct TranslationMemoryTests {
  private func unit(
    _ key: UnitKey, _ source: String, _ path: VariationPath = .root, target: String? = nil,
    state: String? = "translated"
  ) -> ExchangeUnit {
    ExchangeUnit(
      key: key, path: path, source: .text(source), target: target.map { ExchangeTarget(.text($0), state: state) })
  }

  private func file(
    _ units: [ExchangeUnit], _ original: String = "App/L.xcstrings", _ language: LocaleIdentifier = "de"
  )
    -> ExchangeFile
  {
    ExchangeFile(original: original, sourceLanguage: "en", targetLanguage: language, units: units)
  }

  private func texts(_ file: ExchangeFile?) -> [String] {
    file?.units.compactMap { if case .text(let text)? = $0.target?.text { text } else { nil } } ?? []
  }

  @Test(
    "a translation of the same key is preferred, then one of the key in another catalog, then the only one of the text")
  func order() {
    var memory = TranslationMemory()
    memory.add([
      file([unit("open", "Open", target: "Öffnen"), unit("state", "Open", target: "Offen")]),
      file([unit("open", "Open", target: "Aufmachen"), unit("save", "Save", target: "Sichern")], "Kit/L.xcstrings"),
    ])
    #expect(texts(memory.filled(file([unit("open", "Open")]))) == ["Öffnen"])
    #expect(texts(memory.filled(file([unit("open", "Open")], "Kit/L.xcstrings"))) == ["Aufmachen"])
    #expect(memory.filled(file([unit("open", "Open")], "New.xcstrings")) == nil, "the key has two translations")
    #expect(texts(memory.filled(file([unit("state", "Open")], "New.xcstrings"))) == ["Offen"])
    #expect(texts(memory.filled(file([unit("other", "Save")]))) == ["Sichern"])
    #expect(memory.filled(file([unit("other", "Open")])) == nil, "the text has three translations")
    #expect(
      memory.filled(file([unit("open", "open")])) == nil && memory.filled(file([unit("x", "Open")], "a", "fr")) == nil)
  }

  @Test("a translation without a state, as in a .strings file, is finished")
  func withoutState() {
    var memory = TranslationMemory()
    memory.add([
      file([unit("a", "Open", target: "Öffnen", state: nil), unit("b", "Save", target: "Sichern", state: "new")])
    ])
    #expect(memory.count == 1)
    #expect(texts(memory.filled(file([unit("a", "Open"), unit("b", "Save")]))) == ["Öffnen"])
  }

  @Test("either all forms of a unit are filled or none, and only if the unit has no translation")
  func forms() {
    let (one, other): (VariationPath, VariationPath) = ([.plural(.one)], [.plural(.other)])
    var memory = TranslationMemory()
    memory.add([file([unit("n", "%lld bird", one, target: "%lld Vogel"), unit("b", "Bird", target: "Vogel")])])
    let plural = [unit("n", "%lld bird", one), unit("n", "%lld birds", other)]
    #expect(memory.filled(file(plural)) == nil)
    memory.add([file([unit("n", "%lld birds", other, target: "%lld Vögel")])])
    #expect(texts(memory.filled(file(plural))) == ["%lld Vogel", "%lld Vögel"])
    #expect(memory.filled(file([unit("n", "%lld bird")])) == nil, "a plural form is not a plain text")
    #expect(memory.filled(file([unit("b", "Bird", target: "Piepmatz", state: "needs-review-translation")])) == nil)
    let filled = memory.filled(file([unit("b", "Bird", target: "", state: "new")]))
    #expect(filled?.units.first?.target?.state == "needs-review-translation")
    #expect(filled?.units.first?.target?.stateQualifier == ExchangeTarget.takenForReview)
    #expect(memory.filled(file([unit("b", "Bird")]), isFinished: true)?.units.first?.target?.state == "translated")
  }

  @Test("only finished translations are stored, and a TMX file has everything needed to find them")
  func exchange() throws {
    var memory = TranslationMemory()
    memory.add([
      file([
        unit("a", "A <b>", target: "Ä <b>"), unit("a", "A", target: "unfertig", state: "needs-review-translation"),
        unit("n", "%lld birds", [.plural(.other)], target: "%lld Vögel"), unit("e", "", target: "x"),
      ]), file([unit("a", "A <b>", target: "А <b>")], "App/L.xcstrings", "uk"),
    ])
    #expect(memory.count == 3)
    let (bytes, diagnostics) = memory.document(sourceLanguage: "en", toolVersion: "1").write(at: "m.tmx")
    #expect(diagnostics.isEmpty)
    var read = TranslationMemory()
    read.add(try TMXDocument.read(bytes, at: "m.tmx").document)
    #expect(read.count == 3)
    let again = read.document(sourceLanguage: "en", toolVersion: "1").write(at: "m.tmx").bytes
    #expect(String(decoding: again, as: UTF8.self) == String(decoding: bytes, as: UTF8.self))
    #expect(texts(read.filled(file([unit("n", "%lld birds", [.plural(.other)])]))) == ["%lld Vögel"])
    #expect(texts(read.filled(file([unit("a", "A <b>")], "App/L.xcstrings", "uk"))) == ["А <b>"])
  }

  @Test(
    "units of other tools have no key or form; languages ignore case, and for the source only the base language counts"
  )
  func otherTools() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <tmx version="1.4"><header creationtool="t" creationtoolversion="1" segtype="sentence" o-tmf="x" adminlang="en" \
      srclang="EN-US" datatype="plaintext"/><body><tu><tuv xml:lang="EN-US"><seg>Save</seg></tuv>\
      <tuv xml:lang="DE"><seg>Sichern</seg></tuv></tu></body></tmx>
      """
    var memory = TranslationMemory()
    memory.add(try TMXDocument.read(Array(text.utf8), at: "t.tmx").document)
    #expect(texts(memory.filled(file([unit("save", "Save")]))) == ["Sichern"])
  }

  @Test(
    "the region of a language can be missing on either side, and any language of a unit can be the source",
    arguments: [
      ("EN-US", "en", "de", true), ("en", "en-US", "de-DE", true), ("*all*", "en-US", "de-DE", true),
      ("*all*", "en", "de", true), ("en", "en", "de-AT", false), ("fr", "en", "de", false),
      ("*all*", "fr", "de", false),
    ])
  func regions(_ header: String, _ source: String, _ target: String, _ isFound: Bool) throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <tmx version="1.4"><header creationtool="t" creationtoolversion="1" segtype="sentence" o-tmf="x" adminlang="en" \
      srclang="\(header)" datatype="plaintext"/><body><tu><tuv xml:lang="\(source)"><seg>Save</seg></tuv>\
      <tuv xml:lang="\(target)"><seg>Sichern</seg></tuv></tu></body></tmx>
      """
    var memory = TranslationMemory()
    memory.add(try TMXDocument.read(Array(text.utf8), at: "t.tmx").document)
    #expect(texts(memory.filled(file([unit("save", "Save")]))) == (isFound ? ["Sichern"] : []))
    #expect(memory.count == (header == "fr" ? 0 : 1))
  }

  @Test("lookups are fast for a source with many translations and for units in many languages")
  func many() throws {
    let numbers = 0..<20_000
    var memory = TranslationMemory()
    memory.add([file(numbers.map { unit(UnitKey("key \($0)"), "Open", target: "Öffnen \($0)") })])
    #expect(memory.count == numbers.count)
    let filled = memory.filled(file(numbers.map { unit(UnitKey("key \($0)"), "Open") } + [unit("other", "Open")]))
    #expect(texts(filled) == numbers.map { "Öffnen \($0)" })
    var open = TranslationMemory()
    let variants = numbers.map { TMXVariant(language: "en-x-\($0)", text: "Open") }
    open.add(
      TMXDocument(
        sourceLanguage: TMXDocument.anyLanguage, toolVersion: "1",
        units: [TMXUnit(variants: variants + [TMXVariant(language: "de", text: "Öffnen")])]))
    #expect(texts(open.filled(file([unit("k", "Open")]))) == ["Öffnen"])
  }

  @Test("keys that differ only in Unicode normalization have separate translations, even after a TMX file is read back")
  func normalization() throws {
    var memory = TranslationMemory()
    let keys: [UnitKey] = ["caf\u{E9}", "cafe\u{301}"]
    memory.add([file([unit(keys[0], "Open", target: "Eins"), unit(keys[1], "Open", target: "Zwei")])])
    var read = TranslationMemory()
    read.add(memory.document(sourceLanguage: "en", toolVersion: "1"))
    for memory in [memory, read] {
      #expect(texts(memory.filled(file(keys.map { unit($0, "Open") }))) == ["Eins", "Zwei"])
    }
  }
}
