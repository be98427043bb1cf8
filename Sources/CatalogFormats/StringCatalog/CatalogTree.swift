internal import Localization
internal import StructuredText

/// The syntax tree of a String Catalog: the document and the nodes of its parts.
struct CatalogTree {
  /// The parsed document. It is always in UTF-8, even if the file has another encoding.
  let document: JSONDocument
  /// The file as it was read.
  let file: [UInt8]
  /// The encoding in which the file stores the document. If it is UTF-8, a byte order mark is part of the document.
  let encoding: TextEncoding
  let path: TreePath
  let sourceLanguage: JSONNode
  let strings: JSONNode
  /// The duplicate keys; empty unless they are collected.
  let duplicates: [Diagnostic]

  /// The limits for parsing. The depth is limited because reading and printing are recursive and use the stack. Real catalogs nest 16 levels.
  private static let limits = JSONLimits(depth: 64)

  /// The handling of duplicate keys in one object.
  enum Duplicates {
    case refused, allowed
    /// Allowed and collected in ``CatalogTree/duplicates``, for a reader that reports them together with all other faults.
    case collected
    /// Allowed only for the keys of entries.
    case allowedAsEntries
  }

  /// Parses a file.
  /// - Throws: `InputFault` with all syntax faults, all refused duplicate keys, the required members of the root that are missing or of the wrong
  ///   kind, or a source language whose tag is too long.
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
    let length = document.string(source).utf8.count
    guard length <= CatalogLimits.tagBytes else {
      throw InputFault(found + [faults.diagnostic(source, CatalogLimits.longTag(length))])
    }
    self.document = document
    self.file = bytes
    self.encoding = encoding
    self.path = path
    self.sourceLanguage = source
    self.strings = strings
    self.duplicates = found
  }

  /// Creates the tree of a String Catalog. If `files.origin` was read from the same bytes, its tree is used; otherwise the file is parsed.
  init(_ files: CatalogFiles) throws(InputFault) {
    let bytes = try files.readSource()
    // The comparison is fast if the bytes are unchanged, because arrays that share storage are equal without a comparison of their elements.
    if let origin = files.origin as? StringCatalogOrigin, origin.tree.file == bytes {
      self = origin.tree
    } else {
      try self.init(bytes, at: files.path)
    }
  }

  /// Returns the new content of the document, in the file's encoding.
  func stored(_ content: FileContent) -> FileContent {
    encoding == .utf8 ? content : FileContent(encoding.bytes(of: content.bytes))
  }
}

/// Collects the faults in a catalog's values.
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
    // The number of faults is limited, because a file of another format would have a fault for every value.
    guard found.count < 100 else { return }
    let map = lines ?? LineMap(document.bytes)
    lines = map
    let position = map.position(at: document.range(of: node).lowerBound)
    found.append(
      Diagnostic(
        path: path.text, line: position.line, column: position.column, severity: .error, message: message, hint: hint))
  }

  /// Adds the faults that a copy of this collection has found in other parts of the same file, up to the limit of 100 faults.
  mutating func add(_ other: CatalogFaults) { found += other.found.prefix(max(0, 100 - found.count)) }

  /// Reports a value that is present but not of this kind. `null` is accepted, because Xcode treats it as missing.
  mutating func requireIfPresent(_ member: JSONMember?, _ kind: JSONDocument.Kind) {
    guard let member, document.kind(of: member.value) != .null else { return }
    require(member, kind)
  }

  /// Reports a value that is present but not of this kind.
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

/// The members of an entry that the reader supports.
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
