import StructuredText
import Testing

@Suite struct JSONObjectEditTests {
  private func edit(_ text: String, removing removed: [String] = [], adding added: [String]) throws -> String {
    let document = try JSONDocument.parse(Array(text.utf8))
    var edit = JSONObjectEdit(document.root, of: document, style: .detected(in: document))
    for member in document.members(of: document.root) where removed.contains(document.string(member.key)) {
      edit.remove(member)
    }
    for key in added { edit.add(key, .object([JSONValue.Member("v", .string("x"))])) }
    var edits = ByteEdits()
    edit.apply(to: &edits, precedes: <)
    return String(decoding: edits.applied(to: document.bytes), as: UTF8.self)
  }

  @Test("members are added and removed in the layout of the file, and other bytes are kept")
  func layouts() throws {
    #expect(
      try edit("{\n  \"b\" : 1,\n  \"d\" : 2\n}", adding: ["a", "c", "e"])
        == "{\n  \"a\" : {\n    \"v\" : \"x\"\n  },\n  \"b\" : 1,\n  \"c\" : {\n    \"v\" : \"x\"\n  },\n  \"d\" : 2,\n  \"e\" : {\n    \"v\" : \"x\"\n  }\n}"
    )
    #expect(
      try edit("{\r\n\t\"b\": 1,\r\n\t\"d\":2\r\n}\r\n", adding: ["c"])
        == "{\r\n\t\"b\": 1,\r\n\t\"c\": {\r\n\t\t\"v\": \"x\"\r\n\t},\r\n\t\"d\":2\r\n}\r\n")
    #expect(try edit("{\"b\":1,\"d\":2}", adding: ["c"]) == "{\"b\":1,\"c\":{\"v\":\"x\"},\"d\":2}")
    #expect(try edit("{\"b\": 1, \"d\": 2}", adding: ["c"]) == "{\"b\": 1, \"c\": {\"v\": \"x\"}, \"d\": 2}")
    #expect(try edit("{\n\n}", adding: ["c"]) == "{\n  \"c\" : {\n    \"v\" : \"x\"\n  }\n}")
  }

  @Test("removing any members leaves the rest unchanged")
  func removal() throws {
    let text = "{\n  \"a\" : 1,\n  \"b\" : 2,\n  \"c\" : 3\n}"
    #expect(try edit(text, removing: ["a"], adding: []) == "{\n  \"b\" : 2,\n  \"c\" : 3\n}")
    #expect(try edit(text, removing: ["b"], adding: []) == "{\n  \"a\" : 1,\n  \"c\" : 3\n}")
    #expect(try edit(text, removing: ["c"], adding: []) == "{\n  \"a\" : 1,\n  \"b\" : 2\n}")
    #expect(try edit(text, removing: ["a", "b"], adding: []) == "{\n  \"c\" : 3\n}")
    #expect(try edit(text, removing: ["b", "c"], adding: []) == "{\n  \"a\" : 1\n}")
    #expect(try edit(text, removing: ["a", "b", "c"], adding: []) == "{\n\n}")
    #expect(try edit(text, removing: ["a", "b", "c"], adding: ["z"]) == "{\n  \"z\" : {\n    \"v\" : \"x\"\n  }\n}")
    #expect(
      try edit(text, removing: ["a", "b"], adding: ["a2", "d"])
        == "{\n  \"a2\" : {\n    \"v\" : \"x\"\n  },\n  \"c\" : 3,\n  \"d\" : {\n    \"v\" : \"x\"\n  }\n}")
  }

  @Test("adding removed members again restores the bytes, for every pair of members")
  func roundTrip() throws {
    let names = ["a", "b", "c", "d"]
    func member(_ name: String) -> String { "  \"\(name)\" : {\n    \"v\" : \"x\"\n  }" }
    let text = "{\n" + names.map(member).joined(separator: ",\n") + "\n}"
    for first in names {
      for second in names {
        #expect(
          try edit(try edit(text, removing: [first, second], adding: []), adding: Array(Set([first, second]))) == text)
      }
    }
  }
}
