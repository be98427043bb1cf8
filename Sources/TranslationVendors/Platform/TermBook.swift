internal import Localization

/// A file in a vendor's state folder that lists the glossary terms sent to it. Unchanged terms then need no request, and the file shows
/// whether a translation at the vendor is ours or was changed there.
struct TermBook: Sendable {
  private struct Line: Codable {
    /// The vendor's code of the language.
    var code: String
    var terms: [String: Entry]
  }

  private struct Entry: Codable, Hashable {
    /// The translation in the glossary when the vendor was asked last.
    var wanted: String
    /// Our term at the vendor; `nil` if the vendor has somebody else's.
    var entered: String?
  }

  private let lines: StateLines

  /// - Parameters:
  ///   - folder: of the pipeline's vendors.
  ///   - vendor: its name.
  init(folder: String, vendor: String) { lines = StateLines(folder: folder, name: "terms", vendor: vendor) }

  /// The terms that the vendor may not have with these translations, each with the translation that we entered last.
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

  /// - Parameter left: the terms whose translation at the vendor is somebody else's.
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
