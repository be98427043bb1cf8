import Foundation
import Localization
import Pipeline
import ReadModel

/// A table of the commits that added a round's strings, with their authors and the number of strings that each added.
struct OriginsTable: CustomStringConvertible {
  let origins: [RoundOrigin]

  var description: String {
    let header = [
      message("commit", comment: "Column of the commits that added a round's texts."),
      message("date", comment: "Column of the commits that added a round's texts."),
      message("author", comment: "Column of the commits that added a round's texts."),
      message("texts", comment: "Column of the commits that added a round's texts: the number of texts."),
    ]
    let rows = origins.map { origin in
      let commit =
        origin.commit?.short
        ?? message("unknown", comment: "In place of a commit: it is unknown which commit added these texts.")
      return [
        commit, origin.date?.formatted(.iso8601.year().month().day()) ?? "", Self.visible(origin.author ?? ""),
        String(origin.strings),
      ]
    }
    return TextTable(header: header, rows: rows, rightAligned: 3...3).description
  }

  /// Removes control and formatting characters from a name, which comes from the repository.
  private static func visible(_ name: String) -> String {
    let shown = name.unicodeScalars.filter { ![.control, .format].contains($0.properties.generalCategory) }
    return String(String.UnicodeScalarView(shown))
  }
}
