internal import Localization

/// The screenshots of a Phrase project. Dragoman finds existing screenshots by their names. A marker connects a screenshot with a key.
extension PhrasePlatform {
  static let takesScreenshots = true

  func attach(_ screenshots: [PlatformScreenshot]) async throws -> [String] {
    let strings = screenshots.reduce(into: Set<PlatformID>()) { $0.formUnion($1.strings) }
    let keys = try await keys(strings)
    let there = Dictionary(try await client.screenshots().map { ($0.name, $0.id) }) { first, _ in first }
    var refusals: [String] = []
    for screenshot in screenshots {
      try Task.checkCancellation()
      let wanted = Set(screenshot.strings.compactMap { keys[$0]?.id })
      guard !wanted.isEmpty else { continue }
      let refusal = try await screenshot.refusal {
        var (id, marked) = (there[screenshot.title], Set<String>())
        if let id { marked = try await client.keys(ofScreenshot: id) } else { id = try await client.add(screenshot) }
        for key in wanted.subtracting(marked).sorted() {
          try Task.checkCancellation()
          if let id { try await client.mark(key, on: id) }
        }
      }
      if let refusal { refusals.append(refusal) }
    }
    return refusals
  }
}
