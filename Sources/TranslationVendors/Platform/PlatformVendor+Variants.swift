internal import HTTPTransport
package import Localization

/// Handling of variants. A platform has one source text for each key. If watched branches have several texts for a key, the first text is
/// kept under the key itself. Each other text becomes a separate string, a variant. Branches then do not overwrite each other's texts and
/// translations.
extension PlatformVendor {
  package var keepsStrings: Bool { true }

  /// Returns the strings of a part with their names at the platform.
  func strings(of part: OutstandingWork.Part) -> [PlatformString] {
    let units = part.shipment.unitIDs
    let variants = (part.receipt.variants ?? []).filter { units.contains($0.unit) }
    return Self.named(
      strings(of: part.shipment), as: Dictionary(variants.map { ($0.unit, $0.text) }) { first, _ in first })
  }

  /// Returns results for the strings of a part, such as translations, by the names that these strings would have if they were not variants.
  func answers<Found>(to part: OutstandingWork.Part, in found: [PlatformID: Found]) -> [PlatformID: Found] {
    guard part.receipt.variants != nil else { return found }
    var answers = found
    for (own, named) in zip(strings(of: part.shipment), strings(of: part)) where own.id != named.id {
      answers[own.id] = found[named.id]
    }
    return answers
  }

  /// Returns the strings. Strings of units that are variants get the names of the variants.
  /// - Parameter variants: the units that are variants, each with the digest of its text.
  static func named(_ strings: [PlatformString], as variants: [UnitID: String]) -> [PlatformString] {
    guard !variants.isEmpty else { return strings }
    return strings.map { string in
      guard let text = variants[UnitID(catalog: string.catalog, key: string.unit)] else { return string }
      var string = string
      string.name = PlatformID.variant(of: string.name, text: text)
      return string
    }
  }

  /// Returns the units of a shipment that are sent to the platform as variants, with the digests of their texts. A unit is sent as a variant if the
  /// platform already has the unit as a variant, or has another branch's text under the unit's key.
  func variants(of shipment: Shipment) async throws -> [UnitID: String] {
    guard !shipment.rivals.isEmpty else { return [:] }
    let strings = Dictionary(grouping: strings(of: shipment)) { UnitID(catalog: $0.catalog, key: $0.unit) }
      .filter { shipment.rivals[$0.key] != nil }
    let texts = shipment.rivals.mapValues(\.text)
    let ids = strings.values.joined().map(\.id) + Self.named(Array(strings.values.joined()), as: texts).map(\.id)
    let there = try await platform.strings(Set(ids))
    var variants: [UnitID: String] = [:]
    for (unit, strings) in strings {
      guard let rivals = shipment.rivals[unit] else { continue }
      // Platforms do not keep empty texts.
      let varied = Self.named(strings, as: texts).filter { $0.source.texts.contains { !$0.isEmpty } }
      let isVariant =
        !varied.isEmpty
        && varied.allSatisfy { string in
          there[string.id].map { !$0.isArchived && !Self.sourceDiffers($0.source, string.source) } ?? false
        }
      let isTaken =
        !Self.isThere(strings, in: there)
        && rivals.others.contains { units in
          Self.isThere(self.strings(of: [shipment.file(of: unit, units)]), in: there)
        }
      if isVariant || isTaken { variants[unit] = rivals.text }
    }
    return variants
  }

  /// Returns whether the platform has some of the strings, and none of them with a different source text.
  private static func isThere(_ strings: [PlatformString], in stored: [PlatformID: StoredString]) -> Bool {
    let pairs = strings.compactMap { string in stored[string.id].map { ($0.source, string.source) } }
    return !pairs.isEmpty && !pairs.contains { sourceDiffers($0, $1) }
  }

  /// Returns the records of variants for a receipt; `nil` if there are no variants.
  static func records(of variants: [UnitID: String], among strings: [PlatformString]) -> [UnitVariant]? {
    guard !variants.isEmpty else { return nil }
    var names: [UnitID: [String]] = [:]
    for string in strings { names[UnitID(catalog: string.catalog, key: string.unit), default: []].append(string.name) }
    return variants.sorted { $0.key < $1.key }.map { unit, text in
      UnitVariant(unit: unit, text: text, names: (names[unit] ?? []).sorted())
    }
  }

  package func shown(_ variants: Set<UnitVariant>) async throws -> Set<UnitVariant> {
    let there = try await platform.strings(Set(variants.flatMap(\.ids)))
    return variants.filter { $0.ids.contains { there[$0]?.isArchived == false } }
  }

  package func retire(_ variants: Set<UnitVariant>) async throws { try await retire(ids: Set(variants.flatMap(\.ids))) }

  package func retire(_ units: [UnitID: Set<VariationPath>]) async throws {
    let own = units.keys.flatMap { [PlatformID($0)] + SeparateForms.ids(of: $0, at: .root) }
    try await retire(ids: ids(of: units).union(own))
  }

