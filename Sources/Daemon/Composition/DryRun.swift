import HTTPTransport
import Localization
import Pipeline

/// A run that changes nothing outside its own copy of the store (``DryRunFolder``), except that it renews tokens.
///
/// A dry run has the same stages as any run. Repositories, vendors and forges are read. Calls that would change something in a repository, at a
/// vendor or at a forge are recorded instead.
struct DryRun: Sendable {
  let record = DryRunRecord()
  let folder: DryRunFolder
  /// The transport for tokens, which are renewed and stored even in a dry run, because a refresh token is valid only once.
  let tokenTransport = HTTPTransport()

  var tokens: String { folder.original.tokens }

  func wrap(_ context: PipelineContext) -> PipelineContext {
    var context = context
    for (place, configured) in context.vendors.enumerated() where !configured.vendor.isInStore {
      context.vendors[place].vendor = DryRunVendor(configured.vendor, of: context.name, record)
    }
    context.forge = context.forge.map { DryRunForge(forge: $0, pipeline: context.name, record: record) }
    return context
  }

  /// Records the commits of the watched branches, and the commits that the ledger had before the remote was checked.
  func note(_ heads: [Run], before known: [Run], of pipeline: String) {
    let known = Dictionary(known.map { ($0.branch, $0.commit) }) { first, _ in first }
    let branches = heads.map { DryRunReport.Branch(name: $0.branch, commit: $0.commit, known: known[$0.branch]) }
    record.note(pipeline) { $0.branches = branches.sorted { $0.name < $1.name } }
  }
}
