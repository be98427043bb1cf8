import Localization
import StructuredText

/// A reader of the strings that Xcode exports from a storyboard or xib (xcode-formats.md G). There is one string for each text of an object, and its
/// key contains the object's id.
struct InterfaceReader {
  private let document: XMLDocument
  private let platform: InterfacePlatform
  private let path: TreePath
  private let catalog: TreePath
  private let lines: LineMap
  private var reading = NonSwiftReading()

  /// Reads one file.
  /// - Parameter catalog: the catalog for the file's strings. A file that cannot be read is a gap in this catalog.
  static func read(_ bytes: [UInt8], at path: TreePath, into catalog: TreePath) -> NonSwiftReading {
    let document: XMLDocument
    do { document = try XMLDocument.parse(bytes) } catch {
      return NonSwiftReading(error, reading: "an interface file", at: path, catalog: catalog)
    }
    let root = document.root
    guard document.isElement(root, "document"), let type = document.attribute("type", of: root),
      let platform = InterfacePlatform(documentType: type)
    else {
      let place = document.position(of: root)
      let reason = Diagnostic(
        path: path.text, line: place.line, column: place.column, severity: .warning,
        message: "this is not an interface file of Xcode 5 or later; no strings extracted",
        hint: "open it in Xcode and save it")
      return NonSwiftReading(gaps: [.init(reason, catalog: catalog)])
    }
    var reader = InterfaceReader(document: document, platform: platform, path: path, catalog: catalog)
    reader.walk()
    return reader.reading
  }

  private init(document: XMLDocument, platform: InterfacePlatform, path: TreePath, catalog: TreePath) {
    self.document = document
    self.platform = platform
    self.path = path
    self.catalog = catalog
    lines = LineMap(document.bytes)
  }

  /// Visits every element that has an id, together with its parent, without recursion.
  private mutating func walk() {
    // The note of an element is read only once, when its first child needs it.
    var open: [(node: XMLNode, children: XMLDocument.Children, note: String??)] = [
      (document.root, document.children(of: document.root), nil)
    ]
    while let last = open.indices.last {
      guard let child = open[last].children.next() else {
        open.removeLast()
        continue
      }
      guard document.kind(of: child) == .element else { continue }
      if let id = document.attribute("id", of: child), !id.isEmpty {
        visit(child, id: id, holder: open[last].node, noteOfHolder: &open[last].note)
      }
      open.append((child, document.children(of: child), nil))
    }
  }

  // MARK: One object

  private mutating func visit(_ node: XMLNode, id: String, holder: XMLNode, noteOfHolder: inout String??) {
    let element = document.localName(of: node)
    var found: [(key: String, text: String, isIndexed: Bool)] = []
    for text in InterfaceText.texts(of: element, on: platform) {
      let key = "\(text.key)"
      switch text.place {
      case .own(let name): if let value = self.text(name, of: node) { found.append((key, value, false)) }
      case .part(let part, let name):
        if let part = document.firstElement(part, of: node), let value = self.text(name, of: part) {
          found.append((key, value, false))
        }
      case .list(let list, let name):
        guard let list = document.firstElement(list, of: node) else { continue }
        for (index, item) in document.elements(of: list).enumerated() {
          guard let value = name.map({ self.text($0, of: item) }) ?? content(of: item) else { continue }
          found.append(("\(key)[\(index)]", value, true))
        }
      }
    }
    if element == "button", platform == .cocoaTouch { found += states(of: node) }
    if element == "binding", platform == .cocoa { found += placeholders(of: node) }
    found += runtimeAttributes(of: node)
    let kept = found.filter { !$0.text.isEmpty && !InterfaceText.isTemplate($0.text, of: element) }
    guard !kept.isEmpty else { return }
    let className = platform.className(of: element)
    var note = self.note(of: node)
    if note == nil {
      let ofHolder = noteOfHolder ?? self.note(of: holder)
      noteOfHolder = .some(ofHolder)
      note = ofHolder
    }
    let place = lines.position(at: document.range(of: node).lowerBound)
    for (key, text, isIndexed) in kept {
      let comment = InterfaceComment.text(
        className: className, property: isIndexed ? "\(id).\(key)" : key, value: text, id: id, note: note)
      reading.strings.append(
        FoundString(
          table: path.stem, catalog: catalog, key: "\(id).\(key)", value: text, comment: comment,
          origin: .interfaceBuilder,
          site: ExtractionSite(path: path, line: place.line, column: place.column, api: className)))
    }
  }

