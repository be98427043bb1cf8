extension JSONDocument {
  /// Every key that stands twice in one object, as a fault at the second place that names the first; keys are compared decoded, by
  /// bytes.
  package func duplicateKeys() -> [SyntaxFault] {
    var faults: [SyntaxFault] = []
    var lines: LineMap?
    func report(_ key: JSONNode, first: JSONNode) {
      let map = lines ?? LineMap(bytes)
      lines = map
      let place = map.position(at: range(of: first).lowerBound)
      faults.append(
        SyntaxFault(
          kind: .duplicateKey, position: map.position(at: range(of: key).lowerBound),
          message:
            "the key \(String(decoding: bytes[range(of: key)], as: UTF8.self)) stands twice; first at \(place.line):\(place.column)",
          hint: "keep one of the two, often the rest of a merge"))
    }
    var keys: [JSONNode] = []
    for index in nodes.indices where nodes[index].kind == .object {
      keys.removeAll(keepingCapacity: true)
      for member in members(of: JSONNode(index: index)) { keys.append(member.key) }
      guard keys.count > 1 else { continue }
      if keys.count <= 24, !keys.contains(where: { nodes[$0.index].isEscaped }) {
        for second in 1..<keys.count {
          if let first = (0..<second).first(where: { sameToken(keys[$0], keys[second]) }) {
            report(keys[second], first: keys[first])
          }
        }
      } else {
        var seen: [[UInt8]: JSONNode] = [:]
        seen.reserveCapacity(keys.count)
        for key in keys {
          let text = Array(string(key).utf8)
          if let first = seen[text] { report(key, first: first) } else { seen[text] = key }
        }
      }
    }
    return faults
  }

  private func sameToken(_ a: JSONNode, _ b: JSONNode) -> Bool {
    let (first, second) = (nodes[a.index], nodes[b.index])
    guard first.end - first.start == second.end - second.start else { return false }
    let span = bytes.span
    for offset in 0..<Int(first.end - first.start)
    where span[Int(first.start) + offset] != span[Int(second.start) + offset] {
      return false
    }
    return true
  }
}
