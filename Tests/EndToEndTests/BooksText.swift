import LedgerStore
import Pipeline
import SQLiteStore

/// Returns the books of a store as text, so that tests can compare them.
func booksText(_ folder: String) async throws -> String {
  let rounds = try await SQLiteStore(reading: folder).rounds(of: nil)
  return rounds.flatMap { round in
    round.books.map { books in
      "\(round.number) \(books.vendor.split(separator: ":").first ?? "") \(books.language): \(books.sent) = \(books.returned)"
        + " + \(books.outstanding) + \(books.withdrawn) + \(books.superseded)\(books.isBalanced ? "" : " NOT BALANCED")"
    }
  }.joined(separator: "\n")
}
