internal import Foundation
internal import Synchronization
package import TestSupport
import Testing

/// A test double of DeepL's API for glossaries, with the glossaries of one account.
package final class DeepLAccount: Sendable {
  struct Entry: Sendable {
    var id: String
    var name: String
    var entries: String
    var languages: String
  }

  private struct State {
    var all: [Entry] = []
    var number = 0
  }

  private let state = Mutex(State())
  var all: [Entry] { state.withLock { $0.all } }

  package init() {}

  /// Adds a glossary, as a person would.
  func add(named name: String) {
    state.withLock { $0.all.append(Entry(id: name, name: name, entries: "", languages: "en-de")) }
  }

  /// Responds to a request; returns `nil` if the API does not support the request.
  package func respond(to request: RecordedRequest) -> LoopbackReply? {
    switch (request.method, request.path.joined(separator: "/")) {
    case ("GET", "v2/glossary-language-pairs"):
      return .json(["supported_languages": [["source_lang": "en", "target_lang": "de"]]])
    case ("GET", "v2/glossaries"):
      return .json(["glossaries": all.map(Self.object)])
    case ("POST", "v2/glossaries"):
      let body = MachineServer.object(
        request, required: ["name", "source_lang", "target_lang", "entries", "entries_format"])
      #expect(body["entries_format"] as? String == "tsv")
      let made = state.withLock { state in
        state.number += 1
        let entry = Entry(
          id: "glossary-\(state.number)", name: body["name"] as? String ?? "",
          entries: body["entries"] as? String ?? "",
          languages: "\(body["source_lang"] ?? "")-\(body["target_lang"] ?? "")")
        state.all.append(entry)
        return entry
      }
      return .json(Self.object(made), status: 201)
    case ("DELETE", let path) where path.hasPrefix("v2/glossaries/"):
      state.withLock { state in state.all.removeAll { path.hasSuffix("/" + $0.id) } }
      return .respond(status: 204)
    default: return nil
    }
  }

  private static func object(_ entry: Entry) -> [String: Any] {
    [
      "glossary_id": entry.id, "name": entry.name, "ready": true, "source_lang": "en", "target_lang": "de",
      "creation_time": "2026-01-01T00:00:00Z", "entry_count": 1,
    ]
  }
}
