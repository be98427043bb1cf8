/// The compact binary form of facts for the cache. Facts are cached by blob id.
package enum FactsEncoding {
  /// Increase it with every change of the form.
  package static let version = 5

  package static func encode(_ facts: FileFacts) -> [UInt8] { EncodedFacts(facts).bytes }

  /// - Returns: `nil` if the bytes are not in this format.
  package static func decode(_ bytes: [UInt8]) -> FileFacts? { EncodedFacts(bytes)?.facts() }
}
