/// A value of a JSON document: an index into the document's nodes, valid only for this document.
package struct JSONNode: Hashable, Sendable {
  package let index: Int

  package init(index: Int) { self.index = index }
}

/// A member of a JSON object.
package struct JSONMember: Hashable, Sendable {
  /// The string before the colon.
  package let key: JSONNode
  package let value: JSONNode
}

/// A JSON file as a lossless tree: every value has its byte range, and the original bytes are kept.
///
/// Each node takes 16 bytes and stores no text. Text is decoded on demand.
package struct JSONDocument: Sendable {
  package enum Kind: UInt8, Sendable {
    case object, array, string, number, boolean, null
  }

  struct Node: Sendable {
    /// The offset of the value's first byte; for a string, of its opening quote.
    var start: UInt32
    /// The offset after the value's last byte.
    var end: UInt32
    /// The index of the first node after this value and its contents.
    var next: UInt32
    var kind: Kind
    /// Whether a string contains a backslash.
    var isEscaped: Bool
  }

  package let bytes: [UInt8]
  let nodes: [Node]

  /// Whether the file contains U+2028 or U+2029 unescaped.
  let holdsRawLineSeparators: Bool

  /// The first empty object or array; `nil` if there is none.
  let firstEmpty: JSONNode?

  init(bytes: [UInt8], nodes: [Node], firstEmpty: JSONNode?, holdsRawLineSeparators: Bool) {
    self.bytes = bytes
    self.nodes = nodes
    self.firstEmpty = firstEmpty
    self.holdsRawLineSeparators = holdsRawLineSeparators
  }

  package var root: JSONNode { JSONNode(index: 0) }

  package func kind(of node: JSONNode) -> Kind { nodes[node.index].kind }

  /// Returns the byte range of a value, including quotes and brackets.
  package func range(of node: JSONNode) -> Range<Int> {
    let node = nodes[node.index]
    return Int(node.start)..<Int(node.end)
  }

  /// Returns whether a value has the same bytes as a value of this or another document.
  package func hasBytes(of node: JSONNode, equalTo other: JSONNode, in document: JSONDocument) -> Bool {
    ByteScan.isEqual(bytes.span.extracting(range(of: node)), document.bytes.span.extracting(document.range(of: other)))
  }

  /// Returns the position of a value's first byte.
  package func position(of node: JSONNode) -> TextPosition {
    TextPosition(offset: Int(nodes[node.index].start), in: bytes)
  }

  /// Returns the members of an object in the order of the file; empty for any other value.
  package func members(of node: JSONNode) -> Members {
    let head = nodes[node.index]
    return Members(document: self, position: node.index + 1, end: head.kind == .object ? Int(head.next) : 0)
  }

  /// Returns the elements of an array in the order of the file; empty for any other value.
  package func elements(of node: JSONNode) -> [JSONNode] {
    guard nodes[node.index].kind == .array else { return [] }
    var found: [JSONNode] = []
    var position = node.index + 1
    let end = Int(nodes[node.index].next)
    while position < end {
      found.append(JSONNode(index: position))
      position = Int(nodes[position].next)
    }
    return found
  }

  /// A position among the members of an object, for `next(_:)`. Unlike `Members`, a cursor has no reference to the document, which avoids
  /// reference counting in inner loops.
  package struct Cursor: Sendable {
    var position: Int
    let end: Int
  }

  /// Returns a cursor before the first member of an object; for any other value, a cursor at the end.
  package func cursor(of node: JSONNode) -> Cursor {
    let head = nodes[node.index]
    return Cursor(position: node.index + 1, end: head.kind == .object ? Int(head.next) : 0)
  }

  /// Returns the member at the cursor and advances the cursor; `nil` at the end.
  package func next(_ cursor: inout Cursor) -> JSONMember? {
    guard cursor.position < cursor.end else { return nil }
    let member = JSONMember(key: JSONNode(index: cursor.position), value: JSONNode(index: cursor.position + 1))
    cursor.position = Int(nodes[cursor.position + 1].next)
    return member
  }

  /// Returns the number of members of an object; 0 for any other value.
  package func count(of node: JSONNode) -> Int {
    var (members, count) = (cursor(of: node), 0)
    while next(&members) != nil { count += 1 }
    return count
  }

  /// Returns the last member with this key, compared by bytes; `nil` if there is no such member, or if the node is not an object.
  package func member(_ key: StaticString, of node: JSONNode) -> JSONMember? {
    var found: JSONMember?
    var members = cursor(of: node)
    while let member = next(&members) { if string(member.key, equals: key) { found = member } }
    return found
  }

  /// Returns the value of the last member with this key; `nil` if there is none.
  package func value(_ key: StaticString, of node: JSONNode) -> JSONNode? { member(key, of: node)?.value }

  /// Returns whether an object or an array is empty; `true` for any other value.
  package func isEmpty(_ node: JSONNode) -> Bool { Int(nodes[node.index].next) == node.index + 1 }

  /// Returns the key of a member's value; `nil` for an element of an array and for the root.
  package func keyNode(before value: JSONNode) -> JSONNode? {
    guard value.index > 0, nodes[value.index - 1].kind == .string else { return nil }
    let key = JSONNode(index: value.index - 1)
    // A colon separates a key from its value; a comma separates two elements.
    return bytes[range(of: key).upperBound..<range(of: value).lowerBound].contains(UInt8(ascii: ":")) ? key : nil
  }

  /// Returns the value of a boolean; `nil` for any other value.
  package func boolean(_ node: JSONNode) -> Bool? {
    nodes[node.index].kind == .boolean ? bytes[Int(nodes[node.index].start)] == UInt8(ascii: "t") : nil
  }

  /// Returns the value of a number without a fraction or an exponent; `nil` for any other value, and for a number that `Int` cannot hold.
  package func integer(_ node: JSONNode) -> Int? {
    nodes[node.index].kind == .number ? Int(String(decoding: bytes[range(of: node)], as: UTF8.self)) : nil
  }

  /// The members of an object, iterated without allocating memory.
  package struct Members: Sequence, IteratorProtocol {
    let document: JSONDocument
    var position: Int
    let end: Int

    package mutating func next() -> JSONMember? {
      guard position < end else { return nil }
      let member = JSONMember(key: JSONNode(index: position), value: JSONNode(index: position + 1))
      position = Int(document.nodes[position + 1].next)
      return member
    }
  }
}
