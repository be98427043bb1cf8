/// A JSON value to be printed.
package enum JSONValue: Hashable, Sendable {
  case string(String)
  case integer(Int)
  case boolean(Bool)
  /// A number, `true`, `false` or `null` in the file's spelling.
  case literal(String)
  case array([JSONValue])
  /// Members in print order.
  case object([Member])

  package struct Member: Hashable, Sendable {
    package var key: String
    package var value: JSONValue

    package init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }
}

/// A printer of values in a style.
package struct JSONPrinter: Sendable {
  package let style: JSONStyle

  package init(_ style: JSONStyle) { self.style = style }

  /// Prints a value on a line that is indented by `indentation`.
  package func print(_ value: JSONValue, indentation: [UInt8] = [], into output: inout [UInt8]) {
    switch value {
    case .string(let text): print(text, into: &output)
    case .integer(let number): output.append(contentsOf: String(number).utf8)
    case .boolean(let flag): output.append(contentsOf: (flag ? "true" : "false").utf8)
    case .literal(let spelling): output.append(contentsOf: spelling.utf8)
    case .array(let elements):
      list(elements, "[", "]", indentation, into: &output) { element, inner, output in
        print(element, indentation: inner, into: &output)
      }
    case .object(let members):
      list(members, "{", "}", indentation, into: &output) { member, inner, output in
        print(member, indentation: inner, into: &output)
      }
    }
  }

  package func print(_ member: JSONValue.Member, indentation: [UInt8], into output: inout [UInt8]) {
    print(key: member.key, into: &output)
    print(member.value, indentation: indentation, into: &output)
  }

  /// Prints an object whose members are created one by one. Each call of the closure prints the key and the value of one member.
  package func print<Element>(
    object members: [Element], indentation: [UInt8] = [], into output: inout [UInt8],
    each: (Element, _ inner: [UInt8], inout [UInt8]) -> Void
  ) {
    list(members, "{", "}", indentation, into: &output, each: each)
  }

  /// Prints a key and the separator before its value.
  package func print(key: String, into output: inout [UInt8]) {
    print(key, into: &output)
    output.append(contentsOf: style.keySeparator)
  }

  package func print(_ text: String, into output: inout [UInt8]) {
    JSONText.print(text, escapesLineSeparators: style.escapesLineSeparators, into: &output)
  }

  private func list<Element>(
    _ elements: [Element], _ opening: Unicode.Scalar, _ closing: Unicode.Scalar, _ indentation: [UInt8],
    into output: inout [UInt8], each: (Element, _ inner: [UInt8], inout [UInt8]) -> Void
  ) {
    output.append(UInt8(ascii: opening))
    if elements.isEmpty {
      if style.spreadsEmpty { output.append(contentsOf: style.newline + style.newline + indentation) }
    } else {
      let inner = indentation + style.indentation
      for (index, element) in elements.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        if style.newline.isEmpty {
          if index > 0 { output.append(contentsOf: style.itemSpace) }
        } else {
          output.append(contentsOf: style.newline)
          output.append(contentsOf: inner)
        }
        each(element, inner, &output)
      }
      if !style.newline.isEmpty {
        output.append(contentsOf: style.newline)
        output.append(contentsOf: indentation)
      }
    }
    output.append(UInt8(ascii: closing))
  }
}
