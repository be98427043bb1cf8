internal import Localization
internal import StructuredText

/// A String Catalog as syntax: the document, and where its parts stand.
struct CatalogTree {
  /// In UTF-8, whatever the file is in.
  let document: JSONDocument
  /// The file as it was read.
  let file: [UInt8]
  /// How the file stores the document. Of UTF-8 a byte order mark is part of the document.
  let encoding: TextEncoding
  let path: TreePath
  let sourceLanguage: JSONNode
  let strings: JSONNode
  /// The keys that stand twice and were allowed to; empty unless they were collected.
  let duplicates: [Diagnostic]

  /// Real catalogs nest 16 levels; reading and printing recurse, so that the stack bounds what can be taken.
  private static let limits = JSONLimits(depth: 64)

  /// Where a key may stand twice in one object.
  enum Duplicates {
    case refused, allowed
    /// For a reader that tells them together with all other faults.
    case collected
    /// Only two entries may have one key.
    case allowedAsEntries
  }

  /// - Throws: all faults of syntax, all duplicate keys that are refused, or what is missing at the root.
  init(_ bytes: [UInt8], at path: TreePath, duplicates allowance: Duplicates = .refused) throws(InputFault) {
    let document: JSONDocument
    let sniffed = TextEncoding(sniffing: bytes)
    let encoding = sniffed.unit == .utf8 ? .utf8 : sniffed
    do {
      document = try JSONDocument.parse(try encoding.text(of: bytes), limits: Self.limits)
    } catch {
      throw InputFault(error, path: path.text)
    }
    var duplicates = allowance == .allowed ? [] : document.duplicateKeys()
    if allowance == .allowedAsEntries, !duplicates.isEmpty,
      let strings = document.value("strings", of: document.root)
    {
      let entries = Set(document.members(of: strings).map { document.range(of: $0.key).lowerBound })
      duplicates.removeAll { entries.contains($0.position.offset) }
    }
    let found = duplicates.map { Diagnostic($0, path: path.text) }
    guard duplicates.isEmpty || allowance == .collected else { throw InputFault(found) }
    let faults = CatalogFaults(document: document, path: path)
    guard document.kind(of: document.root) == .object else {
      throw InputFault(found + [faults.diagnostic(document.root, "a String Catalog must be an object")])
    }
    let source = document.value("sourceLanguage", of: document.root)
    let strings = document.value("strings", of: document.root)
    guard let source, let strings, document.kind(of: source) == .string, document.kind(of: strings) == .object else {
      var found = found
      if source.map({ document.kind(of: $0) }) != .string {
        found.append(faults.diagnostic(source ?? document.root, "a String Catalog needs \"sourceLanguage\", a string"))
      }
      if strings.map({ document.kind(of: $0) }) != .object {
        found.append(faults.diagnostic(strings ?? document.root, "a String Catalog needs \"strings\", an object"))
      }
      throw InputFault(found)
    }
    self.document = document
    self.file = bytes
    self.encoding = encoding
    self.path = path
    self.sourceLanguage = source
    self.strings = strings
    self.duplicates = found
  }

  /// The tree of the file that names the catalog; read again only where its bytes are not those that were read before.
  init(_ files: CatalogFiles) throws(InputFault) {
    let bytes = try files.readSource()
    // Arrays that share their memory are known to be equal at once.
    if let origin = files.origin as? StringCatalogOrigin, origin.tree.file == bytes {
      self = origin.tree
    } else {
      try self.init(bytes, at: files.path)
    }
  }

  /// What the document becomes, as the file stores it.
  func stored(_ content: FileContent) -> FileContent {
    encoding == .utf8 ? content : FileContent(encoding.bytes(of: content.bytes))
  }
}

/// What is wrong with the values of a catalog, collected.
struct CatalogFaults {
  let document: JSONDocument
  let path: TreePath
  private(set) var found: [Diagnostic] = []
  private var lines: LineMap?

  init(document: JSONDocument, path: TreePath) {
    self.document = document
    self.path = path
  }

  func diagnostic(_ node: JSONNode, _ message: String, hint: String? = nil) -> Diagnostic {
    let position = document.position(of: node)
    return Diagnostic(
      path: path.text, line: position.line, column: position.column, severity: .error, message: message, hint: hint)
  }

  mutating func add(_ node: JSONNode, _ message: String, hint: String? = nil) {
    // A file of another kind would give one for every value.
    guard found.count < 100 else { return }
    let map = lines ?? LineMap(document.bytes)
    lines = map
    let position = map.position(at: document.range(of: node).lowerBound)
    found.append(
      Diagnostic(
        path: path.text, line: position.line, column: position.column, severity: .error, message: message, hint: hint))
  }

  /// Notes it if a value is there and is neither `null`, which Xcode takes for none, nor of the kind.
  mutating func requireIfPresent(_ member: JSONMember?, _ kind: JSONDocument.Kind) {
    guard let member, document.kind(of: member.value) != .null else { return }
    require(member, kind)
  }

  /// Notes it if a value is there and is not of the kind.
  mutating func require(_ member: JSONMember?, _ kind: JSONDocument.Kind) {
    guard let member, document.kind(of: member.value) != kind else { return }
    add(member.value, "\"\(document.string(member.key))\" must be \(Self.name(kind))")
  }

  private static func name(_ kind: JSONDocument.Kind) -> String {
    switch kind {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "a number"
    case .boolean: "true or false"
    case .null: "null"
    }
  }
}

/// The members of an entry that the domain knows.
struct EntryNodes {
  var comment: JSONMember?
  var extractionState: JSONMember?
  var isCommentAutoGenerated: JSONMember?
  var localizations: JSONMember?
  var shouldTranslate: JSONMember?

  init(_ entry: JSONNode, of document: JSONDocument) {
    var members = document.cursor(of: entry)
    while let member = document.next(&members) {
      if document.string(member.key, equals: "localizations") {
        localizations = member
      } else if document.string(member.key, equals: "comment") {
        comment = member
      } else if document.string(member.key, equals: "extractionState") {
        extractionState = member
      } else if document.string(member.key, equals: "shouldTranslate") {
        shouldTranslate = member
      } else if document.string(member.key, equals: "isCommentAutoGenerated") {
        isCommentAutoGenerated = member
      }
    }
  }
}
