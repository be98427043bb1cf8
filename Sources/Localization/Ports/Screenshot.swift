/// A picture of the app that shows strings of a shipment. Its bytes are sent to vendors without being decoded.
package struct Screenshot: Hashable, Sendable {
  package enum Format: String, Hashable, Sendable {
    case png, jpeg

    /// Determines the format from the first bytes of a file. Returns `nil` for other formats.
    package init?(_ bytes: [UInt8]) {
      if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
        self = .png
      } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
        self = .jpeg
      } else {
        return nil
      }
    }

    package var mediaType: String { "image/\(rawValue)" }
  }

  /// The file name, which is unique in the shipment.
  package var name: String
  package var format: Format
  package var bytes: [UInt8]
  /// The shipment's units whose texts the picture shows; never empty in a shipment.
  package var units: Set<UnitID>

  package init(name: String, format: Format, bytes: [UInt8], units: Set<UnitID>) {
    self.name = name
    self.format = format
    self.bytes = bytes
    self.units = units
  }
}