  /// Returns the titles of a button's states. The end of each key is the state with `Title`, such as `normalTitle` or `disabledTitle`.
  private mutating func states(of node: XMLNode) -> [(String, String, Bool)] {
    var found: [(String, String, Bool)] = []
    for state in document.elements(of: node) where document.isElement(state, "state") {
      if let name = document.attribute("key", of: state), let title = text("title", of: state) {
        found.append((name + "Title", title, false))
      }
    }
    return found
  }

  private mutating func placeholders(of node: XMLNode) -> [(String, String, Bool)] {
    guard let options = document.firstElement("dictionary", of: node) else { return [] }
    var found: [(String, String, Bool)] = []
    for option in document.elements(of: options) {
      if let name = document.attribute("key", of: option), let key = InterfaceText.bindingOptions[name],
        let value = content(of: option)
      {
        found.append((key, value, false))
      }
    }
    return found
  }

  /// Returns the runtime attributes that are marked as localized. The index in a key counts only these attributes.
  private mutating func runtimeAttributes(of node: XMLNode) -> [(String, String, Bool)] {
    guard let list = document.firstElement("userDefinedRuntimeAttributes", of: node) else { return [] }
    let localized = document.elements(of: list).filter { document.attribute("localized", of: $0) == "YES" }
    var found: [(String, String, Bool)] = []
    for (index, attribute) in localized.enumerated() {
      guard let value = text("value", of: attribute) else { continue }
      found.append(("ibExternalUserDefinedRuntimeAttributesLocalizableStrings[\(index)]", value, true))
    }
    return found
  }

  /// Returns an object's own note for translators; `nil` if it has none. `visit` then uses the note of the parent, for example the note of
  /// a control for its cell.
  private mutating func note(of node: XMLNode) -> String? {
    for child in document.children(of: node)
    where document.isElement(child, "attributedString") && document.attribute("key", of: child) == "userComments" {
      let list = document.firstElement("fragments", of: child) ?? child
      var note = ""
      for fragment in document.elements(of: list) where document.isElement(fragment, "fragment") {
        note += text("content", of: fragment) ?? ""
      }
      return note.isEmpty ? nil : note
    }
    return nil
  }

  // MARK: Texts

  /// Returns the value of a property: an attribute, or a child `<string key="…">`.
  private mutating func text(_ name: StaticString, of node: XMLNode) -> String? {
    if let value = document.attribute(name, of: node) { return value }
    for child in document.children(of: node)
    where document.kind(of: child) == .element && document.attribute("key", of: child) == "\(name)" {
      return content(of: child)
    }
    return nil
  }

  /// Returns the text of a `<string>` or `<mutableString>`; `nil` for any other element, and for a text in base64 that cannot be decoded to UTF-8,
  /// which is recorded as a gap.
  private mutating func content(of node: XMLNode) -> String? {
    guard document.isElement(node, "string") || document.isElement(node, "mutableString") else { return nil }
    let text = document.text(of: node)
    guard document.attribute("base64-UTF8", of: node) == "YES" else { return text }
    if let bytes = Base64.decode(text.utf8), let decoded = String(validating: bytes, as: UTF8.self) { return decoded }
    let place = lines.position(at: document.range(of: node).lowerBound)
    let reason = Diagnostic(
      path: path.text, line: place.line, column: place.column, severity: .warning,
      message: "skipped this text: it is marked as base64 of UTF-8, but cannot be decoded")
    reading.gaps.append(.init(reason, catalog: catalog))
    return nil
  }
}
