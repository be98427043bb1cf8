/// A pipeline's own data in the ledger.
package struct PipelineRecord: Hashable, Sendable {
  package var name: String
  /// A number that is incremented when planning must run again (`PendingWork.decisions`).
  package var decisions: Int64
  /// The reason why the repository cannot be read or the pipeline cannot start, with the time of the first failure; `nil` if there is no
  /// fault.
  package var watchFault: FailureRecord?

  package init(name: String, decisions: Int64, watchFault: FailureRecord?) {
    self.name = name
    self.decisions = decisions
    self.watchFault = watchFault
  }
}
