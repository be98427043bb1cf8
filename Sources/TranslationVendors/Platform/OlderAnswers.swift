internal import Foundation
internal import Localization

/// A file in the state folder of a platform: the translations that strings had when their source text was changed. The platform keeps
/// these translations and marks them as unfinished. They do not count for the new text until a person confirms or changes them.
struct OlderAnswers: Sendable {
  private struct Entry: Codable {
    var catalog: String
    var name: String
    /// Digests of the new source text (``PlatformText/digests``).
    var texts: [String: String]
    /// Digests of the translations, by the platform's code of the language.
    var answers: [String: String]
    var since: Date

    var id: PlatformID { PlatformID(catalog: TreePath(trusted: catalog), name: name) }
  }

  /// How long the entry of a string that is not outstanding is kept, because an interrupted push may be repeated.
  private static let lasting: TimeInterval = 24 * 3600

  private let lines: StateLines

  init(folder: String, vendor: String) { lines = StateLines(folder: folder, name: "older", vendor: vendor) }

  /// Records the current translations of strings whose source text is about to be changed to that of `strings`.
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

  /// Returns the strings whose unfinished translation was made for an older source text.
  /// - Parameter strings: the strings with their current source texts.
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

  /// Forgets strings that are not outstanding any more.
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
  /// Digests of the texts by plural category, "" for a text without forms.
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

  /// Whether it is the text with these digests. Languages differ in the plural forms that they need, so only forms that both have are
  /// compared.
  func isOne(of known: [String: String]) -> Bool {
    let own = digests
    let common = known.keys.filter { own[$0] != nil }
    return !common.isEmpty && common.allSatisfy { own[$0] == known[$0] }
  }
}

extension PlatformVendor {
  /// Records the platform's translations of these strings in every language, before their source texts are changed. Does nothing unless
  /// the pipeline takes unfinished translations.
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
