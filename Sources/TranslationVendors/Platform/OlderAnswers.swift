internal import Foundation
internal import Localization

/// A file in a vendor's state folder with digests of the translations that strings had when their source texts were changed. The platform keeps
/// these translations and marks them as unfinished. They do not count for the new source text until a person confirms or changes them.
struct OlderAnswers: Sendable {
  private struct Entry: Codable {
    var catalog: String
    var name: String
    /// Digests of the new source text (``PlatformText/digests``).
    var texts: [String: String]
    /// Digests of the translations, by the platform's language code.
    var answers: [String: String]
    var since: Date

    var id: PlatformID { PlatformID(catalog: TreePath(trusted: catalog), name: name) }
  }

  /// The minimum time in seconds for which an entry is kept, even if the string is no longer outstanding. An interrupted push may be repeated during
  /// this time.
  private static let lasting: TimeInterval = 24 * 3600

  private let lines: StateLines

  init(folder: String, vendor: String) { lines = StateLines(folder: folder, name: "older", vendor: vendor) }

  /// Records the current translations of strings whose source texts will be changed next. Earlier records of these strings are replaced.
  /// - Parameters:
  ///   - strings: the strings with their new source texts.
  ///   - answers: the translations of each string, by the platform's language code.
  func note(_ strings: [PlatformString], _ answers: [PlatformID: [String: PlatformText]], at now: Date) throws {
    var entries = try all()
    for string in strings {
      entries[string.id] = answers[string.id].map { texts in
        Entry(
          catalog: string.catalog.text, name: string.name, texts: string.source.digests,
          answers: texts.mapValues(\.digest), since: now)
      }
    }
    try write(entries)
  }

  /// Returns the names of strings whose unfinished translation was made for an older source text.
  /// - Parameters:
  ///   - found: the platform's current translations.
  ///   - strings: the strings with their current source texts.
  ///   - code: the platform's language code.
  func among(_ found: [PlatformTranslation], of strings: [PlatformString], code: String) throws -> Set<PlatformID> {
    let entries = try all()
    guard !entries.isEmpty else { return [] }
    let wanted = Dictionary(strings.map { ($0.id, $0.source) }) { first, _ in first }
    return Set(
      found.filter { translation in
        guard translation.state < .translated, let entry = entries[translation.id],
          let source = wanted[translation.id]
        else { return false }
        return entry.answers[code] == translation.text.digest && source.isOne(of: entry.texts)
      }.map(\.id))
  }

  /// Removes the old entries of strings that are no longer outstanding.
  func retain(_ outstanding: Set<PlatformID>, at now: Date) throws {
    let entries = try all()
    let kept = entries.filter { id, entry in
      outstanding.contains(id) || abs(now.timeIntervalSince(entry.since)) < Self.lasting
    }
    if kept.count < entries.count { try write(kept) }
  }

  private func all() throws -> [PlatformID: Entry] {
    Dictionary(try lines.read(Entry.self).map { ($0.id, $0) }) { $1 }
  }

  private func write(_ entries: [PlatformID: Entry]) throws {
    try lines.replace(try entries.sorted { $0.key < $1.key }.flatMap { try StateLines.bytes(of: $0.value) })
  }
}

extension PlatformText {
  /// Digests of the texts by plural category. The category is "" for a text without plural forms.
  var digests: [String: String] {
    let texts: [String: String] =
      switch self {
      case .plain(let text): ["": text]
      case .plural(let forms): forms.named
      }
    return texts.mapValues { ContentDigest.hexadecimal(of: Array($0.utf8), bytes: 16) }
  }

  /// One digest of the text with all its forms.
  var digest: String {
    let forms = digests.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    return ContentDigest.hexadecimal(of: Array(forms.utf8), bytes: 16)
  }

  /// Returns whether this text has these digests. Languages differ in the plural forms that they need, so only forms that both texts have are
  /// compared. The result is `false` if there are no such forms.
  func isOne(of known: [String: String]) -> Bool {
    let own = digests
    let common = known.keys.filter { own[$0] != nil }
    return !common.isEmpty && common.allSatisfy { own[$0] == known[$0] }
  }
}

extension PlatformVendor {
  /// Records the platform's translations of these strings in every language before their source texts are changed. Does nothing unless the pipeline
  /// file accepts unfinished translations (`take: suggested`).
  func noteAnswers(before strings: [PlatformString]) async throws {
    guard settings.take == .suggested, !strings.isEmpty else { return }
    var answers: [PlatformID: [String: PlatformText]] = [:]
    for code in try await platform.languages() {
      try Task.checkCancellation()
      for found in try await platform.translations(Set(strings.map(\.id)), code: code) where found.fault == nil {
        answers[found.id, default: [:]][code] = found.text
      }
    }
    try older.note(strings, answers, at: environment.now())
  }
}
