package import Localization

extension FolderVendor {
  /// Returns a stock without differences if the bundle is in `to-translate`. Otherwise the result is `nil`, because a translator may have moved the
  /// bundle.
  package func stock(of part: OutstandingWork.Part) async throws -> VendorStock? {
    guard isPlainName(part.receipt.reference) else { return nil }
    let path = DropNames.toTranslate.appending(part.receipt.reference)
    return try await storage.entry(path) == nil ? nil : VendorStock()
  }
}