  /// Returns all names that the texts of units may have had at the platform.
  func ids(of paths: [UnitID: Set<VariationPath>]) -> Set<PlatformID> {
    var ids: Set<PlatformID> = []
    for (unit, paths) in paths {
      for path in paths {
        ids.insert(PlatformID(unit, at: path))
        guard Platform.keepsPlurals, path.category != nil else { continue }
        var whole = path
        whole.steps.removeLast()
        ids.insert(PlatformID(unit, at: whole))
        ids.formUnion(SeparateForms.ids(of: unit, at: whole))
      }
    }
    return ids
  }

  private func retire(ids: Set<PlatformID>) async throws {
    guard settings.removal != .keep, !ids.isEmpty else { return }
    let there = try await platform.strings(ids)
    try await putAway(Set((settings.removal == .delete ? there : there.filter { !$0.value.isArchived }).keys))
  }

  package func stock(of part: OutstandingWork.Part) async throws -> VendorStock? { try await stocks(of: [part])[0] }

  package func stocks(of parts: [OutstandingWork.Part]) async throws -> [VendorStock?] {
    let strings = parts.map { self.strings(of: $0) }
    let ids = Set(strings.joined().map(\.id))
    guard !ids.isEmpty else { return parts.map { _ in VendorStock() } }
    let known = try await platform.strings(ids)
    return strings.map { strings in
      var stock = VendorStock()
      for string in strings {
        let unit = UnitID(catalog: string.catalog, key: string.unit)
        guard let stored = known[string.id], !stored.isArchived else {
          stock.missing.insert(unit)
          if known[string.id] != nil { stock.hidden.insert(unit) }
          continue
        }
        if Self.lacksSource(stored, of: string) { stock.changed.insert(unit) }
      }
      return stock
    }
  }
}

/// Handling of separate forms, which are plural forms that a platform keeps as separate strings.
extension PlatformVendor {
  /// Returns the names of all possible separate forms of these strings, without the strings' own names. The source texts may have had these
  /// forms before.
  /// - Parameter others: units that may have other forms on other branches. Forms of these units are left out.
  func former(among strings: [PlatformString], besides others: Set<UnitID> = []) -> Set<PlatformID> {
    let ids = strings.filter(\.source.isPlural).flatMap { string -> [PlatformID] in
      let unit = UnitID(catalog: string.catalog, key: string.unit)
      return others.contains(unit) ? [] : SeparateForms.ids(of: unit, at: string.path)
    }
    return Set(ids).subtracting(strings.map(\.id))
  }

  /// Archives, deletes or keeps strings at the platform, depending on the option `removed`.
  func putAway(_ ids: Set<PlatformID>) async throws {
    guard !ids.isEmpty else { return }
    switch settings.removal {
    case .keep: return
    case .delete: try await platform.delete(ids)
    case .archive: try await platform.archive(ids)
    }
  }
}

/// Upload of translations that the repository already has.
extension PlatformVendor {
  /// Enters the repository's translations of a shipment's strings where the platform has no translation. This includes translations into languages
  /// other than the shipment's language, because languages in which nothing is missing get no shipment.
  /// - Parameters:
  ///   - names: the names of the shipment's strings, mapped to the names at the platform. The two names of a variant differ.
  ///   - missing: strings that the platform does not have.
  /// - Returns: the number of translations that were sent to the platform.
  func enterExisting(
    of shipment: Shipment, code: String, names: [PlatformID: PlatformID], missing: Set<PlatformID>
  ) async throws -> Int {
    var count = 0
    func enter(_ files: [ExchangeFile], code: String, areFinished: Bool) async throws {
      let seeds =
        files
        .flatMap {
          PlatformPacking.translations(of: $0, keepsPlurals: Platform.keepsPlurals, areFinished: areFinished)
        }
        .compactMap { seed -> PlatformTranslation? in
          guard let name = names[seed.id], !missing.contains(name) else { return nil }
          var seed = seed
          seed.id = name
          return seed
        }
      guard !seeds.isEmpty else { return }
      // The shipment's own language is already open.
      if areFinished { try await platform.open(code, for: Set(seeds.map(\.id.catalog))) }
      try await seed(seeds, code: code)
      count += seeds.count
    }
    try await enter(shipment.files, code: code, areFinished: false)
    for (language, files) in shipment.existing.sorted(by: { $0.key < $1.key }) {
      try Task.checkCancellation()
      let other: String
      do { other = try await self.code(of: language) } catch let error as VendorError
        where error.kind == .unknownLanguage
      {
        // A missing language is reported when strings are sent in this language.
        continue
      }
      try await enter(files, code: other, areFinished: true)
    }
    return count
  }
}

extension UnitVariant {
  fileprivate var ids: [PlatformID] { names.map { PlatformID(catalog: unit.catalog, name: $0) } }
}

extension Shipment {
  /// Returns a file that contains the given units, for the catalog to which a unit belongs.
  fileprivate func file(of unit: UnitID, _ units: [ExchangeUnit]) -> ExchangeFile {
    ExchangeFile(
      original: unit.catalog.text, sourceLanguage: sourceLanguage, targetLanguage: language, units: units)
  }
}
