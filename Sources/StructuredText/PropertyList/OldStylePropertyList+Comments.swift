/// Access to the semicolons and comments between the values of an old-style list.
extension OldStylePropertyList {
  /// Returns the offset after the semicolon that ends a member.
  package func end(of member: OldStyleMember) -> Int {
    // `parse` has checked that a semicolon follows, with only white space and comments before it.
    var index = range(of: member.value).upperBound
    let span = bytes.span
    while index < span.count, span[index] != UInt8(ascii: ";") {
      if let comment = commentEnd(span, index) { index = comment } else { index += 1 }
    }
    return min(index + 1, span.count)
  }

  /// Returns the comments in a range that contains only white space and comments. The range of a comment includes its delimiters, but not the
  /// line break after `// …`.
  package func comments(in range: Range<Int>) -> [Range<Int>] {
    var comments: [Range<Int>] = []
    var index = range.lowerBound
    let span = bytes.span
    while index < range.upperBound {
      if let end = commentEnd(span, index) {
        comments.append(index..<min(end, range.upperBound))
        index = end
      } else {
        index += 1
      }
    }
    return comments
  }

  /// Returns the range of the comment that starts at an offset; `nil` if no comment starts at the offset.
  package func comment(at offset: Int) -> Range<Int>? {
    offset < bytes.count ? commentEnd(bytes.span, offset).map { offset..<$0 } : nil
  }

  /// Returns the bytes between the delimiters of a comment.
  package func content(ofComment range: Range<Int>) -> ArraySlice<UInt8> {
    let text = bytes[range].dropFirst(2)
    return bytes[range.lowerBound + 1] == UInt8(ascii: "*") && text.count >= 2 ? text.dropLast(2) : text
  }

  /// Returns the offset after the comment that starts at `start`; `nil` if no comment starts at this offset.
  private func commentEnd(_ bytes: Span<UInt8>, _ start: Int) -> Int? {
    guard bytes[start] == UInt8(ascii: "/"), start + 1 < bytes.count else { return nil }
    var index = start + 2
    switch bytes[start + 1] {
    case UInt8(ascii: "/"):
      while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
      return index
    case UInt8(ascii: "*"):
      while index + 1 < bytes.count {
        if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") { return index + 2 }
        index += 1
      }
      return bytes.count
    default: return nil
    }
  }
}
