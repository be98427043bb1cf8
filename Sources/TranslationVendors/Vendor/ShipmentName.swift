package import Localization

/// The name of a shipment, `<pipeline>-<round>-<language>`, for vendors that identify shipments only by name.
enum ShipmentName {
  /// Returns the name of a shipment.
  /// - Throws: `VendorError` of kind `configuration` if a part of the name cannot be part of a file name.
  static func stem(of shipment: Shipment) throws(VendorError) -> String {
    let parts = [shipment.pipeline, shipment.round, shipment.language.rawValue]
    for part in parts {
      let isPlain = part.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
          || "-_.".utf8.contains($0)
      }
      guard isPlain, !part.isEmpty, part.utf8.count <= 80, !part.hasPrefix(".") else {
        throw VendorError(
          kind: .configuration, operation: "name a bundle",
          detail:
            "“\(part)” is not a valid part of a file name; use at most 80 letters, digits, - _ and ., and no . at the start"
        )
      }
    }
    return parts.joined(separator: "-")
  }
}

extension Shipment {
  /// The ids of the units in the shipment. All forms of a unit have the same id.
  package var unitIDs: Set<UnitID> { files.unitIDs }
}

extension [ExchangeFile] {
  /// The ids of the units in the files. An id consists of catalog and key.
  package var unitIDs: Set<UnitID> {
    Set(flatMap { file in file.units.map { UnitID(catalog: TreePath(trusted: file.original), key: $0.key) } })
  }
}
