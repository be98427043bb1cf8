extension JSONPrinter {
  /// Prints a document in the printer's style instead of its own layout. The recursion is bounded by the depth in `JSONLimits`.
  /// - Parameter members: returns the members of an object to print, in print order. If it returns `nil`, all members are printed in file
  ///   order. The level of the root is 0.
  package func print(
    _ document: JSONDocument, into output: inout [UInt8],
    members: (_ object: JSONNode, _ level: Int) -> [JSONMember]?
  ) {
    var reprint = JSONReprint(document: document, style: style)
    reprint.print(document.root, level: 0, into: &output, members: members)
  }
}

private struct JSONReprint {
  private let document: JSONDocument
  private let style: JSONStyle
  /// Whether a string without escapes can contain a character that the style escapes.
  private let mustLook: Bool
  /// The line break and the indentation before a member, an element or a closing bracket, by level.
  private var leads: [[UInt8]] = []
  /// A buffer for decoded strings.
  private var decoded: [UInt8] = []

  init(document: JSONDocument, style: JSONStyle) {
    self.document = document
    self.style = style
    mustLook = style.escapesLineSeparators && document.holdsRawLineSeparators
  }

  mutating func print(
    _ node: JSONNode, level: Int, into output: inout [UInt8],
    members: (_ object: JSONNode, _ level: Int) -> [JSONMember]?
  ) {
    switch document.kind(of: node) {
    case .string: string(node, into: &output)
    case .number, .boolean, .null: copy(document.range(of: node), into: &output)
    case .array:
      output.append(UInt8(ascii: "["))
      var position = node.index + 1
      let end = Int(document.nodes[node.index].next)
      let isEmpty = position == end
      while position < end {
        lead(level + 1, isFirst: position == node.index + 1, into: &output)
        print(JSONNode(index: position), level: level + 1, into: &output, members: members)
        position = Int(document.nodes[position].next)
      }
      close(UInt8(ascii: "]"), level: level, isEmpty: isEmpty, into: &output)
    case .object:
      output.append(UInt8(ascii: "{"))
      var isEmpty = true
      if let chosen = members(node, level) {
        for member in chosen {
          print(member, level: level, isFirst: isEmpty, into: &output, members: members)
          isEmpty = false
        }
      } else {
        var cursor = document.cursor(of: node)
        while let member = document.next(&cursor) {
          print(member, level: level, isFirst: isEmpty, into: &output, members: members)
          isEmpty = false
        }
      }
      close(UInt8(ascii: "}"), level: level, isEmpty: isEmpty, into: &output)
    }
  }

  private mutating func print(
    _ member: JSONMember, level: Int, isFirst: Bool, into output: inout [UInt8],
    members: (_ object: JSONNode, _ level: Int) -> [JSONMember]?
  ) {
    lead(level + 1, isFirst: isFirst, into: &output)
    string(member.key, into: &output)
    output.append(contentsOf: style.keySeparator)
    print(member.value, level: level + 1, into: &output, members: members)
  }

  private mutating func lead(_ level: Int, isFirst: Bool, into output: inout [UInt8]) {
    if !isFirst { output.append(UInt8(ascii: ",")) }
    if !style.newline.isEmpty {
      newline(level, into: &output)
    } else if !isFirst {
      output.append(contentsOf: style.itemSpace)
    }
  }

  private mutating func newline(_ level: Int, into output: inout [UInt8]) {
    while leads.count <= level { leads.append(leads.last.map { $0 + style.indentation } ?? style.newline) }
    output.append(contentsOf: leads[level])
  }

  private mutating func close(_ bracket: UInt8, level: Int, isEmpty: Bool, into output: inout [UInt8]) {
    if !style.newline.isEmpty, !isEmpty || style.spreadsEmpty {
      if isEmpty { output.append(contentsOf: style.newline) }
      newline(level, into: &output)
    }
    output.append(bracket)
  }

  private mutating func string(_ node: JSONNode, into output: inout [UInt8]) {
    let entry = document.nodes[node.index]
    let range = Int(entry.start)..<Int(entry.end)
    // A string without escapes in the file is printed without escapes, except for U+2028 and U+2029.
    guard entry.isEscaped || mustLook else { return copy(range, into: &output) }
    decoded.removeAll(keepingCapacity: true)
    JSONText.decode(document.bytes, range.lowerBound + 1..<range.upperBound - 1, into: &decoded)
    JSONText.print(decoded.span, escapesLineSeparators: style.escapesLineSeparators, into: &output)
  }

  private func copy(_ range: Range<Int>, into output: inout [UInt8]) {
    unsafe document.bytes.span.extracting(range).withUnsafeBufferPointer { unsafe output.append(contentsOf: $0) }
  }
}
