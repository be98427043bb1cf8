internal import Foundation
internal import Localization
internal import Synchronization

/// A file in the vendor's state folder that lists refused strings, so refused strings are not sent again at each poll.
///
/// A refusal is valid for a day at most, and only until the string or the vendor's settings change. After that, the string is sent again. The daily
/// attempt is needed because people may have changed something at the platform.
final class StringRefusals: Sendable {
  struct Entry: Codable {
    var catalog: String
    var name: String
    /// Digests of the source text by plural category. The category is "" for a text without plural forms.
    var texts: [String: String]
    var comment: String?
    /// An identifier of the vendor's settings at the time of the refusal.
    var fingerprint: String
    var reason: String
    /// The time of the last refusal; `nil` if the string must be sent again.
    var since: Date?

    var id: PlatformID { PlatformID(catalog: TreePath(trusted: catalog), name: name) }
  }

  private static let lasting: TimeInterval = 24 * 3600

  private let lines: StateLines
  private let fingerprint: String
  /// The refused strings that this process has already reported.
  private let told = Mutex<Set<PlatformID>>([])

  init(folder: String, vendor: String, fingerprint: String) {
    lines = StateLines(folder: folder, name: "refused", vendor: vendor)
    self.fingerprint = fingerprint
  }

  /// Reads all refusals, including the refusals of strings that have changed since.
  func all() throws -> [PlatformID: Entry] {
    Dictionary(try lines.read(Entry.self).map { ($0.id, $0) }) { $1 }
  }

  /// Returns whether a refusal is still valid for a string. If so, the string is not sent.
  func stands(_ entry: Entry, for string: PlatformString, at now: Date) -> Bool {
    concerns(entry, string) && entry.comment == string.comment && entry.fingerprint == fingerprint
      && entry.since.map { abs(now.timeIntervalSince($0)) < Self.lasting } ?? false
  }

  /// Returns whether the string still has the source text that was refused.
  func concerns(_ entry: Entry, _ string: PlatformString) -> Bool { string.source.isOne(of: entry.texts) }

  /// Records which of the sent strings were accepted or refused.
  /// - Parameter reasons: the reason for each refused string.
  func note(_ strings: [PlatformString], refused reasons: [PlatformID: String], at now: Date) throws {
    var entries = try all()
    guard !reasons.isEmpty || strings.contains(where: { entries[$0.id] != nil }) else { return }
    for string in strings {
      entries[string.id] = reasons[string.id].map { reason in
        Entry(
          catalog: string.catalog.text, name: string.name, texts: string.source.digests,
          comment: string.comment, fingerprint: fingerprint, reason: reason, since: now)
      }
    }
    try write(entries)
  }

  /// Marks refused strings whose comments have changed, so they are sent again.
  func note(comments: [PlatformID: String?]) throws {
    var entries = try all()
    var hasChanged = false
    for (id, comment) in comments {
      guard let entry = entries[id], entry.comment != comment else { continue }
      entries[id]?.comment = comment
      entries[id]?.since = nil
      hasChanged = true
    }
    if hasChanged { try write(entries) }
  }

  /// Removes the old refusals of strings that are no longer outstanding.
  func retain(_ outstanding: Set<PlatformID>, at now: Date) throws {
    told.withLock { $0.formIntersection(outstanding) }
    let entries = try all()
    let kept = entries.filter { id, entry in
      // Recent refusals are kept too, because an interrupted push may be repeated.
      outstanding.contains(id) || entry.since.map { abs(now.timeIntervalSince($0)) < Self.lasting } ?? false
    }
    if kept.count < entries.count { try write(kept) }
  }

  /// Returns whether a refusal must be reported. Each refusal is reported once while the process runs.
  func isNews(_ id: PlatformID) -> Bool { told.withLock { $0.insert(id).inserted } }

  private func write(_ entries: [PlatformID: Entry]) throws {
    try lines.replace(try entries.sorted { $0.key < $1.key }.flatMap { try StateLines.bytes(of: $0.value) })
  }
}
