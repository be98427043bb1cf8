/// The compact binary form of facts, in which they are cached by blob id.
package enum FactsEncoding {
  /// Raised with every change of the form.
  package static let version = 5

  package static func encode(_ facts: FileFacts) -> [UInt8] { EncodedFacts(facts).bytes }

  /// - Returns: `nil` where the bytes are not ours.
  package static func decode(_ bytes: [UInt8]) -> FileFacts? { EncodedFacts(bytes)?.facts() }
}
