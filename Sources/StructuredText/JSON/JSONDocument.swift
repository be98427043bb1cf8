/// A value of a JSON document: an index into its nodes, valid for that document only.
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

/// A JSON file as a tree that loses nothing: every value knows its bytes, and the bytes stay as they were.
///
/// Nodes are 16 bytes each and hold no text; texts are decoded when they are asked for.
package struct JSONDocument: Sendable {
  package enum Kind: UInt8, Sendable {
    case object, array, string, number, boolean, null
  }

  struct Node: Sendable {
    /// The value's first byte, the quote of a string.
    var start: UInt32
    /// One past the value's last byte.
    var end: UInt32
    /// The index of the first node that is no part of this value.
    var next: UInt32
    var kind: Kind
    /// Whether a string holds a backslash.
    var isEscaped: Bool
  }

  package let bytes: [UInt8]
  let nodes: [Node]

  /// Whether U+2028 or U+2029 stands in the file as it is.
  let holdsRawLineSeparators: Bool

  /// The first object or array that holds nothing.
  let firstEmpty: JSONNode?

  init(bytes: [UInt8], nodes: [Node], firstEmpty: JSONNode?, holdsRawLineSeparators: Bool) {
    self.bytes = bytes
    self.nodes = nodes
    self.firstEmpty = firstEmpty
    self.holdsRawLineSeparators = holdsRawLineSeparators
  }

  package var root: JSONNode { JSONNode(index: 0) }

  package func kind(of node: JSONNode) -> Kind { nodes[node.index].kind }

  /// The bytes of the value, quotes and brackets included.
  package func range(of node: JSONNode) -> Range<Int> {
    let node = nodes[node.index]
    return Int(node.start)..<Int(node.end)
  }

  /// The position of the value's first byte.
  package func position(of node: JSONNode) -> TextPosition {
    TextPosition(offset: Int(nodes[node.index].start), in: bytes)
  }

  /// The members of an object in the order of the file; none for any other value.
  package func members(of node: JSONNode) -> Members {
    let head = nodes[node.index]
    return Members(document: self, position: node.index + 1, end: head.kind == .object ? Int(head.next) : 0)
  }

  /// The elements of an array in the order of the file; none for any other value.
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

  /// A place among the members of an object, for `next(_:)`: unlike `Members` it holds no document, which in an inner loop saves the
  /// counting of references.
  package struct Cursor: Sendable {
    var position: Int
    let end: Int
  }

  /// The place before the first member of an object; the end for any other value.
  package func cursor(of node: JSONNode) -> Cursor {
    let head = nodes[node.index]
    return Cursor(position: node.index + 1, end: head.kind == .object ? Int(head.next) : 0)
  }

  /// The member at a place, which then is the one behind it; `nil` at the end.
  package func next(_ cursor: inout Cursor) -> JSONMember? {
    guard cursor.position < cursor.end else { return nil }
    let member = JSONMember(key: JSONNode(index: cursor.position), value: JSONNode(index: cursor.position + 1))
    cursor.position = Int(nodes[cursor.position + 1].next)
    return member
  }

  /// The value of the last member with this key, compared by bytes; `nil` for anything but an object.
  package func member(_ key: StaticString, of node: JSONNode) -> JSONMember? {
    var found: JSONMember?
    var members = cursor(of: node)
    while let member = next(&members) { if string(member.key, equals: key) { found = member } }
    return found
  }

  /// The value of a member by its key.
  package func value(_ key: StaticString, of node: JSONNode) -> JSONNode? { member(key, of: node)?.value }

  /// Whether an object or an array holds nothing.
  package func isEmpty(_ node: JSONNode) -> Bool { Int(nodes[node.index].next) == node.index + 1 }

  /// The key of the member whose value this is; `nil` for an element of an array and for the root.
  package func keyNode(before value: JSONNode) -> JSONNode? {
    guard value.index > 0, nodes[value.index - 1].kind == .string else { return nil }
    let key = JSONNode(index: value.index - 1)
    // Between a key and its value stands a colon; between two elements a comma.
    return bytes[range(of: key).upperBound..<range(of: value).lowerBound].contains(UInt8(ascii: ":")) ? key : nil
  }

  /// The value of `true` or `false`; `nil` for anything else.
  package func boolean(_ node: JSONNode) -> Bool? {
    nodes[node.index].kind == .boolean ? bytes[Int(nodes[node.index].start)] == UInt8(ascii: "t") : nil
  }

  /// The value of a number without fraction and exponent; `nil` for anything else.
  package func integer(_ node: JSONNode) -> Int? {
    nodes[node.index].kind == .number ? Int(String(decoding: bytes[range(of: node)], as: UTF8.self)) : nil
  }

  /// The members of an object, without memory of their own.
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
