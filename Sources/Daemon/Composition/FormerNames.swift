import FoundationEssentials
import Logging
import Pipeline

extension Composition {
  /// Moves what the ledger holds under former names of the pipeline and its vendors. Harmless where nothing is held under them.
  func takeOverFormerNames(_ context: PipelineContext, store: any Store) async throws {
    for old in context.definition.formerly {
      try await store.renamePipeline(old, to: context.name)
      try moveVendorFolder(of: old, to: context.name)
    }
    for vendor in context.vendors {
      for old in formerNames(of: vendor) {
        do {
          try await store.renameVendor(old, to: vendor.name, of: context.name)
        } catch let error as PipelineError where !vendor.definition.formerly.contains(old) {
          // The user did not ask for this name to be taken over; a refusal only means that both names were in use.
          logger.debug("a former name of a vendor is not taken over", metadata: ["error": "\(error)"])
        }
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
