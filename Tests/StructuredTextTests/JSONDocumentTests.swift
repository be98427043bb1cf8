import Foundation
import StructuredText
import Testing

@Suite struct JSONDocumentTests {
  @Test(
    "a syntax error is reported with its line and column",
    arguments: [
      ("", 1, 1, "empty"), ("  \n ", 2, 2, "empty"), ("{", 1, 2, "ends within 1 open object"),
      ("{\n  \"a\" : 1,\n}", 3, 1, "expected a key after ','"), ("{\n  \"a\" 1\n}", 2, 7, "expected ':'"),
      ("[1, 2", 1, 6, "ends within"), ("{\"a\" : \"x", 1, 10, "ends within the string"),
      ("{\"a\" : \"x\ny\"}", 1, 10, "no closing quote"),
      ("{\"a\" : \"\\x\"}", 1, 9, "unknown escape"), ("{\"a\" : \"\\ud800\"}", 1, 9, "surrogate"),
      ("{\"a\" : \"\\u12\"}", 1, 9, "four hexadecimal digits"), ("[01]", 1, 2, "number"), ("[1.]", 1, 2, "number"),
      ("[-]", 1, 2, "number"),
      ("{} x", 1, 4, "end of the file"), ("{\"a\" : tru}", 1, 8, "'true'"), ("{a : 1}", 1, 2, "key in quotes"),
      ("[1 2]", 1, 4, "',' or ']'"),
      ("{\"a\" : \"\u{1}\"}", 1, 9, "0x01 unescaped"), ("é", 1, 1, "expected a value, found 0xC3"),
    ])
  func faults(text: String, line: Int, column: Int, message: String) throws {
    let error = try #require(throws: SyntaxError.self) { try JSONDocument.parse(Array(text.utf8)) }
    let fault = try #require(error.faults.first)
    #expect(fault.position.line == line)
    #expect(fault.position.column == column)
    #expect(fault.message.contains(message))
  }

  @Test("all regions with conflict markers are reported with their lines")
  func conflicts() throws {
    let text = """
      {
      <<<<<<< HEAD
        "a" : 1
      =======
        "a" : 2
      >>>>>>> other
      ,
      <<<<<<< HEAD
      }
      >>>>>>> other
      """
    let error = try #require(throws: SyntaxError.self) { try JSONDocument.parse(Array(text.utf8)) }
    #expect(error.faults.map(\.kind) == [.conflictMarkers, .conflictMarkers])
    #expect(error.faults.map(\.position.line) == [2, 8])
    #expect(error.faults[0].message.contains("lines 2 to 6"))
  }

  @Test("at most twenty conflicts are reported, also of those without a last marker", arguments: [19, 20, 21, 40])
  func manyConflicts(count: Int) {
    let openings = String(repeating: "<<<<<<< HEAD\n", count: count)
    #expect(MergeRegion.all(in: Array(openings.utf8)).count == min(count, 20))
    let regions = String(repeating: "<<<<<<< HEAD\n>>>>>>> other\n", count: count)
    #expect(MergeRegion.all(in: Array(regions.utf8)).count == min(count, 20))
  }

