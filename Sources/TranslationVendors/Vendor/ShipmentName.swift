package import Localization

/// The name of a shipment at vendors that identify jobs only by name: `<pipeline>-<round>-<language>`.
enum ShipmentName {
  /// - Throws: for parts that are not file names.
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
          detail: "“\(part)” has characters that file names of bundles must not have; use letters, digits, - _ and .")
      }
    }
    return parts.joined(separator: "-")
  }
}

extension Shipment {
  /// The text units in it. Several forms of one unit count once.
  package var unitIDs: Set<UnitID> { files.unitIDs }
}

extension [ExchangeFile] {
  /// The text units in the files, by catalog and key.
  package var unitIDs: Set<UnitID> {
    Set(flatMap { file in file.units.map { UnitID(catalog: TreePath(trusted: file.original), key: $0.key) } })
  }
}
