/// A property list that has only texts and dictionaries, as in string tables.
package indirect enum TextDictionary: Hashable, Sendable {
  case text(String)
  /// Members with distinct keys. By default, they are printed in code point order of the keys.
  case dictionary([Member])

  package struct Member: Hashable, Sendable {
    package var key: String
    package var value: TextDictionary

    package init(_ key: String, _ value: TextDictionary) {
      self.key = key
      self.value = value
    }
  }

  /// Converts a value. Returns `nil` if the value contains other types than texts and dictionaries.
  package init?(_ value: PropertyListValue) {
    switch value.content {
    case .string(let text): self = .text(text)
    case .dictionary(let members):
      var list: [Member] = []
      for member in members {
        guard let value = TextDictionary(member.value) else { return nil }
        list.append(Member(member.key, value))
      }
      self = .dictionary(list)
    case .array, .data, .integer, .real, .boolean, .date: return nil
    }
  }

  /// Returns the members of a dictionary in the order in which Apple's tools print them.
  static func sorted(_ members: [Member]) -> [Member] {
    members.sorted { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) }
  }
}

extension TextDictionary {
  /// The list in XML, in the layout of Apple's tools: one element per line, indented with tabs, and a final newline. The bytes are the same
  /// as in Xcode's compiled `.strings` files (xcode-formats.md F, "Compile").
  ///
  /// A control character that XML 1.0 does not allow is written unescaped, as by Apple's writer. Apple's reader accepts it.
  package var xml: [UInt8] { xml(sortingKeys: true) }

  /// Returns the list in XML, with the keys in code point order if `sortingKeys` is `true`, and otherwise in their current order.
  package func xml(sortingKeys: Bool) -> [UInt8] {
    var output = Array(Self.header.utf8)
    print(indentation: 0, sortingKeys, into: &output)
    output.append(contentsOf: "</plist>\n".utf8)
    return output
  }

  private static let header = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">

    """

  private func print(indentation: Int, _ sortsKeys: Bool, into output: inout [UInt8]) {
    let tabs = repeatElement(UInt8(ascii: "\t"), count: indentation)
    switch self {
    case .text(let text):
      output.append(contentsOf: tabs)
      Self.print(text, in: "string", into: &output)
    case .dictionary(let members) where members.isEmpty:
      output.append(contentsOf: tabs)
      output.append(contentsOf: "<dict/>\n".utf8)
    case .dictionary(let members):
      output.append(contentsOf: tabs)
      output.append(contentsOf: "<dict>\n".utf8)
      for member in sortsKeys ? Self.sorted(members) : members {
        output.append(contentsOf: tabs)
        output.append(UInt8(ascii: "\t"))
        Self.print(member.key, in: "key", into: &output)
        member.value.print(indentation: indentation + 1, sortsKeys, into: &output)
      }
      output.append(contentsOf: tabs)
      output.append(contentsOf: "</dict>\n".utf8)
    }
  }

  /// Returns `<name>text</name>` with the escapes of Apple's tools.
  package static func element(_ name: String, _ text: String) -> [UInt8] {
    var output: [UInt8] = []
    print(text, in: name, into: &output)
    return Array(output.dropLast())
  }

  private static func print(_ text: String, in element: String, into output: inout [UInt8]) {
    output.append(contentsOf: "<\(element)>".utf8)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": output.append(contentsOf: "&amp;".utf8)
      case "<": output.append(contentsOf: "&lt;".utf8)
      case ">": output.append(contentsOf: "&gt;".utf8)
      // An XML reader would turn a raw CR into a newline.
      case "\r": output.append(contentsOf: "&#13;".utf8)
      default: output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
    output.append(contentsOf: "</\(element)>\n".utf8)
  }
}
