internal import Localization

/// A file in a vendor's state folder that lists the screenshots that were sent to the vendor, and the strings that they show.
struct ScreenshotBook: Sendable {
  private struct Line: Codable {
    var title: String
    /// Digests of the strings' names.
    var strings: Set<String>
  }

  private let lines: StateLines

  /// - Parameters:
  ///   - folder: the state folder of the pipeline's vendors.
  ///   - vendor: the vendor's name.
  init(folder: String, vendor: String) { lines = StateLines(folder: folder, name: "screenshots", vendor: vendor) }

  /// Returns the screenshots that were not sent to the vendor yet, or not with all their strings.
  func pending(_ screenshots: [PlatformScreenshot]) throws -> [PlatformScreenshot] {
    let known = try all()
    return screenshots.filter { !Self.strings(of: $0).isSubset(of: known[$0.title] ?? []) }
  }

  /// Records that these screenshots were sent to the vendor, whether or not the vendor accepted them.
  func note(_ screenshots: [PlatformScreenshot]) throws {
    var known = try all()
    for screenshot in screenshots { known[screenshot.title, default: []].formUnion(Self.strings(of: screenshot)) }
    try lines.replace(
      try known.sorted { $0.key < $1.key }.flatMap { try StateLines.bytes(of: Line(title: $0.key, strings: $0.value)) })
  }

  private func all() throws -> [String: Set<String>] {
    Dictionary(try lines.read(Line.self).map { ($0.title, $0.strings) }) { $0.union($1) }
  }

  private static func strings(of screenshot: PlatformScreenshot) -> Set<String> {
    Set(screenshot.strings.map { ContentDigest.hexadecimal(of: Array($0.text().utf8), bytes: 8) })
  }
}
