import Localization

/// Sets source texts right at a vendor that changed there and changed back, and hides forms that they have no longer.
///
/// A source text that is translated already is not sent again, so a vendor that keeps strings would show the other text for good.
enum StandingTextUpdate {
  /// Compares what the vendor was sent with the watched branches, when one of them has a new commit or other work is out there.
  /// - Returns: findings. A vendor that cannot be reached is asked again at the next look.
  static func run(at vendor: ConfiguredVendor, _ context: PipelineContext) async throws -> [Diagnostic] {
    guard vendor.vendor.keepsStrings else { return [] }
    let state = StandingTextState(
      heads: Set(try await context.store.heads(of: context.name).map(\.commit)),
      work: try await context.store.pendingWork(of: context.name).vendors[vendor.name] ?? VendorWork())
    guard !state.heads.isEmpty, context.toldTexts.isNew(state, for: vendor.name) else { return [] }
    let texts = try await context.standingTexts(at: vendor.name)
    let digest = digest(of: texts)
    if !texts.sources.isEmpty, context.toldTexts.isNew(digest: digest, for: vendor.name) {
      let finding = try await vendor.finding("source texts that changed could not be compared with those there") {
        try await vendor.vendor.settle(texts)
      }
      if let finding { return [finding] }
    }
    context.toldTexts.note(state, digest: digest, for: vendor.name)
    return []
  }

  private static func digest(of texts: StandingTexts) -> String {
    var digest = ContentDigest()
    var shapes = texts.shapes
    for place in shapes.indices {
      // The translations among them are those of the catalogs, which may be of another source text.
      for index in shapes[place].units.indices { shapes[place].units[index].target = nil }
    }
    for file in texts.sources + shapes + texts.translations {
      digest.update(text: file.original)
      digest.update(text: file.targetLanguage.rawValue)
      for unit in file.units {
        digest.update(text: ExchangeIdentifier.text(key: unit.key, path: unit.path))
        for text in [unit.source, unit.target?.text] { if case .text(let text)? = text { digest.update(text: text) } }
      }
    }
    for unit in texts.outstanding.sorted() {
      digest.update(text: unit.catalog.text)
      digest.update(text: unit.key.text)
    }
    return digest.finishHexadecimal()
  }
}
