// The members have the API's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Foundation
internal import HTTPTransport
internal import Localization

/// The screenshots of a Lokalise project. Dragoman finds existing screenshots by their titles.
extension LokalisePlatform {
  static let takesScreenshots = true
  /// The number of screenshots on one page.
  private static let screenshotPage = 100

  func attach(_ screenshots: [PlatformScreenshot]) async throws -> [String] {
    let strings = screenshots.reduce(into: Set<PlatformID>()) { $0.formUnion($1.strings) }
    let keys = Dictionary(try await keys(strings).map { ($0.id, $0.key.key_id) }) { first, _ in first }
    let there = try await stored(Set(screenshots.map(\.title)))
    var refusals: [String] = []
    for screenshot in screenshots {
      try Task.checkCancellation()
      let wanted = Set(screenshot.strings.compactMap { keys[$0] })
      guard !wanted.isEmpty else { continue }
      let refusal = try await screenshot.refusal {
        if let stored = there[screenshot.title] {
          let all = wanted.union(stored.key_ids)
          if all.count > stored.key_ids.count { try await connect(stored.screenshot_id, all.sorted()) }
        } else {
          try await upload(screenshot, wanted.sorted())
        }
      }
      if let refusal { refusals.append(refusal) }
    }
    return refusals
  }

  private func stored(_ titles: Set<String>) async throws -> [String: LokaliseMessages.Screenshots.Screenshot] {
    var found: [String: LokaliseMessages.Screenshots.Screenshot] = [:]
    for page in 1...Self.mostPages {
      try Task.checkCancellation()
      let all = try await client.json(
        VendorHTTP.Request(
          "GET", ["projects", project, "screenshots"],
          query: [("page", "\(page)"), ("limit", "\(Self.screenshotPage)")]),
        as: LokaliseMessages.Screenshots.self
      ).screenshots
      for screenshot in all where titles.contains(screenshot.title) { found[screenshot.title] = screenshot }
      guard all.count == Self.screenshotPage else { break }
    }
    return found
  }

  private func upload(_ screenshot: PlatformScreenshot, _ keys: [Int]) async throws {
    let data = "data:\(screenshot.format.mediaType);base64,\(Data(screenshot.bytes).base64EncodedString())"
    let body = LokaliseMessages.NewScreenshots(
      screenshots: [.init(data: data, title: screenshot.title, key_ids: keys)])
    let response = try await client.json(
      try VendorHTTP.Request("POST", ["projects", project, "screenshots"], json: body),
      as: LokaliseMessages.Screenshots.self)
    guard response.screenshots.isEmpty else { return }
    let reason = response.errors?.first?.message ?? "Lokalise returned no reason"
    throw TransportError(
      kind: .status(400), operation: "lokalise: POST /projects/\(project)/screenshots",
      detail: String(client.redacted(reason).prefix(300)).withVisibleControls)
  }

  private func connect(_ screenshot: Int, _ keys: [Int]) async throws {
    _ = try await client.send(
      try VendorHTTP.Request(
        "PUT", ["projects", project, "screenshots", "\(screenshot)"],
        json: LokaliseMessages.KeyIDsOfScreenshot(key_ids: keys)))
  }
}
