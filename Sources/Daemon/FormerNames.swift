import FoundationEssentials
import Pipeline

extension Composition {
  /// Moves what the ledger holds under former names of the pipeline and its vendors. Harmless where nothing is held under them.
  func takeOverFormerNames(_ context: PipelineContext, store: any Store) async throws {
    for old in context.definition.formerly {
      // LEAD: `try await store.renamePipeline(old, to: context.name)` once the port has it (STORE helper).
      try moveVendorFolder(of: old, to: context.name)
    }
    for vendor in context.vendors {
      for old in formerNames(of: vendor) {
        // LEAD: `try await store.renameVendor(old, to: vendor.name, of: context.name)` once the port has it. For names that are not in
        // `vendor.definition.formerly` a refusal (the new name has entries of its own) must not stop the pipeline: nobody asked for it.
        _ = old
      }
    }
  }

  /// The answers of the vendor `pseudo` that still wait.
  private func moveVendorFolder(of old: String, to new: String) throws {
    let (from, to) = (vendorFolder(of: old), vendorFolder(of: new))
    guard FileManager.default.fileExists(atPath: from), !FileManager.default.fileExists(atPath: to) else { return }
    try FileManager.default.moveItem(atPath: from, toPath: to)
  }
}
