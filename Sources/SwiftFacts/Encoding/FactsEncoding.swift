/// The compact binary format of facts in the cache. The cache's keys are blob ids.
package enum FactsEncoding {
  /// The version of the format. It must be increased with every change of the format.
  package static let version = 7

  /// The bit that marks a private type or extension. It is set in the byte of the kind.
  static let privateType: UInt8 = 0x80

  package static func encode(_ facts: FileFacts) -> [UInt8] { EncodedFacts(facts).bytes }

  /// - Returns: `nil` if the bytes are not in this format.
  package static func decode(_ bytes: [UInt8]) -> FileFacts? { EncodedFacts(bytes)?.facts() }
}
