import FoundationEssentials
import Localization
import Logging
import Pipeline

extension Composition {
  /// Checks that no other pipeline has taken over the name of the pipeline, or one of its former names. If one has, the pipeline file is out of date,
  /// and running the pipeline would send everything again.
  /// - Throws: `PipelineError` if another pipeline has taken over one of the names.
  func requireOwnNames(_ definition: PipelineDefinition, store: any Store) async throws {
    let own = Set([definition.name] + definition.formerly)
    let successors = try await store.successors(of: own).filter { !own.contains($0.value) }
    if let new = successors[definition.name] {
      throw PipelineError(
        .refused, operation: "start pipeline \(definition.name)",
        detail: "it was renamed to \(new), whose file said `formerly: \(definition.name)`. Delete this file, or add "
          + "`formerly: \(new)` to it to rename \(new) back. If \(definition.name) is a new pipeline, remove "
          + "`formerly: \(definition.name)` from the file of \(new), start \(new) once, and then start \(definition.name)",
        disposition: .askPerson)
    }
    if let (old, new) = successors.min(by: { $0.key < $1.key }) {
      throw PipelineError(
        .refused, operation: "start pipeline \(definition.name)",
        detail: "its file says `formerly: \(old)`, but \(old) was renamed to \(new). If \(definition.name) is the new "
          + "name of \(new), add \(new) under `formerly`; otherwise remove \(old) there",
        disposition: .askPerson)
    }
  }

  /// Moves ledger data from former names of the pipeline and its vendors to the current names. Also renames the state folder of the vendors.
  /// - Returns: the diagnostics about data that was set aside.
  func takeOverFormerNames(_ context: PipelineContext, store: any Store) async throws -> [Diagnostic] {
    let setAside = try await store.takeOver(context.definition.formerly, by: context.name)
    for old in context.definition.formerly { try moveVendorFolder(of: old, to: context.name) }
    for vendor in context.vendors {
      for old in formerNames(of: vendor) {
        let isAsked = vendor.definition.formerly.contains(old)
        do {
          try await store.renameVendor(old, to: vendor.name, joining: isAsked, of: context.name)
        } catch let error as PipelineError where !isAsked {
          // The user did not list this former name, so the error is not reported: it only means that both names were in use.
          logger.debug("a former name of a vendor is not taken over", metadata: ["error": "\(error)"])
        }
      }
    }
    return setAside.map { part in
      Diagnostic(
        path: context.name, severity: .warning,
        message: part.name == context.name
          ? "the rounds that \(part.name) planned before `formerly` was set are kept as \(part.keptAs) and not used"
          : "\(part.name) was run again after it was renamed to \(context.name). What it sent then is kept as "
            + "\(part.keptAs) and not used: translations that are returned for it count for \(context.name)",
        hint: part.name == context.name
          ? nil : "delete the old pipeline file of \(part.name), and tell the vendors that they got its texts twice")
    }
  }

  /// Moves the state folder of a pipeline's vendors, which contains, for example, the pending translations of the vendor `pseudo`. Does nothing if
  /// the new folder exists.
  private func moveVendorFolder(of old: String, to new: String) throws {
    let (from, to) = (vendorFolder(of: old), vendorFolder(of: new))
    guard FileManager.default.fileExists(atPath: from), !FileManager.default.fileExists(atPath: to) else { return }
    try FileManager.default.moveItem(atPath: from, toPath: to)
  }
}
