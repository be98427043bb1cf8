internal import Localization

/// A file in a vendor's state folder that lists the glossary terms that were sent to the vendor. Unchanged terms need no request. The file
/// also shows whether a translation at the vendor is ours or was changed there.
struct TermBook: Sendable {
  private struct Line: Codable {
    /// The vendor's language code.
    var code: String
    var terms: [String: Entry]
  }

  private struct Entry: Codable, Hashable {
    /// The glossary's translation that was sent to the vendor last.
    var wanted: String
    /// Our translation at the vendor; `nil` if the vendor has another person's translation.
    var entered: String?
  }

  private let lines: StateLines

  /// - Parameters:
  ///   - folder: the state folder of the pipeline's vendors.
  ///   - vendor: the vendor's name.
  init(folder: String, vendor: String) { lines = StateLines(folder: folder, name: "terms", vendor: vendor) }

  /// Returns the terms that must be sent, because they were not yet sent to the vendor with these translations. Each returned term contains the
  /// translation that we entered last, if there is one.
  func pending(_ terms: [PlatformTerm], code: String) throws -> [PlatformTerm] {
    let known = try lines.read(Line.self).last { $0.code == code }?.terms ?? [:]
    return terms.compactMap { term in
      guard let entry = known[term.text] else { return term }
      guard entry.wanted != term.translation else { return nil }
      var term = term
      term.entered = entry.entered
      return term
    }
  }

  /// Records terms that were sent to the vendor.
  /// - Parameter left: the terms for which the vendor keeps another person's translation.
  func note(_ terms: [PlatformTerm], left: Set<String>, code: String) throws {
    var all = try lines.read(Line.self)
    var line = all.last { $0.code == code } ?? Line(code: code, terms: [:])
    for term in terms {
      line.terms[term.text] = Entry(
        wanted: term.translation, entered: left.contains(term.text) ? nil : term.translation)
    }
    all.removeAll { $0.code == code }
    try lines.replace(try (all + [line]).flatMap { try StateLines.bytes(of: $0) })
  }
}
