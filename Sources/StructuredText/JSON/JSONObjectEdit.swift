/// Changes to the members of one object, applied as edits of the file's bytes. Unchanged members keep every byte, and new members get the layout of
/// the existing members.
package struct JSONObjectEdit: Sendable {
  private let document: JSONDocument
  private let object: JSONNode
  private let style: JSONStyle
  private var removed: Set<Int> = []
  private var added: [JSONValue.Member] = []

  package init(_ object: JSONNode, of document: JSONDocument, style: JSONStyle) {
    self.document = document
    self.object = object
    self.style = style
  }

  package mutating func remove(_ member: JSONMember) { removed.insert(member.key.index) }

  package mutating func add(_ key: String, _ value: JSONValue) { added.append(JSONValue.Member(key, value)) }

  /// Whether the changes leave the object empty.
  package var emptiesObject: Bool {
    added.isEmpty && document.members(of: object).allSatisfy { removed.contains($0.key.index) }
  }

  /// Adds the changes to `edits`.
  /// - Parameter precedes: the order of keys. The position of a new member is found by a binary search among the existing members. Existing members
  ///   in another order are not sorted.
  package func apply(to edits: inout ByteEdits, precedes: (String, String) -> Bool) {
    guard !removed.isEmpty || !added.isEmpty else { return }
    let members = Array(document.members(of: object))
    let news = added.count > 1 ? added.sorted { precedes($0.key, $1.key) } : added
    let survives = { (member: JSONMember) in removed.isEmpty || !removed.contains(member.key.index) }
    guard let firstSurvivor = members.firstIndex(where: survives) else {
      return replaceAll(members, with: news, in: &edits)
    }

    for (index, member) in members.enumerated() where !survives(member) {
      if index > firstSurvivor {
        edits.remove(end(members[index - 1])..<end(member))
      } else {
        edits.remove(start(member)..<start(members[index + 1]))
      }
    }
    guard !news.isEmpty else { return }
    let lead = lead(of: members)
    let inner = indentation(of: lead)
    let printer = JSONPrinter(style)
    for new in news {
      let place = position(of: new.key, in: members, precedes)
      var text: [UInt8] = []
      // This is enough for a translation, the most common new member.
      text.reserveCapacity(256)
      if place > firstSurvivor {
        text.append(UInt8(ascii: ","))
        text.append(contentsOf: lead)
        printer.print(new, indentation: inner, into: &text)
        edits.insert(text, at: end(members[place - 1]))
      } else {
        printer.print(new, indentation: inner, into: &text)
        text.append(UInt8(ascii: ","))
        text.append(contentsOf: lead)
        edits.insert(text, at: start(members[firstSurvivor]))
      }
    }
  }

  /// Replaces all existing members of the object, which may be none, with the new members.
  private func replaceAll(_ members: [JSONMember], with news: [JSONValue.Member], in edits: inout ByteEdits) {
    var text: [UInt8] = []
    if let first = members.first, let last = members.last, !news.isEmpty {
      let lead = lead(of: members)
      for (index, new) in news.enumerated() {
        if index > 0 { text.append(contentsOf: [UInt8(ascii: ",")] + lead) }
        JSONPrinter(style).print(new, indentation: indentation(of: lead), into: &text)
      }
      edits.replace(start(first)..<end(last), with: text)
    } else {
      JSONPrinter(style).print(.object(news), indentation: document.lineIndentation(of: object), into: &text)
      edits.replace(document.range(of: object), with: text)
    }
  }

  private func position(of key: String, in members: [JSONMember], _ precedes: (String, String) -> Bool) -> Int {
    var low = 0
    var high = members.count
    while low < high {
      let middle = (low + high) / 2
      if precedes(document.string(members[middle].key), key) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func start(_ member: JSONMember) -> Int { document.range(of: member.key).lowerBound }
  private func end(_ member: JSONMember) -> Int { document.range(of: member.value).upperBound }

  /// Returns the white space before the first key; the style's `itemSpace` if there is none.
  private func lead(of members: [JSONMember]) -> ArraySlice<UInt8> {
    let start = document.range(of: object).lowerBound + 1
    if let first = members.first, self.start(first) > start { return document.bytes[start..<self.start(first)] }
    return style.itemSpace[...]
  }

  private func indentation(of lead: ArraySlice<UInt8>) -> [UInt8] {
    lead.lastIndex(of: UInt8(ascii: "\n")).map { Array(lead[($0 + 1)...]) } ?? []
  }
}

extension JSONDocument {
  /// Returns the white space at the start of the line that contains a value; empty for the first line of the file.
  package func lineIndentation(of node: JSONNode) -> [UInt8] {
    let spaces = bytes.indentation(ofLineAt: range(of: node).lowerBound)
    return spaces.startIndex == 0 ? [] : Array(spaces)
  }
}
