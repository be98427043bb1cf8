/// A property list of texts and dictionaries alone, as string tables are when they are built.
package indirect enum TextDictionary: Hashable, Sendable {
  case text(String)
  /// Each key once; printed in code point order.
  case dictionary([Member])

  package struct Member: Hashable, Sendable {
    package var key: String
    package var value: TextDictionary

    package init(_ key: String, _ value: TextDictionary) {
      self.key = key
      self.value = value
    }
  }

  /// The members of a dictionary in the order in which Apple's tools print them.
  static func sorted(_ members: [Member]) -> [Member] {
    members.sorted { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) }
  }
}

extension TextDictionary {
  /// The list in XML as Apple's tools print it: tabs, one element a line, a final newline. Byte for byte what Xcode's compiled
  /// `.strings` are (formats.md F, "Compile").
  /// - Returns: `nil` where a text holds a character that XML 1.0 cannot: then only `binary` can hold it.
  package var xml: [UInt8]? {
    var output = Array(Self.header.utf8)
    guard print(indentation: 0, into: &output) else { return nil }
    output.append(contentsOf: "</plist>\n".utf8)
    return output
  }

  private static let header = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">

    """

  private func print(indentation: Int, into output: inout [UInt8]) -> Bool {
    let tabs = repeatElement(UInt8(ascii: "\t"), count: indentation)
    switch self {
    case .text(let text):
      output.append(contentsOf: tabs)
      return Self.print(text, in: "string", into: &output)
    case .dictionary(let members) where members.isEmpty:
      output.append(contentsOf: tabs)
      output.append(contentsOf: "<dict/>\n".utf8)
    case .dictionary(let members):
      output.append(contentsOf: tabs)
      output.append(contentsOf: "<dict>\n".utf8)
      for member in Self.sorted(members) {
        output.append(contentsOf: tabs)
        output.append(UInt8(ascii: "\t"))
        guard Self.print(member.key, in: "key", into: &output),
          member.value.print(indentation: indentation + 1, into: &output)
        else { return false }
      }
      output.append(contentsOf: tabs)
      output.append(contentsOf: "</dict>\n".utf8)
    }
    return true
  }

  private static func print(_ text: String, in element: String, into output: inout [UInt8]) -> Bool {
    output.append(contentsOf: "<\(element)>".utf8)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": output.append(contentsOf: "&amp;".utf8)
      case "<": output.append(contentsOf: "&lt;".utf8)
      case ">": output.append(contentsOf: "&gt;".utf8)
      // A reader of XML would turn it into a newline.
      case "\r": output.append(contentsOf: "&#13;".utf8)
      case "\u{0}"..<"\u{20}" where scalar != "\n" && scalar != "\t": return false
      case "\u{FFFE}", "\u{FFFF}": return false
      default: output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
    output.append(contentsOf: "</\(element)>\n".utf8)
    return true
  }
}
