/// The compact binary form of facts, in which they are cached by blob id.
enum FactsEncoding {
  /// Raised with every change of the facts or of their form.
  static let version = 1

  static func encode(_ facts: FileFacts) -> [UInt8] { FactsWriter.encode(facts) }

  /// - Returns: `nil` where the bytes are not ours.
  static func decode(_ bytes: [UInt8]) -> FileFacts? { FactsReader.decode(bytes) }
}
