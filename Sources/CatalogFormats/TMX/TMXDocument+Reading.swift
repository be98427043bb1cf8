package import Localization
internal import StructuredText

extension TMXDocument {
  /// Reads a file in UTF-8 or UTF-16. Unusable units, and unusable texts of a unit, are skipped, each with a diagnostic.
  ///
  /// - Parameters:
  ///   - path: the path shown in diagnostics.
  ///   - limit: the maximum size of the file in bytes. Reading a file takes several times its size in memory.
  /// - Throws: `InputFault` with all faults if the file cannot be parsed; otherwise with the first fault if it is not TMX 1.1 to 1.4, or if its
  ///   header, its body or the source language in the header is missing.
  package static func read(
    _ bytes: [UInt8], at path: String, limit: Int = 256 << 20
  ) throws(InputFault) -> (document: TMXDocument, diagnostics: [Diagnostic]) {
    let document: XMLDocument
    do {
      let encoding = TextEncoding(sniffing: bytes)
      var text = try encoding.text(of: bytes)
      if encoding.unit != .utf8 { hideDeclaration(&text) }
      document = try XMLDocument.parse(text, options: XMLOptions(depth: 32, size: limit, allowsDocumentType: true))
    } catch {
      throw InputFault(error, path: path)
    }
    var reader = TMXReader(document: document, path: path)
    guard let found = reader.read() else { throw InputFault(reader.diagnostics) }
    return (found, reader.diagnostics)
  }

  /// Overwrites the XML declaration of a converted UTF-16 file with spaces, because it declares the old encoding. All positions stay valid.
  private static func hideDeclaration(_ text: inout [UInt8]) {
    guard text.starts(with: Array("<?xml ".utf8)), let end = text.prefix(200).firstIndex(of: UInt8(ascii: ">")) else {
      return
    }
    text.replaceSubrange(0...end, with: [UInt8](repeating: 0x20, count: end + 1))
  }
}

private struct TMXReader {
  let document: XMLDocument
  let path: String
  let lines: LineMap
  var diagnostics: [Diagnostic] = []

  init(document: XMLDocument, path: String) {
    self.document = document
    self.path = path
    lines = LineMap(document.bytes)
  }

  mutating func read() -> TMXDocument? {
    let root = document.root
    guard document.isElement(root, "tmx") else {
      report(
        root, .error, "this is not TMX: the root is <\(document.localName(of: root))>", hint: "export it as TMX 1.4")
      return nil
    }
    let version = document.attribute("version", of: root) ?? "1.4"
    guard ["1.1", "1.2", "1.3", "1.4", "1.4a", "1.4b"].contains(version) else {
      report(root, .error, "TMX \(version) is not supported", hint: "export it as TMX 1.4")
      return nil
    }
    guard let header = document.firstElement("header", of: root), let body = document.firstElement("body", of: root)
    else {
      report(root, .error, "the file has no <header> or no <body>", hint: "export it again")
      return nil
    }
    guard let source = document.attribute("srclang", of: header), !source.isEmpty else {
      report(header, .error, "<header> has no srclang, so the source language is unknown", hint: "add srclang")
      return nil
    }
    func value(_ name: StaticString, _ otherwise: String) -> String {
      document.attribute(name, of: header) ?? otherwise
    }
    var found = TMXDocument(
      sourceLanguage: source, tool: value("creationtool", ""), toolVersion: value("creationtoolversion", ""),
      segmentType: value("segtype", "block"), adminLanguage: value("adminlang", "en"),
      dataType: value("datatype", "unknown"), originalFormat: value("o-tmf", "unknown"), notes: notes(of: header),
      properties: properties(of: header))
    for element in document.elements(of: body) where document.isElement(element, "tu") {
      if let unit = unit(element) { found.units.append(unit) }
    }
    return found
  }

  private mutating func unit(_ element: XMLNode) -> TMXUnit? {
    var variants: [TMXVariant] = []
    for child in document.elements(of: element) where document.isElement(child, "tuv") {
      if let variant = variant(child) { variants.append(variant) }
    }
    guard !variants.isEmpty else {
      report(element, .warning, "skipped: the unit has no text in any language")
      return nil
    }
    return TMXUnit(
      id: document.attribute("tuid", of: element), sourceLanguage: document.attribute("srclang", of: element),
      created: document.attribute("creationdate", of: element), changed: document.attribute("changedate", of: element),
      notes: notes(of: element), properties: properties(of: element), variants: variants)
  }

  private mutating func variant(_ element: XMLNode) -> TMXVariant? {
    // Before version 1.4, the attribute had no prefix.
    let language = document.attribute("xml:lang", of: element) ?? document.attribute("lang", of: element) ?? ""
    guard LocaleIdentifier(language).isWellFormed else {
      report(element, .warning, "skipped: “\(language)” is not a language", hint: "write xml:lang=\"de\"")
      return nil
    }
    guard let segment = document.firstElement("seg", of: element) else {
      report(element, .warning, "skipped: the text in \(language) has no <seg>")
      return nil
    }
    return TMXVariant(
      language: language, created: document.attribute("creationdate", of: element),
      changed: document.attribute("changedate", of: element), notes: notes(of: element),
      properties: properties(of: element), segment: pieces(of: segment))
  }

  private func pieces(of element: XMLNode) -> [TMXPiece] {
    var pieces: [TMXPiece] = []
    for child in document.children(of: element) {
      switch document.kind(of: child) {
      case .text, .characterData:
        let text = document.text(of: child)
        // Comments and CDATA sections can split a text into several nodes.
        if case .text(let before)? = pieces.last {
          pieces[pieces.count - 1] = .text(before + text)
        } else {
          pieces.append(.text(text))
        }
      case .element:
        guard let kind = TMXPiece.Kind(rawValue: document.localName(of: child)) else {
          pieces += self.pieces(of: child)
          continue
        }
        let attributes = document.attributes(of: child).map {
          TMXProperty(document.name(of: $0), document.value(of: $0))
        }
        pieces.append(.inline(kind, attributes: attributes, content: self.pieces(of: child)))
      case .comment, .instruction: break
      }
    }
    return pieces
  }

  private func notes(of element: XMLNode) -> [String] {
    document.elements(of: element).filter { document.isElement($0, "note") }.map { document.text(of: $0) }
  }

  private func properties(of element: XMLNode) -> [TMXProperty] {
    document.elements(of: element).filter { document.isElement($0, "prop") }.map {
      TMXProperty(document.attribute("type", of: $0) ?? "", document.text(of: $0))
    }
  }

  private mutating func report(_ node: XMLNode, _ severity: Diagnostic.Severity, _ message: String, hint: String? = nil)
  {
    let position = lines.position(at: document.range(of: node).lowerBound)
    diagnostics.append(
      Diagnostic(
        path: path, line: position.line, column: position.column, severity: severity, message: message, hint: hint))
  }
}
