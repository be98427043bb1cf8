@_spi(RawSyntax) import SwiftSyntax

extension FactCompiler {
  /// Returns the statements of a body without those that are known to be irrelevant: they contain no literal and no `return` to keep, and bind no
  /// names or only names that no later kept statement mentions.
  func usedStatements(_ nodes: [RawNode]) -> [RawNode] {
    var kept: [RawNode] = []
    var later: [UnsafeBufferPointer<UInt8>] = []
    for node in nodes.reversed() {
      if !isRelevant(node) {
        if Self.isIdle(node.kind) { continue }
        if let names = boundNames(node), !names.contains(where: { isMentioned($0, in: later) }) { continue }
      }
      kept.append(node)
      if let bytes = sourceBytes(of: node) { later.append(bytes) }
    }
    return kept.reversed()
  }

  /// Returns whether a node contains a literal, or a `return` if these are kept.
  func isRelevant(_ node: RawNode) -> Bool {
    if holdsQuote(node) { return true }
    guard keepsReturns, let bytes = sourceBytes(of: node) else { return false }
    return isMentioned("return", in: [bytes])
  }

  /// Returns whether statements of this kind can be omitted if they contain no literal and no `return` to keep, because they bind no names.
  private static func isIdle(_ kind: SyntaxKind) -> Bool {
    switch kind {
    case .functionCallExpr, .sequenceExpr, .memberAccessExpr, .declReferenceExpr, .subscriptCallExpr, .tryExpr,
      .awaitExpr,
      .returnStmt, .throwStmt, .forStmt, .whileStmt, .doStmt, .deferStmt, .repeatStmt:
      true
    default: false
    }
  }

  /// Returns the names that a statement binds for later statements; `nil` if the statement is neither a variable declaration nor a `guard`.
  private func boundNames(_ node: RawNode) -> [String]? {
    switch node.kind {
    case .variableDecl:
      return node[VariableDecl.bindings]?.elements.flatMap { pattern($0[PatternBinding.pattern]).names }
    case .guardStmt:
      return node[GuardStmt.conditions]?.elements.flatMap { element -> [String] in
        guard let condition = element[ConditionElement.condition] else { return [] }
        switch condition.kind {
        case .optionalBindingCondition, .matchingPatternCondition:
          return pattern(condition[OptionalBindingCondition.pattern]).names
        default: return []
        }
      }
    default: return nil
    }
  }

  private func sourceBytes(of node: RawNode) -> UnsafeBufferPointer<UInt8>? {
    guard let base, let token = node.firstToken, let start = offset(of: token) else { return nil }
    return UnsafeBufferPointer(start: base + start, count: min(node.raw.byteLength, length - start))
  }

  /// Returns whether the ranges contain a name as a word, with or without the prefix `$` or `_` of a property wrapper.
  private func isMentioned(_ name: String, in ranges: [UnsafeBufferPointer<UInt8>]) -> Bool {
    var name = name
    return name.withUTF8 { name in
      guard let first = name.first else { return false }
      for bytes in ranges where bytes.count >= name.count {
        for start in 0...(bytes.count - name.count) where bytes[start] == first {
          let end = start + name.count
          guard name.indices.allSatisfy({ bytes[start + $0] == name[$0] }) else { continue }
          let isWordBefore = start > 0 && Self.isWord(bytes[start - 1]) && bytes[start - 1] != UInt8(ascii: "_")
          let isWordAfter = end < bytes.count && Self.isWord(bytes[end])
          if !isWordBefore, !isWordAfter { return true }
        }
      }
      return false
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}
