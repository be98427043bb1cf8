import Foundation
import Localization
import Pipeline
import ReadModel

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
