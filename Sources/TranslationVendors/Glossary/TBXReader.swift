internal import Localization
internal import StructuredText

/// A reader of TBX (ISO 30042): version 2 (`martif`, `termEntry`, `langSet`, `tig`) and version 3 in the style DCA (`tbx`, `conceptEntry`,
/// `langSec`, `termSec`). The style DCT, in which elements have the names of their categories, is refused.
struct TBXReader {
  private let document: XMLDocument
  private let path: String
  private let lines: LineMap
  private var diagnostics: [Diagnostic] = []

  static func read(
    _ text: [UInt8], wasConverted: Bool, at path: String
  ) throws -> (glossary: Glossary, diagnostics: [Diagnostic]) {
    var text = text
    // The XML declaration of a converted file names UTF-16, but the text is UTF-8 now. The declaration is replaced with spaces, which keeps
    // the positions of the other text.
    if wasConverted, text.starts(with: Array("<?xml ".utf8)),
      let end = text.prefix(200).firstIndex(of: UInt8(ascii: ">"))
    {
      text.replaceSubrange(0...end, with: [UInt8](repeating: 0x20, count: end + 1))
    }
    let options = XMLOptions(depth: 64, allowsDocumentType: true)
    var reader = TBXReader(document: try XMLDocument.parse(text, options: options), path: path)
    let glossary = try reader.read()
    return (glossary, reader.diagnostics)
  }

  private init(document: XMLDocument, path: String) {
    self.document = document
    self.path = path
    lines = LineMap(document.bytes)
  }

  private mutating func read() throws(InputFault) -> Glossary {
    let root = document.root
    func refused(_ message: String, _ hint: String) -> InputFault {
      InputFault(Diagnostic(path: path, line: 1, column: 1, severity: .error, message: message, hint: hint))
    }
    guard document.isElement(root, "martif") || document.isElement(root, "tbx") else {
      throw refused(
        "this is not TBX: the root is <\(document.localName(of: root))>", "export it as TBX-Basic, or as CSV")
    }
    guard document.attribute("style", of: root)?.lowercased() != "dct" else {
      throw refused("TBX in the style DCT is not supported", "export it in the style DCA, or as CSV")
    }
    guard let text = document.firstElement("text", of: root), let body = document.firstElement("body", of: text) else {
      throw refused("the file has no <text> with a <body>", "export it again")
    }
    var glossary = Glossary()
    for element in document.elements(of: body)
    where document.isElement(element, "termEntry") || document.isElement(element, "conceptEntry") {
      if let entry = entry(element) { glossary.entries.append(entry) }
    }
    return glossary
  }

  private mutating func entry(_ element: XMLNode) -> GlossaryEntry? {
    var terms: [GlossaryTerm] = []
    var definition = category("definition", of: element)
    for child in document.elements(of: element)
    where document.isElement(child, "langSet") || document.isElement(child, "langSec") {
      let language = LocaleIdentifier(document.attribute("xml:lang", of: child) ?? "")
      guard language.isWellFormed else {
        warn(child, "skipped: “\(language)” is not a language", hint: "write xml:lang=\"de\"")
        continue
      }
      definition = definition ?? category("definition", of: child)
      for group in document.elements(of: child) {
        if let term = term(group, language) { terms.append(term) }
      }
    }
    guard !terms.isEmpty else {
      warn(element, "skipped: the entry has no terms")
      return nil
    }
    return GlossaryEntry(
      id: document.attribute("id", of: element), definition: definition,
      note: document.firstElement("note", of: element).map { document.text(of: $0) },
      subject: category("subjectField", of: element), terms: terms)
  }

  /// Reads the term of a `tig`, `ntig` or `termSec`; `nil` for other elements. An empty term is reported and also returns `nil`.
  private mutating func term(_ group: XMLNode, _ language: LocaleIdentifier) -> GlossaryTerm? {
    let holder = document.firstElement("termGrp", of: group) ?? group
    let isGroup = ["tig", "ntig", "termSec"].contains(document.localName(of: group))
    guard isGroup else { return nil }
    let text = document.firstElement("term", of: holder).map { document.text(of: $0) } ?? ""
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !words.isEmpty else {
      warn(group, "skipped: a term in \(language) is empty")
      return nil
    }
    var notes: [String: String] = [:]
    for note in document.elements(of: holder) where document.isElement(note, "termNote") {
      if let type = document.attribute("type", of: note) { notes[type] = document.text(of: note) }
    }
    let status: GlossaryTerm.Status =
      switch notes["administrativeStatus"] ?? notes["normativeAuthorization"] ?? "" {
      case "preferredTerm-admn-sts", "preferredTerm": .preferred
      case "deprecatedTerm-admn-sts", "deprecatedTerm", "supersededTerm-admn-sts", "supersededTerm": .deprecated
      default: .admitted
      }
    return GlossaryTerm(language: language, text: words, status: status, partOfSpeech: notes["partOfSpeech"])
  }

  /// Returns the text of the `descrip` element of a category; `nil` if there is no such element. The element may be in a `descripGrp`.
  private func category(_ name: String, of element: XMLNode) -> String? {
    for child in document.elements(of: element) {
      let items = document.isElement(child, "descripGrp") ? document.elements(of: child) : [child]
      for item in items where document.isElement(item, "descrip") && document.attribute("type", of: item) == name {
        return document.text(of: item)
      }
    }
    return nil
  }

  private mutating func warn(_ node: XMLNode, _ message: String, hint: String? = nil) {
    let position = lines.position(at: document.range(of: node).lowerBound)
    diagnostics.append(
      Diagnostic(
        path: path, line: position.line, column: position.column, severity: .warning, message: message, hint: hint))
  }
}
