/// A value of an old-style property list: an index into the list's nodes, valid only for this list.
package struct OldStyleNode: Hashable, Sendable {
  let index: Int
}

/// A key of an old-style dictionary with its value. The key and the value are the same node if the file has `key;`, which means `key = key;`.
package struct OldStyleMember: Hashable, Sendable {
  package let key: OldStyleNode
  package let value: OldStyleNode
}

/// An old-style property list (`{ key = value; list = ( a, "b c" ); }`) as a lossless tree: every value has its byte range, and the
/// original bytes are kept, including comments.
///
/// Project files, `.strings` tables and old Info.plists have this format. Each node takes 16 bytes and stores no text. Text is decoded on demand,
/// because decoding all strings of a project file of several megabytes would be slow.
package struct OldStylePropertyList: Sendable {
  package enum Kind: UInt8, Sendable {
    case dictionary, array
    /// A string in quotes, either `"` or `'`.
    case string
    /// A string without quotes.
    case word
    /// Data, such as `<0fbd 771c>`.
    case data
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
    var isEscaped = false
    /// Whether a key is also its own value.
    var isShorthand = false
  }

  package let bytes: [UInt8]
  let nodes: [Node]
  private let lines: LineMap

  init(bytes: [UInt8], nodes: [Node]) {
    self.bytes = bytes
    self.nodes = nodes
    lines = LineMap(bytes)
  }

  package var root: OldStyleNode { OldStyleNode(index: 0) }

  package func kind(of node: OldStyleNode) -> Kind { nodes[node.index].kind }

  /// Returns the byte range of a value, including quotes and brackets.
  package func range(of node: OldStyleNode) -> Range<Int> {
    Int(nodes[node.index].start)..<Int(nodes[node.index].end)
  }

  /// Returns the position of a value's first byte.
  package func position(of node: OldStyleNode) -> TextPosition { lines.position(at: Int(nodes[node.index].start)) }

  /// Returns the members of a dictionary in the order of the file; empty for any other value.
  package func members(of node: OldStyleNode) -> Members {
    let head = nodes[node.index]
    return Members(list: self, position: node.index + 1, end: head.kind == .dictionary ? Int(head.next) : 0)
  }

  /// Returns the elements of an array in the order of the file; empty for any other value.
  package func elements(of node: OldStyleNode) -> Elements {
    let head = nodes[node.index]
    return Elements(list: self, position: node.index + 1, end: head.kind == .array ? Int(head.next) : 0)
  }

  /// Returns the value of the last member with this key, written without escapes; `nil` if there is no such member, or if the node is not a
  /// dictionary.
  package func value(_ key: StaticString, of node: OldStyleNode) -> OldStyleNode? {
    let head = nodes[node.index]
    guard head.kind == .dictionary else { return nil }
    var found: OldStyleNode?
    // The loop iterates over the nodes directly, because reading a project file takes a hundred thousand such lookups.
    var position = node.index + 1
    while position < Int(head.next) {
      let value = nodes[position].isShorthand ? position : position + 1
      if text(OldStyleNode(index: position), equals: key) { found = OldStyleNode(index: value) }
      position = Int(nodes[value].next)
    }
    return found
  }

  /// Returns whether a value is a string, with or without quotes.
  package func isText(_ node: OldStyleNode) -> Bool {
    nodes[node.index].kind == .string || nodes[node.index].kind == .word
  }

  /// The members of a dictionary, iterated without allocating memory.
  package struct Members: Sequence, IteratorProtocol {
    let list: OldStylePropertyList
    var position: Int
    let end: Int

    package mutating func next() -> OldStyleMember? {
      guard position < end else { return nil }
      let key = OldStyleNode(index: position)
      let value = OldStyleNode(index: list.nodes[position].isShorthand ? position : position + 1)
      position = Int(list.nodes[value.index].next)
      return OldStyleMember(key: key, value: value)
    }
  }

  /// The elements of an array, iterated without allocating memory.
  package struct Elements: Sequence, IteratorProtocol {
    let list: OldStylePropertyList
    var position: Int
    let end: Int

    package mutating func next() -> OldStyleNode? {
      guard position < end else { return nil }
      let node = OldStyleNode(index: position)
      position = Int(list.nodes[position].next)
      return node
    }
  }
}
