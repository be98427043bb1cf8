package import Localization

extension FolderVendor {
  /// A bundle in `to-translate` is present. Any other may have been taken by translators, so nothing is known about it.
  package func stock(of part: OutstandingWork.Part) async throws -> VendorStock? {
    guard isPlainName(part.receipt.reference) else { return nil }
    let path = DropNames.toTranslate.appending(part.receipt.reference)
    return try await storage.entry(path) == nil ? nil : VendorStock()
  }
}
