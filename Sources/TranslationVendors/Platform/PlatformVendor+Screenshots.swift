package import Localization

/// Screenshots at a platform.
extension PlatformVendor {
  package var takesScreenshots: Bool { Platform.takesScreenshots }

  package func attach(_ screenshots: [Screenshot], to files: [ExchangeFile]) async throws -> [String] {
    try await attach(screenshots, to: strings(of: files), again: false).map(\.withVisibleControls)
  }

  /// - Parameter again: whether the platform is also asked about pictures that it had before.
  func attach(
    _ screenshots: [Screenshot], to strings: [PlatformString], again: Bool
  ) async throws -> [String] {
    let pictures = screenshots.compactMap { PlatformScreenshot($0, among: strings) }
    guard Platform.takesScreenshots, !pictures.isEmpty else { return [] }
    let book = ScreenshotBook(folder: environment.stateFolder, vendor: name)
    let platform = platform
    // A push and a look at the same time would each upload a picture.
    return try await KeyedTurns.shared.run("screenshots of \(environment.stateFolder) \(name)") {
      let pending = again ? pictures : try book.pending(pictures)
      guard !pending.isEmpty else { return [] }
      let refusals = try await platform.attach(pending)
      try book.note(pending)
      return refusals
    }
  }
}
