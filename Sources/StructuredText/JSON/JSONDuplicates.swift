extension JSONDocument {
  /// Returns a fault for each duplicate key within an object, at most 100. The fault has the position of the later occurrence, and its message
  /// contains the position of the first occurrence. Keys are compared by bytes, with escapes resolved.
  package func duplicateKeys() -> [SyntaxFault] {
    var faults: [SyntaxFault] = []
    var lines: LineMap?
    var search = DuplicateSearch(document: self)
    for index in nodes.indices where nodes[index].kind == .object && !isAscending(index) {
      guard faults.count < 100 else { break }
      search.run(JSONNode(index: index)) { key, first in
        guard faults.count < 100 else { return }
        let map = lines ?? LineMap(bytes)
        lines = map
        let place = map.position(at: range(of: first).lowerBound)
        faults.append(
          SyntaxFault(
            kind: .duplicateKey, position: map.position(at: range(of: key).lowerBound),
            message:
              "duplicate key \(String(decoding: bytes[range(of: key)], as: UTF8.self)); the first is at \(place.line):\(place.column)",
            hint: "keep one of the two; duplicates are often left over from a merge"))
      }
    }
    return faults
  }
}

extension JSONDocument {
  /// Returns whether the keys of an object are in byte order without duplicates, as in nearly all files written by tools; `false` also if a key
  /// has escapes.
  private func isAscending(_ object: Int) -> Bool {
    let nodes = nodes.span
    let bytes = bytes.span
    let end = Int(nodes[object].next)
    var key = object + 1
    while key < end {
      let next = Int(nodes[key + 1].next)
      guard next < end else { return true }
      guard Self.isAscending(nodes[key], nodes[next], bytes) else { return false }
      key = next
    }
    return true
  }

  /// Returns whether one key precedes another by bytes; `false` if a key has escapes and must be decoded first.
  private static func isAscending(_ first: Node, _ second: Node, _ bytes: Span<UInt8>) -> Bool {
    guard !first.isEscaped, !second.isEscaped else { return false }
    let (left, right) = (Int(first.start), Int(second.start))
    // The closing quotes are compared too. Therefore a key precedes a longer key with the same beginning if the longer key continues with a character
    // that is greater than a quote, such as a letter.
    for offset in 0..<min(Int(first.end) - left, Int(second.end) - right)
    where bytes[left + offset] != bytes[right + offset] {
      return bytes[left + offset] < bytes[right + offset]
    }
    return false
  }
}

/// A search for duplicate keys that reuses its memory for all objects.
private struct DuplicateSearch {
  private let document: JSONDocument
  private var keys: [JSONNode] = []
  /// An open-addressing hash table of positions in `keys`, counted from 1; 0 marks a free slot.
  private var table: [UInt32] = []

  init(document: JSONDocument) { self.document = document }

  mutating func run(_ object: JSONNode, found: (_ key: JSONNode, _ first: JSONNode) -> Void) {
    keys.removeAll(keepingCapacity: true)
    var members = document.cursor(of: object)
    while let member = document.next(&members) { keys.append(member.key) }
    compareAll(found)
  }

  private mutating func compareAll(_ found: (_ key: JSONNode, _ first: JSONNode) -> Void) {
    // At most half of the table is used.
    let size = 1 << (Int.bitWidth - keys.count.leadingZeroBitCount + 1)
    table.removeAll(keepingCapacity: true)
    table.append(contentsOf: repeatElement(0, count: size))
    for (place, key) in keys.enumerated() {
      var slot = hash(key) & (size - 1)
      while table[slot] != 0, !isSame(keys[Int(table[slot]) - 1], key) { slot = (slot + 1) & (size - 1) }
      if table[slot] == 0 {
        table[slot] = UInt32(truncatingIfNeeded: place + 1)
      } else {
        found(key, keys[Int(table[slot]) - 1])
      }
    }
  }

  /// Hashes a key with a seed that differs in each process, so that no file can be crafted to make all its keys collide.
  private func hash(_ key: JSONNode) -> Int {
    var hasher = Hasher()
    let node = document.nodes[key.index]
    if node.isEscaped {
      var text = document.string(key)
      text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    } else {
      unsafe document.bytes.span.extracting(Int(node.start) + 1..<Int(node.end) - 1).withUnsafeBufferPointer {
        unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0))
      }
    }
    return hasher.finalize()
  }

  private func isSame(_ a: JSONNode, _ b: JSONNode) -> Bool {
    let (first, second) = (document.nodes[a.index], document.nodes[b.index])
    guard !first.isEscaped, !second.isEscaped else {
      return document.string(a).utf8.elementsEqual(document.string(b).utf8)
    }
    guard first.end - first.start == second.end - second.start else { return false }
    let span = document.bytes.span
    for offset in 0..<Int(first.end - first.start)
    where span[Int(first.start) + offset] != span[Int(second.start) + offset] {
      return false
    }
    return true
  }
}
