import FoundationEssentials
import Localization

/// Brings the next look at a vendor forward when the vendor says that something came: a drop folder on this machine does.
struct VendorListener: Sendable {
  let context: PipelineContext

  /// Listens to all vendors of the pipeline until it is cancelled.
  func run() async {
    await withTaskGroup(of: Void.self) { group in
      for vendor in context.vendors { group.addTask { await listen(to: vendor) } }
    }
  }

  private func listen(to vendor: ConfiguredVendor) async {
    while !Task.isCancelled {
      if let changes = vendor.vendor.changes() {
        for await _ in changes {
          // A store that cannot be written now is no reason to stop listening: the vendor is looked at in its own time too.
          try? await context.store.wake(context.name, stage: .pull, scope: vendor.name)
          context.signal.ring()
        }
      }
      // A folder that is not there yet may be there later.
      do { try await context.time.sleep(PollInterval.longest) } catch { return }
    }
  }
}
