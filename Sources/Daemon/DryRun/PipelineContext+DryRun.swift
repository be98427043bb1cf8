import GitSource
import Pipeline

extension PipelineContext {
  /// Returns the context in which nothing leaves the process. The store, and the folders of the mirror and of the vendors, must be copies.
  func dry(_ journal: DryRunJournal) async throws -> PipelineContext {
    var context = self
    if let mirror = mirror as? GitMirror { context.mirror = DryMirror(mirror, of: name, journal) }
    if let forge { context.forge = DryForge(forge: forge, pipeline: name, journal: journal) }
    let work = try await store.pendingWork(of: name).vendors
    context.vendors = vendors.map { configured in
      // It only writes to its state folder, which is a copy.
      guard configured.vendor.kind != "pseudo" else { return configured }
      var dry = configured
      dry.vendor = DryVendor(
        vendor: configured.vendor, pipeline: name, journal: journal,
        hadWork: (work[configured.name]?.outstanding ?? 0) > 0)
      return dry
    }
    return context
  }
}
