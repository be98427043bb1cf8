internal import Localization

/// Which screenshots a vendor has, with the strings that they show, in a file of its state folder.
struct ScreenshotBook: Sendable {
  private struct Line: Codable {
    var title: String
    /// Digests of the strings' names.
    var strings: Set<String>
  }

  private let lines: StateLines

  /// - Parameters:
  ///   - folder: of the pipeline's vendors.
  ///   - vendor: its name.
  init(folder: String, vendor: String) { lines = StateLines(folder: folder, name: "screenshots", vendor: vendor) }

  /// The pictures that the vendor may not have, or not connected with all their strings.
  func pending(_ screenshots: [PlatformScreenshot]) throws -> [PlatformScreenshot] {
    let known = try all()
    return screenshots.filter { !Self.strings(of: $0).isSubset(of: known[$0.title] ?? []) }
  }

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
