import Foundation
import Pipeline

/// A commit that brought strings of a round in.
struct RoundOrigin: Encodable {
  /// `nil` for strings without a known commit, as are the author and the date.
  var commit: CommitID?
  var author: String?
  var date: Date?
  var strings: Int

  /// The commits of a round's strings, the newest first; strings without a known commit last.
  static func all(of units: [RoundUnit]) -> [RoundOrigin] {
    let known = Dictionary(grouping: units.compactMap(\.provenance)) { $0 }
      .sorted { ($0.key.seconds, $0.key.commit) > ($1.key.seconds, $1.key.commit) }
    var origins = known.map { origin, units in
      RoundOrigin(
        commit: origin.commit, author: origin.author, date: Date(timeIntervalSince1970: TimeInterval(origin.seconds)),
        strings: units.count)
    }
    let unknown = units.count { $0.provenance == nil }
    if unknown > 0 { origins.append(RoundOrigin(strings: unknown)) }
    return origins
  }
}

/// The commits that brought a round's strings in, with who wrote them and how many strings each brought.
struct OriginsTable: CustomStringConvertible {
  let origins: [RoundOrigin]

  var description: String {
    let header = [
      message("commit", comment: "Column of the commits that brought a round's texts in."),
      message("date", comment: "Column of the commits that brought a round's texts in."),
      message("author", comment: "Column of the commits that brought a round's texts in."),
      message("texts", comment: "Column of the commits that brought a round's texts in: how many."),
    ]
    let rows = origins.map { origin in
      let commit =
        origin.commit?.short
        ?? message("unknown", comment: "In place of a commit: nobody knows which brought these texts in.")
      return [
        commit, origin.date?.formatted(.iso8601.year().month().day()) ?? "", Self.visible(origin.author ?? ""),
        String(origin.strings),
      ]
    }
    return TextTable(header: header, rows: rows, rightAligned: 3...3).description
  }

  /// A name comes from the repository, so its control characters are removed.
  private static func visible(_ name: String) -> String {
    let shown = name.unicodeScalars.filter { ![.control, .format].contains($0.properties.generalCategory) }
    return String(String.UnicodeScalarView(shown))
  }
}
