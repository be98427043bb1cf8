package import Localization

extension ByteWriter {
  package mutating func write(_ translation: Translation) {
    write(translation.text)
    write(translation.substitutions.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      $0.write($1.key)
      $0.write($1.value.argumentNumber) { $0.write($1) }
      $0.write($1.value.formatSpecifier)
      $0.write($1.value.forms)
    }
  }

  package mutating func write(_ text: VariedText) {
    switch text {
    case .text(let unit):
      write(0)
      write(unit.state.rawValue)
      write(unit.value)
    case .phrases(let set):
      write(1)
      write(set.state.rawValue)
      write(set.values) { $0.write($1) }
    case .plural(let forms):
      write(2)
      write(forms.sorted { $0.key < $1.key }) {
        $0.write($1.key.rawValue)
        $0.write($1.value)
      }
    case .device(let forms):
      write(3)
      write(forms.sorted { $0.key < $1.key }) {
        $0.write($1.key.rawValue)
        $0.write($1.value)
      }
    }
  }
}

extension ByteReader {
  package mutating func translation() throws(CodingFault) -> Translation {
    let text = try variedText()
    let substitutions = try array { (reader) throws(CodingFault) -> (String, Substitution) in
      let name = try reader.string()
      let number = try reader.optional { (reader) throws(CodingFault) -> Int in try reader.int() }
      let specifier = try reader.optionalString()
      return (name, Substitution(argumentNumber: number, formatSpecifier: specifier, forms: try reader.variedText()))
    }
    return Translation(text: text, substitutions: Dictionary(substitutions) { first, _ in first })
  }

  package mutating func variedText() throws(CodingFault) -> VariedText {
    try nested { (reader) throws(CodingFault) -> VariedText in
      switch try reader.int() {
      case 0:
        let state = TranslationState(rawValue: try reader.string())
        return .text(StringUnit(state: state, value: try reader.string()))
      case 1:
        let state = TranslationState(rawValue: try reader.string())
        let values = try reader.array { (reader) throws(CodingFault) -> String in try reader.string() }
        return .phrases(PhraseSet(state: state, values: values))
      case 2:
        let forms = try reader.array { (reader) throws(CodingFault) -> (PluralCategory, VariedText) in
          (PluralCategory(rawValue: try reader.string()), try reader.variedText())
        }
        return .plural(Dictionary(forms) { first, _ in first })
      case 3:
        let forms = try reader.array { (reader) throws(CodingFault) -> (Device, VariedText) in
          (Device(rawValue: try reader.string()), try reader.variedText())
        }
        return .device(Dictionary(forms) { first, _ in first })
      default: throw CodingFault("an unknown kind of text")
      }
    }
  }
}

extension Translation {
  /// The same translation gives the same bytes.
  package var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.write(self)
    return writer.bytes
  }

  package init(encoded: [UInt8]) throws(CodingFault) {
    var reader = ByteReader(encoded)
    self = try reader.translation()
  }
}
