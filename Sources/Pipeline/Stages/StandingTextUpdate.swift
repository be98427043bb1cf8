import Localization

/// Restores source texts and their translations at a vendor after the source texts changed and changed back, hides forms that the source
/// texts no longer have, and shows strings again that were temporarily removed.
///
/// Units that are already translated are not sent again, so a vendor that keeps strings would otherwise permanently show a wrong source
/// text or hide the string.
enum StandingTextUpdate {
  /// Compares the units that were sent to the vendor with the watched branches, once after a start and when one of the branches has a new
  /// commit or the vendor's work changed.
  /// - Returns: a finding if the vendor could not be updated. In that case, the update is tried again at the next push or poll.
  static func run(
    at vendor: ConfiguredVendor, under job: Job, _ context: PipelineContext
  ) async throws -> [Diagnostic] {
    guard vendor.vendor.keepsStrings else { return [] }
    let state = StandingTextState(
      heads: Set(try await context.store.heads(of: context.name).map(\.commit)),
      work: try await context.store.pendingWork(of: context.name).vendors[vendor.name] ?? VendorWork())
    guard !state.heads.isEmpty, context.toldTexts.isNew(state, for: vendor.name) else { return [] }
    let retired = try await context.store.returnedUnits(of: context.name, vendor: vendor.name, retired: true)
    let texts = try await StandingTextSearch(at: vendor.name, retired: retired.keys, context).texts()
    let recalled = retired.filter { texts.units.contains($0.key) }.flatMap(\.value)
    let digest = digest(of: texts)
    if !texts.sources.isEmpty, !recalled.isEmpty || context.toldTexts.isNew(digest: digest, for: vendor.name) {
      let finding = try await vendor.finding("changed source texts could not be compared with the vendor's") {
        try await vendor.vendor.settle(texts)
      }
      if let finding { return [finding] }
      if !recalled.isEmpty { try await context.store.record([.recalled(recalled.sorted())], under: job) }
    }
    context.toldTexts.note(state, digest: digest, for: vendor.name)
    return []
  }

  private static func digest(of texts: StandingTexts) -> String {
    var digest = ContentDigest()
    var shapes = texts.shapes
    for place in shapes.indices {
      // The units' targets are the catalogs' translations, which may be for another source text.
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

extension StandingTexts {
  fileprivate var units: Set<UnitID> {
    Set(sources.flatMap { file in file.units.map { UnitID(catalog: TreePath(trusted: file.original), key: $0.key) } })
  }
}
