/// The size of a ledger, and the numbers of its pipelines, rounds and outstanding units.
package struct LedgerContents: Hashable, Sendable, Encodable {
  package var pipelines: Int
  package var rounds: Int
  /// The number of outstanding units, in units × languages.
  package var outstanding: Int
  /// The size in bytes of the ledger in SQLite, or of the whole database in PostgreSQL, which includes the facts that workers share.
  package var size: Int64

  package init(pipelines: Int, rounds: Int, outstanding: Int, size: Int64) {
    self.pipelines = pipelines
    self.rounds = rounds
    self.outstanding = outstanding
    self.size = size
  }
}
