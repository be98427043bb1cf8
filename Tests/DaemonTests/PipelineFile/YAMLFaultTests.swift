import Localization
import Pipeline
import Testing

@testable import Daemon

@Suite struct YAMLFaultTests {
  @Test(
    "invalid YAML is reported with its location",
    arguments: [
      ("pipeline: a\n  repository: b\n", "2:13 not YAML"), ("pipeline: [a\nvendors: b\n", "2:8 not YAML"),
      ("pipeline: \"a\n", "2:1 not YAML"), ("pipeline: a\n\tvendors: b\n", "2:1 not YAML"),
      ("pipeline: ü\nvendors: ä: b\n", "2:12 not YAML"), ("pipeline: *a\n", "1:11 not YAML"),
      ("pipeline: a\n---\npipeline: b\n", "2:1 a second YAML document starts here"),
      (
        "pipeline: a\n<<<<<<< HEAD\nlanguages: [de]\n=======\nlanguages: [fr]\n>>>>>>> b\n",
        "2:1 conflict markers of an unfinished merge, lines 2 to 6"
      ),
      ("", "1:1 the file: contains no pipeline"), ("# nothing\n", "1:1 the file: contains no pipeline"),
      ("text\n", "1:1 the file: expected a pipeline, found a text"),
      ("pipeline: a\u{7}b\n", "1:12 the character U+0007 is not allowed in YAML"),
      ("pipeline: ä\u{2028}b\n", "1:13 the character U+2028 is not allowed in YAML"),
      ("pipeline: !!int 5\n", "1:11 pipeline: YAML tags are not supported in a pipeline file"),
      ("pipeline: !secret a\n", "1:11 pipeline: YAML tags are not supported in a pipeline file"),
      ("[a]: b\n", "1:1 the file: a key must be a name"),
    ])
  func syntax(_ text: String, _ fault: String) {
    #expect(places(text).contains { $0.hasPrefix(fault) }, "\(places(text))")
  }

  @Test("a tab that is used for indentation is reported with a hint")
  func tabs() { #expect(faults("pipeline: a\n\tvendors: b\n").first?.hint?.contains("not tabs") == true) }

  @Test("a file that is not UTF-8 is reported with the location of its first invalid byte")
  func encoding() {
    #expect(places(Array("pipeline: a\n# ä".utf8) + [0xE4, 0x0A]) == ["2:5 the file is not UTF-8"])
    #expect(places([0xFF, 0xFE, 0x61, 0x00]) == ["1:1 the file is not UTF-8"])
  }

  @Test("the columns of faults are counted in bytes")
  func columns() {
    #expect(
      places(leastFile + "\"ключ\": 1\ndeliver: { \"ü\": 1 }\n") == [
        "6:1 [\"ключ\"]: unknown key", "7:12 deliver[\"ü\"]: unknown key",
      ])
    #expect(places(leastFile + "languages: [\"ї\", \"ü\"]\n").map { $0.prefix(5) } == ["6:13 ", "6:19 "])
  }

  @Test("duplicate keys are reported at their second location together with other faults")
  func repeatedKeys() {
    let text = """
      pipeline: a
      repository:
        url: a
        "url": b  # again
        poll: soon
      vendors:
        - vendor: pseudo
          languages: [de]
          vendor: pseudo
        - { vendor: folder, path: "a, path: b", languages: [fr, {path: c}], path: d }
      pipeline: b
      repository: c

      """
    #expect(
      places(text) == [
        "4:3 repository.url: duplicate key; the first is on line 3",
        #"5:9 repository.poll: "soon" is not a time"#,
        "9:5 vendors[0].vendor: duplicate key; the first is on line 7",
        "10:59 vendors[1].languages[1]: expected a language such as de or pt-BR, found a mapping",
        "10:71 vendors[1].path: duplicate key; the first is on line 10",
        "11:1 pipeline: duplicate key; the first is on line 1",
        "12:1 repository: duplicate key; the first is on line 2",
      ])
    #expect(
      places("pipeline: a\npipeline: b\npipeline: c\n").prefix(5).filter { $0.contains("duplicate key;") } == [
        "2:1 pipeline: duplicate key; the first is on line 1",
        "3:1 pipeline: duplicate key; the first is on line 1",
      ])
    #expect(
      places("deliver:\n  mode: push\n  mode: push\nvendors: [\n").contains {
        $0.hasPrefix("3:3 mode: duplicate key")
      })
    #expect(places("? [a]\n: 1\n? [a]\n: 2\n").first?.contains("duplicate key `") == true)
    #expect(faults((0..<40).map { _ in "pipeline: a\n" }.joined()).contains { $0.message.contains("duplicate key `") })
  }

  @Test("nesting beyond the limit is refused before it is parsed")
  func nesting() {
    let limit = FileLimits.depth
    let deep = { (depth: Int) in
      "x: " + String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1) + "\n"
    }
    #expect(!places(leastFile + deep(limit)).contains { $0.contains("nesting") })
    #expect(places(leastFile + deep(limit + 1)) == ["6:35 more than 32 levels of nesting"])
    #expect(places(leastFile + deep(FileLimits.brackets)) == ["6:35 more than 32 levels of nesting"])
    #expect(
      places(leastFile + "x: " + String(repeating: "[", count: 100_000)).first?.contains("too many brackets") == true)
    #expect(
      places(leastFile + "x:\n  " + String(repeating: "- ", count: 100_000) + "a\n").first?.contains("is indented by")
        == true)
    let stairs = (0..<180).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
    #expect(places(stairs) == ["33:33 more than 32 levels of nesting"])
  }

  @Test("exponentially growing aliases are refused")
  func aliases() {
    var text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
    for level in 1..<9 {
      text += "a\(level): &a\(level) [" + Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ") + "]\n"
    }
    #expect(places(text) == ["2:50 too many aliases (`*name`)"])
    let wide = "a: &a [" + Array(repeating: "x", count: 5000).joined(separator: ",") + "]\n"
    #expect(places(wide + "b: [*a, *a, *a]\n").first?.hasSuffix("more than 20000 values") == true)
    #expect(places(wide + "? *a\n: 1\n").contains { $0.hasSuffix("a key must be a name") })
  }

  @Test("a small number of aliases is resolved")
  func fewAliases() throws {
    let text = leastFile.replacing("vendor: pseudo", with: "{ vendor: folder, path: a, languages: *l }")
    let definition = try read("languages: &l [de, uk]\n" + text)
    #expect(definition.vendors[0].languages == ["de", "uk"])
  }

  @Test("a file above the size limit is refused without being read")
  func size() {
    #expect(
      places([UInt8](repeating: 0x23, count: FileLimits.bytes + 1)) == [
        "0:0 the file has 1048577 bytes; the limit for a pipeline file is 1048576"
      ])
    let comments = String(repeating: "# *not* [this]\n", count: 60_000)
    #expect(places(comments + leastFile) == [])
  }

  @Test("a truncated or changed file gives faults or a pipeline, but never a crash")
  func damage() throws {
    let text = Array((leastFile + "languages: [de, \"uk\"]\ndeliver: { mode: branch, author: 'A <b@c>' }\n").utf8)
    for index in text.indices {
      _ = faults(Array(text[..<index]))
      for byte in [UInt8(0), 0x0A, 0x22, 0x26, 0x2A, 0x3A, 0x7B, 0xFF] {
        var changed = text
        changed[index] = byte
        _ = faults(changed)
      }
    }
    #expect(places(text) == [])
  }
}
