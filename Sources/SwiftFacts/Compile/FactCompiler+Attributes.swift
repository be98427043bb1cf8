@_spi(RawSyntax) import SwiftSyntax

extension FactCompiler {
  func attributes(_ list: RawNode?) -> [AttributeFact] {
    guard let list else { return [] }
    var found: [AttributeFact] = []
    for node in list.elements {
      if node.kind == .ifConfigDecl {
        for clause in liveClauses(node) { found += attributes(clause[IfConfigClause.elements]) }
        continue
      }
      guard node.kind == .attribute else { continue }
      let arguments = node[Attribute.arguments]
      let isList = arguments?.kind == .labeledExprList
      found.append(
        AttributeFact(
          type: type(node[Attribute.attributeName]),
          arguments: node[Attribute.leftParen] == nil ? nil : isList ? self.arguments(arguments) : []))
    }
    return found
  }

  func attributeNames(_ list: RawNode?) -> [String] {
    guard let list else { return [] }
    return list.elements.compactMap { node in
      guard node.kind == .attribute, let name = node[Attribute.attributeName] else { return nil }
      switch type(name) {
      case .named(let name, _), .member(_, let name, _): return name
      default: return nil
      }
    }
  }
}
