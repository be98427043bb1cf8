import StructuredText
package import SwiftParsing
@_spi(RawSyntax) import SwiftSyntax

/// A compiler that turns the syntax tree of one Swift file into facts.
///
/// Irrelevant parts are never visited. For example, a search of the bytes shows that a body contains no quotation mark and therefore no literal.
package struct FactCompiler {
  let base: UnsafePointer<UInt8>?
  let length: Int
  /// The offsets of all `"` of the file, ascending. If the uses of a symbol are searched for, their offsets are included.
  let quotes: [Int32]
  let lines: LineTable
  /// The parts of the file that are compiled only for some platforms, or only in Debug builds.
  var conditions = PlatformConditions()
  /// Whether the file contains `#if`.
  var hasConditions = false
  /// The symbol to search for; `nil` if no symbol is searched for. Its uses become literals in the facts.
  var symbol: GeneratedSymbol?
  /// Whether to keep `return` statements without a literal. In a closure that is called immediately, all of them determine the closure's type.
  var keepsReturns = false
  /// Whether the code is in the body of `if false`, but in no closure there. Literals of this code are ignored (xcode-extraction.md R26).
  var isUnreachable = false

  /// - Parameter symbol: the symbol whose uses become literals in the facts.
  package static func compile(_ source: ParsedSource, symbol: GeneratedSymbol? = nil) -> FileFacts {
    with(source, symbol: symbol) { compiler, root in compiler.file(root, hasError: source.hasError) } ?? .empty
  }

  /// Calls `body` with a compiler for the file and the root of the syntax tree.
  /// - Returns: the result of `body`; `nil` for a file without a token.
  static func with<Result>(
    _ source: ParsedSource, symbol: GeneratedSymbol? = nil, _ body: (FactCompiler, RawNode) -> Result
  ) -> Result? {
    let root = RawNode(raw: source.tree.raw)
    guard let token = root.firstTextStart else { return nil }
    // The tokens point into one buffer that contains the whole file. The buffer begins with the leading trivia of the first token.
    var compiler = FactCompiler(
      base: token.start, length: source.tree.raw.byteLength,
      quotes: quoteOffsets(token.start, source.tree.raw.byteLength, symbol), lines: source.lines)
    compiler.symbol = symbol
    return withExtendedLifetime(source) {
      if holdsConditions(token.start, source.tree.raw.byteLength) {
        var conditions = PlatformConditions()
        conditions.collect(root) { compiler.offset(of: $0) }
        compiler.conditions = conditions
        compiler.hasConditions = true
      }
      return body(compiler, root)
    }
  }

  private static func quoteOffsets(_ start: UnsafePointer<UInt8>, _ count: Int, _ symbol: GeneratedSymbol?) -> [Int32] {
    var offsets: [Int32] = []
    for index in 0..<count where start[index] == UInt8(ascii: "\"") { offsets.append(Int32(truncatingIfNeeded: index)) }
    guard let symbol else { return offsets }
    return (offsets + symbol.offsets(in: UnsafeBufferPointer(start: start, count: count))).sorted()
  }

  /// Returns whether the file contains `#if`.
  private static func holdsConditions(_ start: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    var index = 0
    while index + 2 < count {
      if start[index] == UInt8(ascii: "#"), start[index + 1] == UInt8(ascii: "i"), start[index + 2] == UInt8(ascii: "f")
      {
        return true
      }
      index += 1
    }
    return false
  }

  private func file(_ root: RawNode, hasError: Bool) -> FileFacts {
    var imports: [String] = []
    var statements: [Statement] = []
    if let items = root[SourceFile.statements] {
      for item in items.elements { topLevel(item[CodeBlockItem.item], into: &statements, imports: &imports) }
    }
    if let statement = releaseOnlyStatement(root) { statements.append(statement) }
    return FileFacts(
      imports: imports, statements: statements,
      firstError: hasError ? firstFault(root) : nil)
  }

  /// Returns the place of the first syntax error or conflict marker. The parser reports some conflict markers only at the end of the code after them.
  private func firstFault(_ root: RawNode) -> SourcePlace {
    let found = firstError(root) ?? firstFlagged(root)
    let bytes = base.map { Array(UnsafeBufferPointer(start: $0, count: length)) } ?? []
    guard let marker = TextChecks.conflictFaults(in: bytes).first else {
      return found ?? SourcePlace(line: 1, column: 1)
    }
    let line = Int32(truncatingIfNeeded: lines.place(of: marker.position.offset).line)
    guard let found, found.line < line else { return SourcePlace(line: line, column: 1) }
    return found
  }

  private func topLevel(_ node: RawNode?, into statements: inout [Statement], imports: inout [String]) {
    guard let node else { return }
    switch node.kind {
    case .importDecl:
      if let path = node[ImportDecl.path]?.elements.first(where: { _ in true })?[ImportPathComponent.name] {
        imports.append(text(path))
      }
    case .ifConfigDecl:
      for clause in liveClauses(node) {
        guard let items = clause[IfConfigClause.elements] else { continue }
        for item in items.elements { topLevel(item[CodeBlockItem.item], into: &statements, imports: &imports) }
      }
    default:
      statement(node, into: &statements)
    }
  }

  private func firstError(_ node: RawNode) -> SourcePlace? {
    if node.raw.isToken { return node.isMissingToken ? SourcePlace(line: 0, column: 0) : nil }
    var last: RawNode?
    for element in node.elements {
      if element.kind == .unexpectedNodes { return place(of: element) ?? last.flatMap { place(of: $0) } }
      if let place = firstError(element) {
        guard place.line == 0 else { return place }
        return (last ?? element).firstToken.flatMap { self.place(of: $0) } ?? place
      }
      last = element
    }
    return nil
  }

  /// Returns the place of the first token with a lexer diagnostic, such as a conflict marker or an unclosed comment; `nil` if there is none. The tree
  /// must have no syntax errors.
  private func firstFlagged(_ node: RawNode) -> SourcePlace? {
    guard let token = node.raw.tokenView else {
      for element in node.elements {
        if let place = firstFlagged(element) { return place }
      }
      return nil
    }
    return token.tokenDiagnostic == nil ? nil : place(of: node) ?? SourcePlace(line: 1, column: 1)
  }

  // MARK: positions and text

  func offset(of token: RawNode) -> Int? {
    guard let base, let start = token.bytes.baseAddress else { return nil }
    let offset = start - base
    return offset >= 0 && offset <= length ? offset : nil
  }

  func place(of node: RawNode) -> SourcePlace? {
    guard let token = node.firstToken, let offset = offset(of: token) else { return nil }
    let place = lines.place(of: offset)
    return SourcePlace(line: Int32(truncatingIfNeeded: place.line), column: Int32(truncatingIfNeeded: place.column))
  }

  /// Returns whether the node contains a quotation mark, or a use of the symbol that is searched for.
  func holdsQuote(_ node: RawNode?) -> Bool {
    guard let node, !quotes.isEmpty, let token = node.firstToken, let start = offset(of: token) else { return false }
    let end = start + node.raw.byteLength
    var low = 0
    var high = quotes.count
    while low < high {
      let middle = (low + high) / 2
      if Int(quotes[middle]) < start { low = middle + 1 } else { high = middle }
    }
    return low < quotes.count && Int(quotes[low]) < end
  }

  func text(_ token: RawNode?) -> String {
    guard let token else { return "" }
    var bytes = token.bytes
    if bytes.count > 2, bytes.first == UInt8(ascii: "`"), bytes.last == UInt8(ascii: "`") {
      bytes = UnsafeBufferPointer(rebasing: bytes[1..<(bytes.count - 1)])
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the clauses of `#if` that some build for Apple's systems compiles. Xcode extracts the union of the strings of these builds.
  /// - Parameter isDebug: whether to return the clauses of Debug builds; otherwise returns those of Release builds.
  func liveClauses(_ node: RawNode, isDebug: Bool = true) -> [RawNode] {
    guard let clauses = node[IfConfigDecl.clauses] else { return [] }
    var live: [RawNode] = []
    for clause in clauses.elements {
      switch clause[IfConfigClause.condition].map({ CompilationCondition(self, isDebug: isDebug).value(of: $0) }) {
      case .never?: continue
      case .always?:
        live.append(clause)
        return live
      case .sometimes?, nil: live.append(clause)
      }
    }
    return live
  }
}

extension RawNode {
  /// The first token, and the start of its leading trivia; `nil` if there is none.
  fileprivate var firstTextStart: (start: UnsafePointer<UInt8>, token: RawNode)? {
    guard let token = firstToken, let view = token.raw.tokenView, let text = view.rawText.baseAddress else {
      return nil
    }
    return (text - view.leadingTriviaByteLength, token)
  }
}
