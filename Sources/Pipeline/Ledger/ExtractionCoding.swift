package import Localization

extension Extraction {
  /// The extraction in the format in which the cache stores the strings of a tree.
  package var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.write(sourceLanguage.rawValue)
    writer.write(strings) { $0.write($1) }
    writer.write(unplaced) { $0.write($1) }
    writer.write(diagnostics) { $0.write($1) }
    writer.write(incompleteCatalogs.sorted { $0.key < $1.key }) {
      $0.write($1.key.text)
      $0.write($1.value) { $0.write($1) }
    }
    writer.write(uncertainKeys.sorted { $0.key < $1.key }) {
      $0.write($1.key.text)
      $0.write($1.value.sorted { $0.key < $1.key }) {
        $0.write($1.key.text)
        $0.write($1.value)
      }
    }
    return writer.bytes
  }

  /// Decodes an extraction from the cache. The numbers of parsed and linked files are not stored, so they are 0.
  package init(encoded: [UInt8]) throws(CodingFault) {
    var reader = ByteReader(encoded)
    let language = LocaleIdentifier(try reader.string())
    let strings = try reader.array { (reader) throws(CodingFault) -> ExtractedString in try reader.extractedString() }
    let unplaced = try reader.array { (reader) throws(CodingFault) -> ExtractedString in try reader.extractedString() }
    let diagnostics = try reader.array { (reader) throws(CodingFault) -> Diagnostic in try reader.diagnostic() }
    let incomplete = try reader.array { (reader) throws(CodingFault) -> (TreePath, [Diagnostic]) in
      let path = try reader.path()
      return (path, try reader.array { (reader) throws(CodingFault) -> Diagnostic in try reader.diagnostic() })
    }
    let uncertain = try reader.array { (reader) throws(CodingFault) -> (TreePath, [UnitKey: ExtractionSite]) in
      let path = try reader.path()
      let keys = try reader.array { (reader) throws(CodingFault) -> (UnitKey, ExtractionSite) in
        (UnitKey(try reader.string()), try reader.site())
      }
      return (path, Dictionary(keys) { first, _ in first })
    }
    guard reader.isAtEnd else { throw CodingFault("there are bytes after its end") }
    self.init(
      sourceLanguage: language, strings: strings, diagnostics: diagnostics,
      incompleteCatalogs: Dictionary(incomplete) { first, _ in first })
    self.unplaced = unplaced
    uncertainKeys = Dictionary(uncertain) { first, _ in first }
  }
}

extension ByteWriter {
  mutating func write(_ diagnostic: Diagnostic) {
    write(diagnostic.path)
    write(diagnostic.line) { $0.write($1) }
    write(diagnostic.column) { $0.write($1) }
    write(diagnostic.severity.rawValue)
    write(diagnostic.message)
    write(diagnostic.hint)
  }

  mutating func write(_ string: ExtractedString) {
    write(string.catalog.text)
    write(string.table)
    write(string.key.text)
    write(string.value)
    write(string.comment)
    write(string.phrases) { $0.write($1) { $0.write($1) } }
    write(string.origin.rawValue)
    write(string.targets) { $0.write($1.rawValue) }
    write(string.sites) { $0.write($1) }
    write(string.hasInterpolation)
    write(string.isOnlyForDebugging)
  }

  mutating func write(_ site: ExtractionSite) {
    write(site.path.text)
    write(site.line)
    write(site.column)
    write(site.api)
  }
}

extension ByteReader {
  mutating func diagnostic() throws(CodingFault) -> Diagnostic {
    let path = try string()
    let line = try optional { (reader) throws(CodingFault) -> Int in try reader.int() }
    let column = try optional { (reader) throws(CodingFault) -> Int in try reader.int() }
    guard let severity = Diagnostic.Severity(rawValue: try string()) else { throw CodingFault("an unknown severity") }
    let message = try string()
    return Diagnostic(
      path: path, line: line, column: column, severity: severity, message: message, hint: try optionalString())
  }

  /// Reads a path inside a tree.
  mutating func path() throws(CodingFault) -> TreePath {
    guard let path = TreePath(checking: try string()) else { throw CodingFault("a path leaves its tree") }
    return path
  }

  mutating func site() throws(CodingFault) -> ExtractionSite {
    let path = try path()
    let line = try int()
    let column = try int()
    return ExtractionSite(path: path, line: line, column: column, api: try string())
  }

  mutating func extractedString() throws(CodingFault) -> ExtractedString {
    let catalog = try path()
    let table = try string()
    let key = UnitKey(try string())
    let value = try optionalString()
    let comment = try optionalString()
    let phrases = try optional { (reader) throws(CodingFault) -> [String] in
      try reader.array { (reader) throws(CodingFault) -> String in try reader.string() }
    }
    guard let origin = StringOrigin(rawValue: try string()) else { throw CodingFault("an unknown origin") }
    let targets = try array { (reader) throws(CodingFault) -> TargetID in TargetID(rawValue: try reader.string()) }
    let sites = try array { (reader) throws(CodingFault) -> ExtractionSite in try reader.site() }
    return ExtractedString(
      catalog: catalog, table: table, key: key, value: value, comment: comment, phrases: phrases, origin: origin,
      targets: targets, sites: sites, hasInterpolation: try bool(), isOnlyForDebugging: try bool())
  }
}
