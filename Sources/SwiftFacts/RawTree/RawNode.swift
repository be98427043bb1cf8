@_spi(RawSyntax) import SwiftSyntax

/// A node of the parser's raw tree. It avoids the allocations and the parent links of the public tree.
struct RawNode {
  let raw: RawSyntax

  var kind: SyntaxKind { raw.kind }

  /// The child that has this name in SwiftSyntax; `nil` if the source does not contain the child. The caller must have checked the kind of the node.
  subscript(_ child: some RawChild) -> RawNode? {
    // The layout also has a place for unexpected nodes before each named child.
    let index = 2 * child.rawValue + 1
    guard let children = raw.layoutView?.children, index < children.count else { return nil }
    return children[index].map(RawNode.init)
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

/// The named children of one kind of node, in SwiftSyntax's order.
protocol RawChild: RawRepresentable<Int>, CaseIterable {}

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
