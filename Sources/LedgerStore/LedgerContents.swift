/// The contents of a ledger, as counts, and its size.
package struct LedgerContents: Hashable, Sendable, Encodable {
  package var pipelines: Int
  package var rounds: Int
  /// Units that are outstanding at vendors.
  package var outstanding: Int
  /// The size of the ledger, in bytes.
  package var size: Int64

  package init(pipelines: Int, rounds: Int, outstanding: Int, size: Int64) {
    self.pipelines = pipelines
    self.rounds = rounds
    self.outstanding = outstanding
    self.size = size
  }
}
