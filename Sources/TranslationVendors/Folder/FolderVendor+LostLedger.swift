internal import Localization
internal import ZipArchive

extension FolderVendor {
  /// The division of a shipment into the units that bundles in `to-translate/` already contain, because they were sent before the ledger was lost,
  /// and the rest.
  struct UnitsOfLostLedger {
    /// The names of the bundles, sorted.
    var bundles: [String] = []
    /// The part of the shipment that none of these bundles contains.
    var rest: Shipment
    /// The number of the shipment's units that the bundles contain.
    var units = 0

    /// The receipt for the units in the bundles; `nil` if there are no bundles. The receipt's reference is the first bundle, so withdrawn units are
    /// listed next to that bundle.
    var receipt: ShipmentReceipt? {
      bundles.first.map { ShipmentReceipt(reference: $0, units: units, wasThere: true) }
    }
  }

  /// Finds the units of a new shipment that are already in bundles of the same round or later rounds. Such bundles exist if the ledger was lost or
  /// restored, because round numbers then repeat. Units in such bundles must not be translated twice. Bundles with withdrawn units are ignored.
  /// - Parameter names: the paths of the entries of `to-translate`.
  func unitsOfLostLedger(_ shipment: Shipment, _ names: Set<TreePath>) async throws -> UnitsOfLostLedger {
    var found = UnitsOfLostLedger(rest: shipment)
    guard let round = Int(shipment.round) else { return found }
    let own = shipment.language.rawValue
    var there: Set<UnitID> = []
    for path in names.sorted() {
      guard let sent = DropNames.shipment(of: path.name), sent.pipeline == shipment.pipeline,
        sent.language == own || sent.language.hasPrefix(own + "-"), let number = Int(sent.round), number >= round,
        !names.contains(DropNames.withdrawalNote(of: path.name))
      else { continue }
      let units = try await units(of: shipment, in: path)
      guard !units.isEmpty else { continue }
      found.bundles.append(path.name)
      there.formUnion(units)
    }
    found.units = there.count
    if !there.isEmpty { found.rest = shipment.without(there) }
    return found
  }

  /// Returns the units of a shipment that a bundle contains with the same source texts. Forms that the bundle lacks are not compared.
  func units(of shipment: Shipment, in path: TreePath) async throws -> Set<UnitID> {
    let content = DropContent.file(try await storage.read(path, limit: DropContent.limits.archiveBytes))
    let files = content.bundle(named: path).files.filter { $0.targetLanguage == shipment.language }
    let there = files.sources
    return files.unitIDs.intersection(shipment.unitIDs).subtracting(
      shipment.files.sources.compactMap { form, source in
        there[form].flatMap { $0.isExactly(source) ? nil : form.unit }
      })
  }
}

extension Shipment {
  fileprivate func without(_ units: Set<UnitID>) -> Shipment {
    var rest = self
    rest.files = files.compactMap { file in
      var file = file
      let catalog = TreePath(trusted: file.original)
      file.units.removeAll { units.contains(UnitID(catalog: catalog, key: $0.key)) }
      return file.units.isEmpty ? nil : file
    }
    return rest
  }
}

private struct FormOfUnit: Hashable {
  var unit: UnitID
  var path: VariationPath
}

extension [ExchangeFile] {
  /// The source texts of all forms.
  fileprivate var sources: [FormOfUnit: ExchangeText] {
    let forms = flatMap { file in
      let catalog = TreePath(trusted: file.original)
      return file.units.compactMap { unit in
        unit.source.map { (FormOfUnit(unit: UnitID(catalog: catalog, key: unit.key), path: unit.path), $0.carried) }
      }
    }
    return Dictionary(forms, uniquingKeysWith: { first, _ in first })
  }
}
