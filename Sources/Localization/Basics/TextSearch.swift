/// Searches a text byte by byte. These functions are for searches in every text or path of a project: the standard library's `contains` takes ten
/// times as long, because it compares characters.
extension StringProtocol {
  /// Returns whether the text contains the bytes of another text.
  package func holds(_ other: StaticString) -> Bool {
    utf8.withContiguousStorageIfAvailable { $0.holds(other) } ?? Array(utf8).withUnsafeBufferPointer { $0.holds(other) }
  }

  /// Returns whether the text contains one of these ASCII characters.
  package func holdsOne(of characters: StaticString) -> Bool {
    utf8.contains { byte in
      (0..<characters.utf8CodeUnitCount).contains { characters.utf8Start[$0] == byte }
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func holds(_ other: StaticString) -> Bool {
    let length = other.utf8CodeUnitCount
    guard count >= length, length > 0 else { return length == 0 }
    let first = other.utf8Start[0]
    for start in 0...(count - length) where self[start] == first {
      var offset = 1
      while offset < length, self[start + offset] == other.utf8Start[offset] { offset += 1 }
      if offset == length { return true }
    }
    return false
  }
}
