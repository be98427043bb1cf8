package import Localization
internal import StructuredText

extension TMXDocument {
  /// Returns the translation memory as TMX 1.4 in UTF-8, indented by 2 spaces, with LF and one segment per line.
  ///
  /// XML cannot contain most control characters, so a unit with such a character is skipped.
  ///
  /// - Parameters:
  ///   - path: the path shown in diagnostics.
  ///   - place: returns the position to report for a unit's text in a language; `nil` if it is unknown.
  /// - Returns: the file, and a warning for each skipped unit.
  package func write(
    at path: String,
    place: (TMXUnit, _ language: String) -> (path: TreePath, line: Int?, column: Int?)? = { _, _ in nil }
  ) -> (bytes: [UInt8], diagnostics: [Diagnostic]) {
    var writer = TMXWriter()
    var diagnostics: [Diagnostic] = []
    writer.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<tmx version=\"1.4\">\n  <header")
    for (name, value) in [
      ("creationtool", tool), ("creationtoolversion", toolVersion), ("segtype", segmentType),
      ("o-tmf", originalFormat), ("adminlang", adminLanguage), ("srclang", sourceLanguage), ("datatype", dataType),
    ] { writer.attribute(name, value) }
    writer.raw(">\n")
    writer.facts(notes, properties, indent: "    ")
    writer.raw("  </header>\n  <body>\n")
    for (index, unit) in units.enumerated() {
      if let language = unit.unwritable {
        let origin = place(unit, language)
        let name = origin == nil ? "unit \(unit.id ?? String(index + 1))" : "the text in \(language)"
        diagnostics.append(
          Diagnostic(
            path: origin?.path.text ?? path, line: origin?.line, column: origin?.column, severity: .warning,
            message: "skipped: \(name) contains a control character, which XML cannot hold"))
        continue
      }
      writer.unit(unit)
    }
    writer.raw("  </body>\n</tmx>\n")
    return (writer.output, diagnostics)
  }
}

extension TMXUnit {
  /// The language of the first text that XML cannot contain; `nil` if XML can contain the whole unit. If only the id, a note or a property of
  /// the unit is the problem, the value is the language of the unit's first text.
  fileprivate var unwritable: String? {
    func isWritable(_ texts: [String]) -> Bool { texts.allSatisfy { $0.unicodeScalars.allSatisfy(Self.isAllowed) } }
    let variant = variants.first { variant in
      !isWritable([variant.text] + variant.notes + variant.properties.flatMap { [$0.type, $0.value] })
    }
    if let variant { return variant.language }
    return isWritable([id ?? ""] + notes + properties.flatMap { [$0.type, $0.value] })
      ? nil : variants.first?.language ?? ""
  }

  /// Returns whether XML 1.0 allows a character.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D: true
    case 0..<0x20, 0xFFFE, 0xFFFF: false
    default: true
    }
  }
}

private struct TMXWriter {
  var output: [UInt8] = []

  mutating func raw(_ text: String) { output.append(contentsOf: text.utf8) }

  mutating func attribute(_ name: String, _ value: String?) {
    guard let value else { return }
    raw(" \(name)=\"")
    XMLText.printAttribute(value, into: &output)
    raw("\"")
  }

  mutating func facts(_ notes: [String], _ properties: [TMXProperty], indent: String) {
    for note in notes {
      raw("\(indent)<note>")
      XMLText.print(note, into: &output)
      raw("</note>\n")
    }
    for property in properties {
      raw("\(indent)<prop")
      attribute("type", property.type)
      raw(">")
      XMLText.print(property.value, into: &output)
      raw("</prop>\n")
    }
  }

  mutating func unit(_ unit: TMXUnit) {
    raw("    <tu")
    attribute("tuid", unit.id)
    attribute("creationdate", unit.created)
    attribute("changedate", unit.changed)
    attribute("srclang", unit.sourceLanguage)
    raw(">\n")
    facts(unit.notes, unit.properties, indent: "      ")
    for variant in unit.variants {
      raw("      <tuv")
      attribute("xml:lang", variant.language)
      attribute("creationdate", variant.created)
      attribute("changedate", variant.changed)
      if variant.notes.isEmpty, variant.properties.isEmpty {
        raw(">")
        segment(variant)
        raw("</tuv>\n")
      } else {
        raw(">\n")
        facts(variant.notes, variant.properties, indent: "        ")
        raw("        ")
        segment(variant)
        raw("\n      </tuv>\n")
      }
    }
    raw("    </tu>\n")
  }

  private mutating func segment(_ variant: TMXVariant) {
    raw("<seg>")
    for piece in variant.segment { self.piece(piece) }
    raw("</seg>")
  }

  private mutating func piece(_ piece: TMXPiece) {
    switch piece {
    case .text(let text): XMLText.print(text, into: &output)
    case .inline(let kind, let attributes, let content):
      raw("<\(kind.rawValue)")
      for item in attributes { attribute(item.type, item.value) }
      guard !content.isEmpty else { return raw("/>") }
      raw(">")
      for part in content { self.piece(part) }
      raw("</\(kind.rawValue)>")
    }
  }
}
