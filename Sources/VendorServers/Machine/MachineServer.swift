internal import Foundation
internal import Synchronization
package import TestSupport
import Testing

/// A test double of a machine translation service. The server contains the code that all vendors share, and a dialect contains one vendor's API.
package final class MachineServer: Sendable {
  /// One vendor's API.
  package struct Dialect: Sendable {
    enum Question {
      case translate([String])
      case other(LoopbackReply)
      /// A request that the API does not support.
      case unknown
    }

    /// Reads a request, and records the request's errors as issues.
    var read: @Sendable (RecordedRequest) -> Question
    /// Writes the response with the translations. The element of a text without a translation is `nil`.
    var respond: @Sendable ([String?]) -> LoopbackReply
    /// The response when the account's limit is reached; `nil` if the service has no accounts.
    var spent: LoopbackReply?
  }

  enum Behaviour: Equatable {
    case good
    /// Removes digits and everything in angle brackets from texts.
    case losesPlaceholders
    /// Leaves one translation out of each response.
    case forgetsOne
    /// Leaves one translation out of the response to each request with several texts.
    case forgetsOneOfSeveral
    /// Returns null for the last of several texts.
    case nullOfSeveral
    /// Returns null for texts that contain this string; for all texts if the string is empty.
    case nullFor(String)
    /// Responds that the account's limit is reached after this number of texts.
    case spends(Int)
  }

  private struct State {
    var behaviour = Behaviour.good
    var texts: [String] = []
  }

  private let state = Mutex(State())
  private let dialect: Dialect
  var hasAccounts: Bool { dialect.spent != nil }

  package init(_ dialect: Dialect) { self.dialect = dialect }

  var behaviour: Behaviour {
    get { state.withLock { $0.behaviour } }
    set { state.withLock { $0.behaviour = newValue } }
  }

  /// The texts of all answered requests, in order.
  package var texts: [String] { state.withLock { $0.texts } }

  package func respond(to request: RecordedRequest) -> LoopbackReply {
    switch dialect.read(request) {
    case .other(let reply): return reply
    case .unknown:
      Issue.record("the service has no \(request.method) \(request.target)")
      return .respond(status: 599)
    case .translate(let texts):
      return state.withLock { state in
        if case .spends(let limit) = state.behaviour, state.texts.count + texts.count > limit, let spent = dialect.spent
        {
          return spent
        }
        state.texts += texts
        var translations = texts.map { Optional(Self.translated($0, state.behaviour)) }
        switch state.behaviour {
        case .forgetsOne: translations.removeLast()
        case .forgetsOneOfSeveral where texts.count > 1: translations.removeLast()
        case .nullOfSeveral where texts.count > 1: translations[texts.count - 1] = nil
        case .nullFor(let part):
          for (index, text) in texts.enumerated() where part.isEmpty || text.contains(part) {
            translations[index] = nil
          }
        default: break
        }
        return dialect.respond(translations)
      }
    }
  }

  private static func translated(_ text: String, _ behaviour: Behaviour) -> String {
    guard behaviour == .losesPlaceholders else { return "⟦\(text)⟧" }
    var depth = 0
    return text.filter { character in
      if character == "<" { depth += 1 }
      defer { if character == ">" { depth -= 1 } }
      return depth == 0 && !character.isNumber
    }
  }

  /// Returns the body of a request. An issue is recorded for each member that is missing or unknown to the API.
  static func object(
    _ request: RecordedRequest, required: Set<String>, optional: Set<String> = []
  ) -> [String: Any] {
    let body = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any] ?? [:]
    for name in Set(body.keys).symmetricDifference(required) where body[name] == nil || !optional.contains(name) {
      Issue.record("the member \(name) is \(body[name] == nil ? "missing" : "unknown")")
    }
    return body
  }
}
