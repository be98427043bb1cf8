package import FoundationEssentials
package import Localization

/// One change of the ledger. Those of one stage are written in one transaction with the job's move.
package enum LedgerChange: Sendable {
  /// A round and its shipments are about to go out.
  case plan(PlannedRound)
  /// The vendor has it.
  case shipped(ShipmentID, ShipmentReceipt, at: Date)
  /// The vendor does not have it, and need not be told that its units are called off.
  case neverArrived(ShipmentID)
  /// Outstanding units leave the books as withdrawn or superseded. Others are left as they are.
  case close([SentUnitID], as: SentUnitState)
  /// The vendor knows that it need not translate them.
  case notified([SentUnitID])
  /// A bundle and its units; one that is there already changes nothing but its review.
  case receive(NewBundle)
  case acknowledged(vendor: String, digest: String)
  /// Units that were reviewed against a branch.
  case outcomes([BranchOutcome], branch: String)
  /// Commits that are about to be pushed.
  case deliver(NewDelivery, branch: String)
  /// How a delivery ended; the outcomes of an abandoned one are taken back, those of a settled one settled.
  case delivery(DeliveryID, Delivery.State)
  /// Returned units are to be reviewed again on a branch, whatever became of them there.
  case reopen([ReturnedUnitID], branch: String)
  /// Rounds were planned from these heads.
  case compared([RunID])
  /// A catalog stands elsewhere now, on every branch.
  case rename(TreePath, to: TreePath)
}
