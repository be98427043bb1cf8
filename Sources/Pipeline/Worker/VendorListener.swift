import FoundationEssentials
import Localization

/// Makes the pull job due when a vendor reports a change. Local drop folders and vendors with a webhook report changes. After a webhook
/// request, the poll also requests corrections, unless it did so shortly before (`CorrectionTurns`).
struct VendorListener: Sendable {
  /// The minimum time between two polls that webhook requests trigger, because people may save many translations in a row.
  static let shortest = Duration.seconds(30)

  let context: PipelineContext

  /// Listens to all vendors of the pipeline until the task is cancelled.
  func run() async {
    await withTaskGroup(of: Void.self) { group in
      for vendor in context.vendors {
        group.addTask { await listen(to: vendor) }
        if vendor.definition.webhook != .none { group.addTask { await serveRequests(to: vendor) } }
      }
    }
  }

  private func listen(to vendor: ConfiguredVendor) async {
    while !Task.isCancelled {
      if let changes = vendor.vendor.changes() {
        // Changes before this point were not reported.
        await wake(vendor)
        for await _ in changes { await wake(vendor) }
      }
      // The vendor's folder may be created later.
      do { try await context.time.sleep(PollInterval.longest) } catch { return }
    }
  }

  private func serveRequests(to vendor: ConfiguredVendor) async {
    while true {
      await context.vendorLooks.wait(for: vendor.name)
      guard !Task.isCancelled else { return }
      context.corrections.request(vendor.name)
      await wake(vendor)
      do { try await context.time.sleep(Self.shortest) } catch { return }
    }
  }

  private func wake(_ vendor: ConfiguredVendor) async {
    // An error of the store is ignored, because the vendor is polled on schedule anyway.
    try? await context.store.wake(context.name, stage: .pull, scope: vendor.name)
    context.signal.ring()
  }
}
