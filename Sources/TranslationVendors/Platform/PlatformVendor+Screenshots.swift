package import Localization

/// Upload of screenshots to a platform.
extension PlatformVendor {
  package var takesScreenshots: Bool { Platform.takesScreenshots }

  package func attach(_ screenshots: [Screenshot], to files: [ExchangeFile]) async throws -> [String] {
    try await attach(screenshots, to: strings(of: files), again: false).map(\.withVisibleControls)
  }

  /// Uploads screenshots and connects them with the strings that they show.
  /// - Parameter again: whether screenshots that were uploaded before are also sent to the platform's `attach`.
  /// - Returns: the platform's reason for each refused screenshot.
  func attach(
    _ screenshots: [Screenshot], to strings: [PlatformString], again: Bool
  ) async throws -> [String] {
    let pictures = screenshots.compactMap { PlatformScreenshot($0, among: strings) }
    guard Platform.takesScreenshots, !pictures.isEmpty else { return [] }
    let book = ScreenshotBook(folder: environment.stateFolder, vendor: name)
    let platform = platform
    // Only one task at a time uploads screenshots. Otherwise, a push and a simultaneous poll could both upload the same screenshot.
    return try await KeyedTurns.shared.run("screenshots of \(environment.stateFolder) \(name)") {
      let pending = again ? pictures : try book.pending(pictures)
      guard !pending.isEmpty else { return [] }
      let refusals = try await platform.attach(pending)
      try book.note(pending)
      return refusals
    }
  }
}