  @Test("conflict markers inside a string are text")
  func markersInText() throws {
    let document = try JSONDocument.parse(Array(#"{"a" : "<<<<<<< HEAD"}"#.utf8))
    let value = try #require(document.value("a", of: document.root))
    #expect(document.string(value) == "<<<<<<< HEAD")
  }

  @Test(
    "invalid UTF-8 is reported with its location",
    arguments: [
      ([0x80], 3), ([0xC0, 0xAF], 3), ([0xE0, 0x80, 0x80], 3), ([0xED, 0xA0, 0x80], 3), ([0xF4, 0x90, 0x80, 0x80], 3),
      ([0xF5, 0x80], 3),
      ([0xE2, 0x82], 3), ([0xFF], 3),
    ] as [([UInt8], Int)])
  func notUTF8(bytes: [UInt8], column: Int) throws {
    let error = try #require(throws: SyntaxError.self) { try JSONDocument.parse([0x5B, 0x22] + bytes + [0x22, 0x5D]) }
    #expect(error.faults.first?.kind == .notUTF8)
    #expect(error.faults.first?.position.column == column)
    #expect(error.faults.count == 1)
  }

  @Test("every invalid UTF-8 sequence is reported, and UTF-16 is recognized by its byte order mark")
  func allPlaces() throws {
    let error = try #require(throws: SyntaxError.self) {
      try JSONDocument.parse(Array("[\"a\u{1F600}".utf8) + [0xFF, 0x0A, 0x61, 0xC3, 0x0A])
    }
    #expect(error.faults.map { [$0.position.line, $0.position.column] } == [[1, 8], [2, 2]])
    let wide = try #require(throws: SyntaxError.self) { try JSONDocument.parse([0xFF, 0xFE, 0x7B, 0, 0x7D, 0]) }
    #expect(wide.faults.first?.message.contains("UTF-16") == true)
  }

  @Test("our check of UTF-8 agrees with that of the standard library on random bytes")
  func surveyAgreesWithOracle() {
    var random = SeededGenerator(1)
    let pool: [UInt8] = [
      0x20, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xDF, 0xE0, 0xE2, 0xED, 0xEF, 0xF0, 0xF4, 0xF5,
    ]
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...14, using: &random)).map { _ in
        pool[Int.random(in: 0..<pool.count, using: &random)]
      }
      #expect(TextChecks.utf8Faults(in: bytes).isEmpty == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
    }
  }

  @Test("duplicate keys are reported with both locations, even if one is written with escapes")
  func duplicates() throws {
    let document = try JSONDocument.parse(
      Array("{\n \"a\" : 1,\n \"b\" : {\"x\" : 1, \"x\" : 2},\n \"\\u0061\" : 2\n}".utf8))
    let faults = document.duplicateKeys()
    #expect(faults.map { [$0.position.line, $0.position.column] } == [[4, 2], [3, 18]])
    #expect(faults.first?.message.contains("first is at 2:2") == true)
    let large = "{" + (0..<100).map { "\"k\($0 % 99)\" : 0" }.joined(separator: ",\n") + "}"
    #expect(try JSONDocument.parse(Array(large.utf8)).duplicateKeys().map(\.position.line) == [100])
  }

  @Test("every repetition of a key is found once, whatever the order and escapes of the keys")
  func duplicatesAgreeWithASet() throws {
    var random = SeededGenerator(3)
    let pool = ["a", "b", "A", " ", "!", "\\\"", "\\u0061", "é", "\\n", "#"]
    for _ in 0..<2_000 {
      var keys = (0..<Int.random(in: 1...8, using: &random)).map { _ in
        (0..<Int.random(in: 0...3, using: &random)).map { _ in pool[Int.random(in: 0..<pool.count, using: &random)] }
          .joined()
      }
      if Bool.random(using: &random) { keys.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
      let text = "{" + keys.map { "\"\($0)\":1" }.joined(separator: ",") + "}"
      let document = try JSONDocument.parse(Array(text.utf8))
      let decoded = document.members(of: document.root).map { Array(document.string($0.key).utf8) }
      #expect(document.duplicateKeys().count == decoded.count - Set(decoded).count, "\(text)")
    }
  }

  @Test("every truncated file is an error without a crash")
  func truncation() throws {
    let bytes = Array(#"{"a" : ["x\n\u00e9\ud83d\ude00", 1.5e-3, true, null, {}], "é😀" : {"b" : []}}"#.utf8)
    for count in 0..<bytes.count {
      #expect(throws: SyntaxError.self) { try JSONDocument.parse(Array(bytes[..<count])) }
    }
    _ = try JSONDocument.parse(bytes)
  }

  @Test("a file that is nested too deeply is refused without a stack overflow", arguments: ["[", "{\"a\":"])
  func depth(unit: String) throws {
    let bytes = Array(String(repeating: unit, count: 1_000_000).utf8)
    let error = try #require(throws: SyntaxError.self) { try JSONDocument.parse(bytes) }
    #expect(error.faults.first?.kind == .tooDeep)
  }

  @Test("a file above the size limit is refused")
  func size() throws {
    let error = try #require(throws: SyntaxError.self) {
      try JSONDocument.parse(Array("[1234567890]".utf8), limits: JSONLimits(size: 8))
    }
    #expect(error.faults.first?.kind == .tooLarge)
  }

  @Test("a file with too many values is refused at the first value above the limit")
  func values() throws {
    let error = try #require(throws: SyntaxError.self) {
      try JSONDocument.parse(Array("[1,2,3,4]".utf8), limits: JSONLimits(values: 3))
    }
    #expect(error.faults.map(\.kind) == [.tooLarge])
    #expect(error.faults.first?.position.column == 5)
  }

  @Test("random documents are read as by Foundation, and printed with Foundation's bytes")
  func oracle() throws {
    var random = SeededGenerator(7)
    for _ in 0..<300 {
      let value = JSONSample.value(depth: 4, &random)
      let data = try JSONSerialization.data(
        withJSONObject: ["root": value], options: [.prettyPrinted, .withoutEscapingSlashes, .sortedKeys])
      let document = try JSONDocument.parse(Array(data))
      let read = try #require(JSONSample.foundation(document.root, document) as? [String: Any])
      let again = try JSONSerialization.data(
        withJSONObject: read, options: [.prettyPrinted, .withoutEscapingSlashes, .sortedKeys])
      #expect(again == data)
      for isChosen in [true, false] {
        var output: [UInt8] = []
        JSONPrinter(.xcode).print(document, into: &output) { object, _ in
          isChosen ? Array(document.members(of: object)) : nil
        }
        #expect(String(decoding: output, as: UTF8.self) == String(decoding: data, as: UTF8.self))
      }
    }
  }
}

/// A random number generator that gives the same numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

enum JSONSample {
  static func text(_ random: inout SeededGenerator) -> String {
    let pool = [
      "a", "B", "é", "e\u{301}", "\"", "\\", "/", "\n", "\t", "\u{1}", "\u{7F}", "😀", "設", " ", "%@", "\u{A0}",
    ]
    return (0..<Int.random(in: 0...12, using: &random)).map { _ in pool[Int.random(in: 0..<pool.count, using: &random)]
    }.joined()
  }

  static func value(depth: Int, _ random: inout SeededGenerator) -> Any {
    switch Int.random(in: 0..<(depth == 0 ? 3 : 5), using: &random) {
    case 0: return text(&random)
    case 1: return Int.random(in: -1_000...1_000, using: &random)
    case 2: return Bool.random(using: &random)
    case 3: return (0..<Int.random(in: 1...3, using: &random)).map { _ in value(depth: depth - 1, &random) }
    default:
      var members: [String: Any] = [:]
      for number in 0..<Int.random(in: 1...4, using: &random) {
        members["\(number)\(text(&random))"] = value(depth: depth - 1, &random)
      }
      return members
    }
  }

  static func foundation(_ node: JSONNode, _ document: JSONDocument) -> Any {
    switch document.kind(of: node) {
    case .string: return document.string(node)
    case .number: return document.integer(node) ?? 0
    case .boolean: return document.boolean(node) ?? false
    case .null: return NSNull()
    case .array: return document.elements(of: node).map { foundation($0, document) }
    case .object:
      var members: [String: Any] = [:]
      for member in document.members(of: node) {
        members[document.string(member.key)] = foundation(member.value, document)
      }
      return members
    }
  }
}
