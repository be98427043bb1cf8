internal import Foundation
internal import Localization
package import Pipeline
package import ReadModel

/// The pages of rounds.
extension DashboardPages {
  func roundTable(_ rounds: [Round]) -> View {
    [
      "hasRounds": !rounds.isEmpty, "none": t(message("No rounds yet.", comment: "Shown if nothing was sent.")),
      "roundLabel": t(message("Round", comment: "A column.")),
      "createdLabel": t(message("Sent", comment: "A column: when.")),
      "sentLabel": t(message("Texts", comment: "A column: how many texts times languages were sent.")),
      "returnedLabel": t(message("Returned", comment: "A column: how many texts came back.")),
      "outLabel": t(message("Out", comment: "A column: how many texts are out at vendors.")),
      "cancelledLabel": t(message("cancelled", comment: "The state of a round.")),
      "rounds": rounds.map { round -> View in
        [
          "id": "\(round.id.rawValue)", "name": Shown.line("\(round.pipeline)#\(round.number)"),
          "cancelled": round.isCancelled, "created": [t.time(round.created)],
          "sent": t.number(round.books.reduce(0) { $0 + $1.sent }),
          "returned": t.number(round.books.reduce(0) { $0 + $1.returned }),
          "out": t.number(round.books.reduce(0) { $0 + $1.outstanding }),
        ]
      },
    ]
  }

  /// Returns a page with the list of rounds.
  /// - Parameters:
  ///   - pipeline: the pipeline of the rounds; `nil` for all pipelines.
  ///   - older: the id of the last round on the page; `nil` if there are no older rounds.
  package func rounds(_ rounds: [Round], of pipeline: String?, older: RoundID?) -> String {
    let title =
      pipeline.map {
        t(message("Rounds of %@", Shown.line($0), comment: "A title: the name of a pipeline."))
      } ?? t(message("Rounds", comment: "A link of the navigation: rounds of translation."))
    let query = pipeline.map { "&pipeline=\(Shown.url($0))" } ?? ""
    return page(
      "rounds", title,
      [
        "title": title,
        "lead": t(
          message(
            "Texts that were sent together. The round ends when each text has come back or was given up.",
            comment: "What a round is.")),
        "table": Self.fragment("roundTable", roundTable(rounds)),
        "older": older.map { "/rounds?before=\($0.rawValue)\(query)" } ?? false as Any,
        "olderLabel": t(message("Older ones", comment: "A link to the next page.")),
      ], events: pipeline.map { "/events?pipeline=\(Shown.url($0))" } ?? "/events")
  }

  /// Returns the page of a round.
  /// - Parameters:
  ///   - held: the held units of the round.
  ///   - units: the units of the round that this page shows.
  ///   - start: the number of units of the round that precede the first shown unit.
  ///   - origins: the commits that added the units of the round, each with the number of its units.
  package func round(
    _ round: Round, held: [HeldUnit], units: [RoundUnit], from start: Int, origins: [RoundOrigin]
  ) -> String {
    let url = Shown.url(round.pipeline)
    let title = Shown.line("\(round.pipeline)#\(round.number)")
    let end = start + units.count
    var content: View = [
      "title": title, "id": "\(round.id.rawValue)", "url": url, "pipeline": Shown.line(round.pipeline),
      "crumbs": crumbs,
      "all": t(message("Rounds", comment: "A link of the navigation: rounds of translation.")),
      "cancelled": round.isCancelled, "cancelledLabel": t(message("cancelled", comment: "The state of a round.")),
      "created": [t.time(round.created)], "isOperator": isOperator, "form": formToken,
      "hasOut": round.books.contains { $0.outstanding > 0 },
      "retry": t(
        message("Review held texts again, and resend withdrawn texts", comment: "A button: retry a round.")),
      "cancel": t(message("Withdraw outstanding strings", comment: "A button: cancel a round.")),
      "booksTitle": t(message("Books", comment: "A title: the accounts of a round.")),
      "booksCaption": t(
        message(
          "Sent = returned + out + withdrawn + superseded, in texts × languages.", comment: "The caption of the books.")
      ),
      "vendorLabel": t(message("Vendor", comment: "A column: who translates.")),
      "languageLabel": t(message("Language", comment: "A column.")),
      "accounts": [
        t(message("Sent", comment: "A column: when.")),
        t(message("Returned", comment: "A column: how many texts came back.")),
        t(message("Out", comment: "A column: how many texts are out at vendors.")),
        t(message("Withdrawn", comment: "A column: how many texts were withdrawn.")),
        t(message("Superseded", comment: "A column: how many texts were replaced by newer ones.")),
      ],
      "books": round.books.map { book -> View in
        [
          "vendor": Shown.line(book.vendor), "language": t.name(of: book.language),
          "counts": [book.sent, book.returned, book.outstanding, book.withdrawn, book.superseded].map(t.number),
        ]
      },
    ]
    content["heldTitle"] = t(message("Held for a decision", comment: "A figure."))
    content["hasHeld"] = !held.isEmpty
    content["held"] = held.prefix(100).map(heldLine)
    content["unitsTitle"] = t(message("Texts", comment: "A column: how many texts times languages were sent."))
    content["units"] = units.map { unit -> View in
      [
        "key": Shown.key(unit.source.unit.key.text), "catalog": Shown.line(unit.source.unit.catalog.text),
        "target": target(of: unit.source.unit.key.text, in: round.pipeline),
      ]
    }
    content["rest"] = rest(origins.reduce(0) { $0 + $1.strings } - end)
    content["next"] = "/rounds/\(round.id.rawValue)?from=\(end)"
    content["commitsTitle"] = t(
      message("Commits that added these texts", comment: "A title: the commits that brought texts."))
    content["commits"] = origins.prefix(50).map(commit)
    return page("round", title, content, events: "/events?pipeline=\(url)")
  }

  private func commit(_ origin: RoundOrigin) -> View {
    [
      "commit": origin.commit?.short ?? t(message("unknown", comment: "Shown instead of an unknown commit.")),
      "author": origin.author.map { Shown.line($0, limit: 80) } ?? "", "date": origin.date.map(t.day) ?? "",
      "strings": t.counted(
        origin.strings, one: message("1 text", comment: "A count."),
        other: message("%lld texts", origin.strings, comment: "A count.")),
    ]
  }

  /// Returns a text such as `… and 12 more`; `false` if no entries are left.
  func rest(_ count: Int) -> Any {
    count > 0 ? t(message("… and %lld more", count, comment: "Below a list that was cut: a count.")) : false as Any
  }

  /// Returns the path of a string's page.
  func target(of key: String, in pipeline: String) -> String {
    let page = "/strings?pipeline=\(Shown.url(pipeline))"
    return Self.digest(ofLong: key).map { "\(page)&digest=\($0)" } ?? "\(page)&key=\(Shown.url(key))"
  }

  /// The length, in bytes, of the longest key that a link contains. Links must be short, because servers refuse long addresses and a page may have
  /// hundreds of links.
  private static let longestKey = 1000

  /// Returns the digest that a link to a string contains in place of a long key; `nil` if the key is not long.
  package static func digest(ofLong key: String) -> String? {
    guard key.utf8.count > longestKey else { return nil }
    return ContentDigest.hexadecimal(of: Array(key.utf8), bytes: 16)
  }
}
