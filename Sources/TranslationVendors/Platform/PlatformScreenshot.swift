internal import HTTPTransport
package import Localization

/// A screenshot that is sent to a platform.
package struct PlatformScreenshot: Sendable {
  /// The screenshot's name at the platform: the name of the picture file, with a digest of its bytes. A changed screenshot gets a new name.
  package var title: String
  package var format: Screenshot.Format
  package var bytes: [UInt8]
  /// The strings that the screenshot shows; not empty.
  package var strings: Set<PlatformID>

  /// - Parameter strings: the strings of the shipment.
  /// - Returns: `nil` if the screenshot shows none of the strings.
  init?(_ screenshot: Screenshot, among strings: [PlatformString]) {
    let shown = strings.filter { screenshot.units.contains(UnitID(catalog: $0.catalog, key: $0.unit)) }
    guard !shown.isEmpty else { return nil }
    let ending = ".\(screenshot.format == .png ? "png" : "jpg")"
    let name = screenshot.name.prefix { $0 != "." }.prefix(100)
    title = "\(name)-\(ContentDigest.hexadecimal(of: screenshot.bytes, bytes: 8))\(ending)"
    format = screenshot.format
    bytes = screenshot.bytes
    self.strings = Set(shown.map(\.id))
  }

  /// Calls `upload` and returns the reason if the platform refuses the screenshot.
  /// - Returns: the reason for a permanent refusal; `nil` if the screenshot was accepted.
  /// - Throws: all other errors of `upload`, such as the error for a wrong token, a wrong project or a busy server.
  func refusal(_ upload: () async throws -> Void) async throws -> String? {
    do {
      try await upload()
      return nil
    } catch let error as TransportError {
      guard case .status(let status) = error.kind, [400, 413, 415, 422].contains(status) else { throw error }
      return "\(title): \(error.detail)"
    }
  }
}
