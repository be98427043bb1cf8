import FoundationEssentials
import Logging
import Pipeline

extension Composition {
  /// Moves ledger data from former names of the pipeline and its vendors to the current names. Does nothing if there is no such data.
  func takeOverFormerNames(_ context: PipelineContext, store: any Store) async throws {
    for old in context.definition.formerly {
      try await store.renamePipeline(old, to: context.name)
      try moveVendorFolder(of: old, to: context.name)
    }
    for vendor in context.vendors {
      for old in formerNames(of: vendor) {
        let isAsked = vendor.definition.formerly.contains(old)
        do {
          try await store.renameVendor(old, to: vendor.name, joining: isAsked, of: context.name)
        } catch let error as PipelineError where !isAsked {
          // The user did not ask to take over this name. The error only means that both names were in use.
          logger.debug("a former name of a vendor is not taken over", metadata: ["error": "\(error)"])
        }
      }
    }
  }

  /// Moves the pending answers of the vendor `pseudo`.
  private func moveVendorFolder(of old: String, to new: String) throws {
    let (from, to) = (vendorFolder(of: old), vendorFolder(of: new))
    guard FileManager.default.fileExists(atPath: from), !FileManager.default.fileExists(atPath: to) else { return }
    try FileManager.default.moveItem(atPath: from, toPath: to)
  }
}
