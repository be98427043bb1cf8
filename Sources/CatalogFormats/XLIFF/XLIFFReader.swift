package import Localization
internal import StructuredText

extension XLIFF {
  /// The maximum size of a file in bytes.
  package static let largestFile = 1 << 28

  /// Reads a file from Xcode or from a translator's tool.
  ///
  /// Inline elements are read as their text (xcode-formats.md D). Prefixed names and UTF-16 are supported. `diagnostics` reports content that Xcode
  /// would reject, ignore or warn about, such as a `<file>` without an original or a language, a duplicate id, and a foreign or prefixed namespace. A
  /// missing original or language is read as empty, and all units with a duplicate id are kept. When the document is written, its files and units
  /// keep their order.
  /// - Parameter path: the path shown in diagnostics.
  /// - Throws: `InputFault` if the file cannot be read.
  package static func read(_ bytes: [UInt8], at path: String) throws(InputFault) -> XLIFFDocument {
    var reader = XLIFFReader(document: try parse(utf8(bytes), at: path), path: path)
    return reader.read()
  }

  /// Parses a file. Throws if the file is not XML, or if its root element is not `<xliff>` with a supported version.
  static func parse(_ bytes: [UInt8], at path: String) throws(InputFault) -> XMLDocument {
    let document: XMLDocument
    do { document = try XMLDocument.parse(bytes, options: XMLOptions(depth: 64, size: largestFile)) } catch {
      // Without this check, an image or a PDF would cause a diagnostic for each byte that is not UTF-8.
      if error.faults.first?.kind == .notUTF8, !beginsAsXML(bytes) {
        throw InputFault(
          Diagnostic(
            path: path, severity: .error, message: "this is not an XLIFF file", hint: "export the file as XLIFF 1.2"))
      }
      throw InputFault(error, path: path)
    }
    let root = document.root
    let fault = { (message: String, hint: String) in
      let position = document.position(of: root)
      return InputFault(
        Diagnostic(
          path: path, line: position.line, column: position.column, severity: .error, message: message, hint: hint))
    }
    guard document.isElement(root, "xliff") else {
      throw fault(
        "the root element is <\(document.localName(of: root))>, not <xliff>", "this is not an XLIFF file")
    }
    if let version = document.attribute("version", of: root), version != "1.2", version != "1.1" {
      throw fault("XLIFF \(version) is not supported", "export the file as XLIFF 1.2")
    }
    return document
  }
}

private struct XLIFFReader {
  private let document: XMLDocument
  private let path: String
  private var lines: LineMap?
  private var result = XLIFFDocument(tool: nil, files: [])

  init(document: XMLDocument, path: String) {
    self.document = document
    self.path = path
    result.keepsOrder = true
  }

  mutating func read() -> XLIFFDocument {
    let root = document.root
    if document.isPrefixed(root) {
      note(
        root, .warning, "elements use a namespace prefix; accepted here, but Xcode would ignore them",
        hint: "remove the prefix if Xcode has to read this file")
    } else if document.namespace(of: root) != XLIFF.namespace {
      note(root, .warning, "the namespace is not \(XLIFF.namespace)", hint: "the file is read anyway")
    }
    var originals: Set<UnitKey> = []
    for file in document.elements(of: root) {
      guard document.isElement(file, "file") else {
        noteUnread(file)
        continue
      }
      let exchange = self.file(file)
      if !originals.insert(UnitKey(exchange.original)).inserted {
        note(file, .warning, "there are two <file> elements for '\(exchange.original)'", hint: "both are read")
      }
      result.files.append(exchange)
    }
    return result
  }

  private mutating func file(_ node: XMLNode) -> ExchangeFile {
    // Missing attributes are read as empty, because the review holds the units of such a file instead of ignoring them.
    let original = document.attribute("original", of: node) ?? ""
    if original.isEmpty {
      note(
        node, .error, "a <file> has no 'original' attribute, so its catalog is unknown",
        hint: "its units are held")
    }
    let source = document.attribute("source-language", of: node) ?? ""
    if source.isEmpty { note(node, .warning, "the <file> of '\(original)' has no 'source-language'") }
    let target = document.attribute("target-language", of: node) ?? ""
    if target.isEmpty {
      note(
        node, .error, "the <file> of '\(original)' has no 'target-language'; Xcode would reject it",
        hint: "add target-language to <file>; until then its units are held")
    }
    readTool(node)
    let names = document.attributes(of: node).map(document.name(of:))
    if let datatype = names.firstIndex(of: "datatype"), let language = names.firstIndex(of: "source-language"),
      datatype < language
    {
      result.datatypeFirst.insert(original)
    }
    var units: [ExchangeUnit] = []
    var seen: Set<UnitKey> = []
    for child in document.elements(of: node) {
      if document.isElement(child, "body") {
        self.units(child, of: original, into: &units, &seen)
      } else if !document.isElement(child, "header") {
        noteUnread(child)
      }
    }
    return ExchangeFile(
      original: original, sourceLanguage: LocaleIdentifier(source), targetLanguage: LocaleIdentifier(target),
      units: units)
  }

