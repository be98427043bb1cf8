package import Localization

extension Translation {
  /// The id of a translation in the ledger: the first 16 bytes of the SHA-256 of `canonicalBytes`, in hexadecimal.
  package var digest: String { ContentDigest.hexadecimal(of: canonicalBytes, bytes: 16) }

  /// The bytes that `digest` hashes. Digests are stored, so this format must never change. It does not depend on how values are stored, and
  /// shares no code with other encodings.
  ///
  /// A number is written in groups of 7 bits, lowest first, with the high bit set in every byte except the last. A text is its length in
  /// UTF-8 bytes, followed by these bytes. An optional value is 0, or 1 and the value. A list is its count, followed by its elements. A
  /// varied text is one of: 0, state and text; 1, state and phrases; 2 and its plural forms; 3 and its device forms. A translation is its
  /// text, followed by its substitutions: name, argument number, format specifier, forms. Substitutions and forms are sorted by name.
  package var canonicalBytes: [UInt8] {
    var bytes = CanonicalBytes()
    bytes.append(text)
    let sorted = substitutions.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    bytes.append(number: sorted.count)
    for (name, substitution) in sorted {
      bytes.append(text: name)
      if let number = substitution.argumentNumber {
        bytes.append(number: 1)
        bytes.append(number: number)
      } else {
        bytes.append(number: 0)
      }
      if let specifier = substitution.formatSpecifier {
        bytes.append(number: 1)
        bytes.append(text: specifier)
      } else {
        bytes.append(number: 0)
      }
      bytes.append(substitution.forms)
    }
    return bytes.bytes
  }
}

private struct CanonicalBytes {
  var bytes: [UInt8] = []

  mutating func append(number: Int) { Varint.append(number, to: &bytes) }

  mutating func append(text: String) {
    append(number: text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  mutating func append(_ text: VariedText) {
    switch text {
    case .text(let unit):
      append(number: 0)
      append(text: unit.state.rawValue)
      append(text: unit.value)
    case .phrases(let set):
      append(number: 1)
      append(text: set.state.rawValue)
      append(number: set.values.count)
      for value in set.values { append(text: value) }
    case .plural(let forms):
      append(number: 2)
      append(forms.map { ($0.key.rawValue, $0.value) })
    case .device(let forms):
      append(number: 3)
      append(forms.map { ($0.key.rawValue, $0.value) })
    }
  }

  private mutating func append(_ forms: [(name: String, text: VariedText)]) {
    append(number: forms.count)
    for form in forms.sorted(by: { $0.name < $1.name }) {
      append(text: form.name)
      append(form.text)
    }
  }
}
