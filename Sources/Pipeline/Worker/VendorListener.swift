import FoundationEssentials
import Localization

/// Makes the pull job due when a vendor reports a change. Local drop folders do this.
struct VendorListener: Sendable {
  let context: PipelineContext

  /// Listens to all vendors of the pipeline until the task is cancelled.
  func run() async {
    await withTaskGroup(of: Void.self) { group in
      for vendor in context.vendors { group.addTask { await listen(to: vendor) } }
    }
  }

  private func listen(to vendor: ConfiguredVendor) async {
    while !Task.isCancelled {
      if let changes = vendor.vendor.changes() {
        for await _ in changes {
          // The listener continues if the store cannot be written: the vendor is polled on schedule anyway.
          try? await context.store.wake(context.name, stage: .pull, scope: vendor.name)
          context.signal.ring()
        }
      }
      // The folder may be created later.
      do { try await context.time.sleep(PollInterval.longest) } catch { return }
    }
  }
}
