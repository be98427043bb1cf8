/// A value in a property list of any of the three encodings, and its position.
package struct PropertyListValue: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case string(String)
    case array([PropertyListValue])
    /// Members in file order. A key can occur twice. Apple's readers then use the last member.
    case dictionary([PropertyListMember])
    case data([UInt8])
    case integer(Int)
    case real(Double)
    case boolean(Bool)
    /// A date in seconds since the start of 2001 in UTC.
    case date(Double)
  }

  package var content: Content
  /// The position of the value's first byte, such as a string's quote, a bracket, or the `<` of an element. A binary list has no lines, so all its
  /// positions are in line 1.
  package var position: TextPosition

  package init(_ content: Content, at position: TextPosition) {
    self.content = content
    self.position = position
  }
}

/// A key of a dictionary with its value.
package struct PropertyListMember: Hashable, Sendable {
  package var key: String
  /// The position of the key's first byte.
  package var position: TextPosition
  package var value: PropertyListValue

  package init(key: String, at position: TextPosition, value: PropertyListValue) {
    self.key = key
    self.position = position
    self.value = value
  }
}

extension PropertyListValue {
  /// The text of a string; `nil` for any other value.
  package var string: String? { if case .string(let text) = content { text } else { nil } }

  /// The elements of an array; `nil` for any other value.
  package var array: [PropertyListValue]? { if case .array(let elements) = content { elements } else { nil } }

  /// The members of a dictionary; `nil` for any other value.
  package var dictionary: [PropertyListMember]? { if case .dictionary(let members) = content { members } else { nil } }

  /// `true` or `false`; `nil` for any other value, including the strings `YES` and `NO` of old-style lists.
  package var boolean: Bool? { if case .boolean(let value) = content { value } else { nil } }

  /// The value of a dictionary's last member with this key, compared by code points; `nil` if there is no such member, or if this value is not a
  /// dictionary.
  package subscript(key: String) -> PropertyListValue? {
    dictionary?.last { $0.key.utf8.elementsEqual(key.utf8) }?.value
  }
}

/// The limits of a property list.
package struct PropertyListLimits: Hashable, Sendable {
  /// The maximum nesting depth of dictionaries and arrays.
  package var depth: Int
  /// The maximum size in bytes.
  package var size: Int

  package init(depth: Int = 256, size: Int = 256 << 20) {
    self.depth = depth
    self.size = min(size, Int(UInt32.max) - 1)
  }
}
