import Daemon
import Foundation
import TranslationVendors

/// The costs of language models in rounds, as a table of text.
struct SpendingTable: CustomStringConvertible {
  let spent: [RoundSpending]

  /// Shows the table if there are any costs.
  static func show(_ spent: [RoundSpending], _ console: Console) {
    if !spent.isEmpty { console.text(SpendingTable(spent: spent).description) }
  }

  var description: String {
    let header = [
      message("round", comment: "Column of the books."), message("vendor", comment: "Column of the books."),
      message("requests", comment: "Column of the costs of language models."),
      message("input tokens", comment: "Column of the costs of language models."),
      message("output tokens", comment: "Column of the costs of language models."),
      message("cost", comment: "Column of the costs of language models."),
    ]
    let rows = spent.map { line in
      ["\(line.pipeline)#\(line.round)", line.vendor]
        + [line.requests, line.input, line.output].map(String.init) + [line.cost ?? ""]
    }
    return TextTable(header: header, rows: rows, rightAligned: 2...5).description
  }
}
