internal import Foundation
package import Localization
package import TestSupport
import Testing

/// A stateful test double of a translation system with the protocol of docs/vendors/http.md. An issue is recorded for an unknown request.
package final class InHouseServer: Sendable {
  /// The contents of the server, which the lock protects.
  private final class State {
    /// The strings by catalog and name.
    var strings: [String: [String: Any]] = [:]
    /// The translations by language code, then by catalog and name.
    var translations: [String: [String: [String: Any]]] = [:]
    /// The number of times that each string was sent, by catalog and name.
    var sendings: [String: Int] = [:]
  }

  private let lock = NSLock()
  nonisolated(unsafe) private let state = State()
  private let languages: [String]

  package init(languages: [String] = ["de", "uk"]) { self.languages = languages }

  private static func key(_ id: Any?) -> String {
    let id = id as? [String: String] ?? [:]
    return "\(id["catalog"] ?? "?")::\(id["name"] ?? "?")"
  }

  /// Returns the response to a request. A request without the token `secret-token` is refused.
  package func respond(to request: RecordedRequest) -> LoopbackReply {
    guard request.header("Authorization") == "Bearer secret-token" else { return .respond(status: 401) }
    let body = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any] ?? [:]
    let path = request.target.split(separator: "/").map(String.init)
    let ids = body["ids"] as? [[String: String]] ?? []
    return lock.withLock {
      switch (request.method, path.first ?? "", path.dropFirst().joined(separator: "/")) {
      case ("GET", "languages", ""): return .json(["languages": languages])
      case ("POST", "strings", "query"):
        return .json(["strings": ids.compactMap { state.strings[Self.key($0)] }])
      case ("PUT", "strings", ""):
        for string in body["strings"] as? [[String: Any]] ?? [] {
          state.strings[Self.key(string["id"])] = string
          state.sendings[Self.key(string["id"]), default: 0] += 1
        }
      case ("POST", "strings", "archive"):
        for id in ids { state.strings[Self.key(id)]?["archived"] = true }
      case ("POST", "strings", "delete"):
        for id in ids { state.strings[Self.key(id)] = nil }
      case ("PUT", "translations", _) where path.count == 3 && path[2] == "missing":
        for translation in body["translations"] as? [[String: Any]] ?? [] {
          let key = Self.key(translation["id"])
          let known = state.translations[path[1]]?[key]?["target"] as? NSDictionary
          var kept = translation
          let replaces = kept.removeValue(forKey: "replaces") as? [String: Any]
          guard known == nil || replaces.map({ known?.isEqual(to: $0) ?? false }) ?? false else { continue }
          state.translations[path[1], default: [:]][key] = kept
        }
      case ("POST", "translations", _) where path.count == 3 && path[2] == "query":
        return .json(["translations": ids.compactMap { state.translations[path[1]]?[Self.key($0)] }])
      default:
        Issue.record("the protocol has no \(request.method) \(request.target)")
        return .respond(status: 599)
      }
      return .json([:])
    }
  }

  /// Translates every string into a language, and marks the translations as reviewed.
  /// - Parameter translator: the translator's name, account and address, as in the protocol.
  package func translate(_ language: LocaleIdentifier, by translator: [String: String]? = nil) {
    lock.withLock {
      for (key, string) in state.strings {
        var target = string["source"] as? [String: Any] ?? [:]
        if let text = target["text"] as? String { target["text"] = "\(language): \(text)" }
        if let forms = target["forms"] as? [String: String] {
          target["forms"] = forms.mapValues { "\(language): \($0)" }
        }
        state.translations[language.rawValue, default: [:]][key] = [
          "id": string["id"] ?? "", "source": string["source"] ?? "", "target": target, "state": "reviewed",
        ]
        if let translator { state.translations[language.rawValue]?[key]?["translator"] = translator }
      }
    }
  }

  /// Keeps only one form of each translated plural text, as if a person had saved only this form. The form that is kept is reviewed if `isReviewed`
  /// is set.
  package func leaveOnly(_ form: String, in language: LocaleIdentifier, isReviewed: Bool) {
    lock.withLock {
      for (key, translation) in state.translations[language.rawValue] ?? [:] {
        guard let forms = (translation["target"] as? [String: Any])?["forms"] as? [String: String] else { continue }
        state.translations[language.rawValue]?[key]?["target"] = ["forms": forms.filter { $0.key == form }]
        state.translations[language.rawValue]?[key]?["state"] = isReviewed ? "reviewed" : "translated"
      }
    }
  }

  /// Enters translations.
  /// - Parameter texts: the translations by the names of their strings.
  package func enter(_ texts: [String: String], in language: LocaleIdentifier, state word: String = "reviewed") {
    lock.withLock {
      for (key, string) in state.strings {
        guard let name = (string["id"] as? [String: String])?["name"], let text = texts[name] else { continue }
        state.translations[language.rawValue, default: [:]][key] = [
          "id": string["id"] ?? "", "source": string["source"] ?? "", "target": ["text": text], "state": word,
        ]
      }
    }
  }

  /// Changes all stored source texts that have no plural forms, like a platform that normalizes texts.
  func keepSources(as kept: (String) -> String) {
    lock.withLock {
      for (key, string) in state.strings {
        guard let text = (string["source"] as? [String: String])?["text"] else { continue }
        state.strings[key]?["source"] = ["text": kept(text)]
      }
    }
  }

  /// Adds a comment to a string, as a person would.
  /// - Returns: `false` if no string has the name, or the string already has a comment.
  func note(_ comment: String, to name: String) -> Bool {
    lock.withLock {
      for (key, string) in state.strings where (string["id"] as? [String: String])?["name"] == name {
        guard (string["comment"] as? String ?? "").isEmpty else { return false }
        state.strings[key]?["comment"] = comment
        return true
      }
      return false
    }
  }

  /// The length limits of strings by catalog and name; 0 for no limit.
  package var limits: [String: Int] { lock.withLock { state.strings.mapValues { $0["maxLength"] as? Int ?? 0 } } }

  /// The number of times that each string was sent, by catalog and name.
  package var sendings: [String: Int] { lock.withLock { state.sendings } }

  /// Everything that the system stores, as JSON with sorted keys.
  package var content: String {
    lock.withLock {
      let all: [String: Any] = ["strings": state.strings, "translations": state.translations]
      let data = (try? JSONSerialization.data(withJSONObject: all, options: [.sortedKeys])) ?? Data()
      return String(decoding: data, as: UTF8.self)
    }
  }
}