  private mutating func readTool(_ file: XMLNode) {
    guard result.tool == nil, let header = document.firstElement("header", of: file),
      let tool = document.firstElement("tool", of: header), document.attribute("tool-id", of: tool) == XLIFF.toolID,
      let version = document.attribute("tool-version", of: tool), let build = document.attribute("build-num", of: tool)
    else { return }
    result.tool = ToolInfo(version: version, build: build)
  }

  private static let whatRepeatedTargetsDo =
    "equal translations count as one; different translations are not imported, so keep only the right one"

  /// Reads the units of a body or a group. The recursion is bounded by the parser's depth limit.
  private mutating func units(
    _ parent: XMLNode, of original: String, into units: inout [ExchangeUnit], _ seen: inout Set<UnitKey>
  ) {
    if units.isEmpty {
      // Half of the children are the white space before a unit. Capacity is not reserved again for a second body or group, because each
      // reservation would copy the units that were read so far.
      let count = document.children(of: parent).reduce(0) { count, _ in count + 1 } / 2
      units.reserveCapacity(count)
      seen.reserveCapacity(count)
    }
    for node in document.children(of: parent) where document.kind(of: node) == .element {
      if document.isElement(node, "group") {
        self.units(node, of: original, into: &units, &seen)
      } else if document.isElement(node, "trans-unit") {
        guard let id = document.attribute("id", of: node) else {
          note(node, .error, "skipped a <trans-unit> of '\(original)' that has no id")
          continue
        }
        if !seen.insert(UnitKey(id)).inserted {
          note(node, .warning, "the id \"\(id)\" occurs twice in '\(original)'", hint: Self.whatRepeatedTargetsDo)
        }
        let unit = unit(node, id: id, original: original)
        if document.children(of: node).count(where: { document.isElement($0, "target") }) > 1 {
          note(node, .warning, "the unit \"\(id)\" has several targets", hint: Self.whatRepeatedTargetsDo)
          units += targets(of: node, unit)
        } else {
          units.append(unit)
        }
      } else {
        noteUnread(node)
      }
    }
  }

  /// Reports an element that contains units at a place where units are not read.
  private mutating func noteUnread(_ node: XMLNode) {
    guard holdsUnits(node) else { return }
    note(
      node, .error, "the texts in <\(document.localName(of: node))> are not read",
      hint: "units are <trans-unit> elements in the <body> of a <file>, or in a <group> there")
  }

  private func holdsUnits(_ node: XMLNode) -> Bool {
    ["trans-unit", "source", "target"].contains(document.localName(of: node).lowercased())
      || document.elements(of: node).contains(where: holdsUnits)
  }

  private func unit(_ node: XMLNode, id: String, original: String) -> ExchangeUnit {
    let (key, path) = ExchangeIdentifier.parse(id, in: original)
    var unit = ExchangeUnit(key: key, path: path, source: nil)
    unit.hasForeignID = ExchangeIdentifier.isForeign(id, key: key, path: path, in: original)
    unit.isTranslatable = document.attribute("translate", of: node) != "no"
    for child in document.children(of: node) where document.kind(of: child) == .element {
      if document.isElement(child, "source") {
        unit.source = text(child)
      } else if document.isElement(child, "target") {
        unit.target = target(child)
      } else if document.isElement(child, "note") {
        let note = document.text(of: child)
        if !note.isEmpty { unit.note = unit.note.map { "\($0)\n\(note)" } ?? note }
        if document.attribute("from", of: child) == "auto-generated" { unit.isNoteAutoGenerated = true }
      }
    }
    return unit
  }

  /// Returns one unit for each of the first 100 targets, so that no target silently replaces another target.
  private func targets(of node: XMLNode, _ unit: ExchangeUnit) -> [ExchangeUnit] {
    document.children(of: node).filter { document.isElement($0, "target") }.prefix(100).map { child in
      var unit = unit
      unit.target = target(child)
      return unit
    }
  }

  private func target(_ node: XMLNode) -> ExchangeTarget {
    ExchangeTarget(
      text(node), state: document.attribute("state", of: node),
      stateQualifier: document.attribute("state-qualifier", of: node))
  }

  /// Returns the text of an element without its inline tags, or the phrases in its `<mrk>` elements.
  private func text(_ node: XMLNode) -> ExchangeText {
    let phrases = document.children(of: node).filter {
      document.isElement($0, "mrk") && document.attribute("mtype", of: $0) == "x-set"
    }
    return phrases.isEmpty ? .text(document.text(of: node)) : .phrases(phrases.map { document.text(of: $0) })
  }

  private mutating func note(_ node: XMLNode, _ severity: Diagnostic.Severity, _ message: String, hint: String? = nil) {
    // The number of diagnostics is limited, because a malicious file could cause one for every element.
    guard result.diagnostics.count < 1_000 else { return }
    result.diagnostics.append(diagnostic(node, severity, message, hint: hint))
  }

  private mutating func diagnostic(
    _ node: XMLNode, _ severity: Diagnostic.Severity, _ message: String, hint: String? = nil
  ) -> Diagnostic {
    let map = lines ?? LineMap(document.bytes)
    lines = map
    let position = map.position(at: document.range(of: node).lowerBound)
    return Diagnostic(
      path: path, line: position.line, column: position.column, severity: severity, message: message, hint: hint)
  }
}
