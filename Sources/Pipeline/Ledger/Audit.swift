package import FoundationEssentials
import Localization

package struct AuditID: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  package let rawValue: Int64
  package init(rawValue: Int64) { self.rawValue = rawValue }
  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// The person who acts, and the interface that they use.
package struct Actor: Hashable, Sendable, Codable {
  package enum Way: String, Hashable, Sendable, Codable, CaseIterable {
    case command, api, dashboard
  }

  /// The name of a token, of a user of this machine, or of the user that a proxy reported.
  package var name: String
  package var way: Way

  package init(name: String, way: Way) {
    self.name = name
    self.way = way
  }
}

/// An action by a person.
package struct AuditAction: Hashable, Sendable, Codable {
  package var actor: Actor
  /// The kind of action, in fixed words such as `round cancel`.
  package var action: String
  /// The pipeline's name; `nil` if the action does not concern a pipeline.
  package var pipeline: String?
  /// The subject, such as a round, a unit or a token.
  package var subject: String
  package var detail: String?

  package init(actor: Actor, action: String, pipeline: String?, subject: String, detail: String? = nil) {
    self.actor = actor
    self.action = action
    self.pipeline = pipeline
    self.subject = subject
    self.detail = detail
  }
}

/// An entry of the audit log. Entries are never deleted, and never changed once their outcome is set.
package struct AuditEntry: Hashable, Sendable, Codable {
  package static let done = "done"

  package var id: AuditID
  package var at: Date
  package var action: AuditAction
  /// `done`, or the reason why the action failed; `nil` if the action is still running, or the process ended before the result was known.
  package var outcome: String?

  package init(id: AuditID, at: Date, action: AuditAction, outcome: String?) {
    self.id = id
    self.at = at
    self.action = action
    self.outcome = outcome
  }
}

/// The permissions of a token. Each role includes the permissions of the roles before it.
package enum Role: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
  /// May read everything except the audit log and the list of tokens.
  case viewer
  /// May also decide about rounds, held units and pipelines, and read the audit log.
  case `operator`
  /// May also list, add and remove tokens.
  case admin

  package static func < (a: Self, b: Self) -> Bool {
    (allCases.firstIndex(of: a) ?? 0) < (allCases.firstIndex(of: b) ?? 0)
  }
}

/// A token of the API. The token itself is never stored.
package struct APIToken: Hashable, Sendable {
  package var name: String
  package var role: Role
  /// The SHA-256 of the token, in hexadecimal digits. A token has 256 random bits, so it needs no slow hash.
  package var hash: String
  package var created: Date

  package init(name: String, role: Role, hash: String, created: Date) {
    self.name = name
    self.role = role
    self.hash = hash
    self.created = created
  }

  /// Returns the hash of a token.
  package static func hash(of token: String) -> String { ContentDigest.hexadecimal(of: Array(token.utf8)) }
}
