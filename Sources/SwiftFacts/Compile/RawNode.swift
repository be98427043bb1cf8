@_spi(RawSyntax) import SwiftSyntax

/// A node of the parser's raw tree. Reading it avoids the costs of the public tree: allocations and parent links.
///
/// `child(k)` is the k-th named child, in the order of the node's declaration in SwiftSyntax 603. Between the named children are the
/// unexpected ones, so the index in the layout is 2k + 1. FactCompilerTests check every kind that is read here.
struct RawNode {
  let raw: RawSyntax

  var kind: SyntaxKind { raw.kind }

  func child(_ index: Int) -> RawNode? {
    guard let children = raw.layoutView?.children, 2 * index + 1 < children.count else { return nil }
    return children[2 * index + 1].map(RawNode.init)
  }

  /// The elements of a collection node.
  var elements: RawElements { RawElements(buffer: raw.layoutView?.children) }

  /// The bytes of a token, without trivia; empty for other nodes and for missing tokens.
  var bytes: UnsafeBufferPointer<UInt8> {
    guard let token = raw.tokenView, let base = token.rawText.baseAddress else {
      return UnsafeBufferPointer(start: nil, count: 0)
    }
    return UnsafeBufferPointer(start: base, count: token.rawText.count)
  }

  var isMissingToken: Bool { raw.tokenView?.presence == .missing }

  var firstToken: RawNode? {
    if raw.isToken { return isMissingToken ? nil : self }
    for element in elements {
      if let token = element.firstToken { return token }
    }
    return nil
  }

  func isText(_ text: StaticString) -> Bool {
    let bytes = bytes
    guard bytes.count == text.utf8CodeUnitCount else { return false }
    for index in 0..<bytes.count where bytes[index] != text.utf8Start[index] { return false }
    return true
  }
}

/// The existing children of a node, without allocating an array.
struct RawElements: Sequence, IteratorProtocol {
  let buffer: RawSyntaxBuffer?
  var index = 0

  init(buffer: RawSyntaxBuffer?) { self.buffer = buffer }

  mutating func next() -> RawNode? {
    guard let buffer else { return nil }
    while index < buffer.count {
      let raw = buffer[index]
      index += 1
      if let raw { return RawNode(raw: raw) }
    }
    return nil
  }

  var count: Int { buffer?.count ?? 0 }
}
