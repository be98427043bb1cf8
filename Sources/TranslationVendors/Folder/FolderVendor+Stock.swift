package import Localization

extension FolderVendor {
  /// A bundle that is still in `to-translate` is there. One that is not may have been taken out by translators: nobody can tell.
  package func stock(of part: OutstandingWork.Part) async throws -> VendorStock? {
    guard isPlainName(part.receipt.reference) else { return nil }
    let path = DropNames.toTranslate.appending(part.receipt.reference)
    return try await storage.entry(path) == nil ? nil : VendorStock()
  }
}
