internal import Localization
internal import StructuredText

/// A change of a value in a table that is a property list.
indirect enum TableChange {
  /// Sets a value. Only the bytes of the old value are replaced.
  case set(TextDictionary)
  case remove
  /// Changes members of a dictionary, which is created if it is missing. Each key may occur only once.
  case within([(key: String, change: TableChange)])

  /// The value that the change creates if the key is missing; `nil` if the change creates no value.
  var fresh: TextDictionary? {
    switch self {
    case .set(let value): return value
    case .remove: return nil
    case .within(let changes):
      let members = changes.compactMap { key, change in change.fresh.map { TextDictionary.Member(key, $0) } }
      return members.isEmpty ? nil : .dictionary(members)
    }
  }
}

/// Changes some members of a table in XML or in an old-style list by replacing their byte ranges. The bytes of all other members are kept. A binary
/// list is printed again as a whole.
struct TableSplice {
  /// A value and its byte range.
  struct Value {
    var range: Range<Int>
    /// The members of a dictionary; `nil` for any other value.
    var members: [Member]?
    /// The range of a dictionary's members: between its brackets, or the whole range of a table without braces; `nil` for `<dict/>` and for any other
    /// value.
    var inside: Range<Int>?
    /// The text of a string; `nil` for any other value.
    var text: String?
  }

  struct Member {
    var key: String
    var keyEnd: Int
    /// The range from the key to the end of the value, including the semicolon in an old-style list.
    var range: Range<Int>
    var value: Value
  }

  private let list: TableList
  private let root: Value
  private let layout: TableLayout
  private lazy var order = TableOrder(of: list.root)
  private var edits = ByteEdits()

  /// Returns the table with all changes applied to its members.
  /// - Returns: `nil` if a binary list contains values that are neither text nor dictionaries, because such values cannot be printed.
  static func applied(
    _ changes: [(key: String, change: TableChange)], to list: TableList, limits: PropertyListLimits
  ) throws(SyntaxError) -> [UInt8]? {
    guard !changes.isEmpty else { return list.encoding.bytes(of: list.text) }
    guard list.form != .binary else {
      guard let old = TextDictionary(list.root) else { return nil }
      var tree = old
      tree.apply(changes, TableOrder(of: list.root))
      return tree == old ? list.text : tree.binary(sortingKeys: false)
    }
    var splice = try TableSplice(list, changing: Set(changes.map { UnitKey($0.key) }), limits: limits)
    splice.apply(changes, to: splice.root, level: 0)
    return list.encoding.bytes(of: splice.edits.applied(to: list.text))
  }

  /// Returns the file without the table's dictionary; empty for a binary file.
  static func emptied(_ list: TableList, limits: PropertyListLimits) throws(SyntaxError) -> [UInt8] {
    guard list.form != .binary else { return [] }
    var text = list.text
    text.removeSubrange(try TableSplice(list, changing: [], limits: limits).root.range)
    return list.encoding.bytes(of: text)
  }

  /// Returns the top value of a list: the child of the element `plist`, or else the root.
  static func top(of document: XMLDocument) -> XMLNode {
    guard document.isElement(document.root, "plist") else { return document.root }
    return document.elements(of: document.root).first ?? document.root
  }

  /// Finds the byte ranges of a table's members.
  /// - Parameter keys: the keys of the members that change. For other members, only the range is read.
  private init(_ list: TableList, changing keys: Set<UnitKey>, limits: PropertyListLimits) throws(SyntaxError) {
    self.list = list
    if list.form == .xml {
      let document = try PropertyListValue.document(list.text, limits: limits)
      root = Self.value(Self.top(of: document), of: document, changing: keys)
    } else {
      let tree = try OldStylePropertyList.parse(list.text, as: .entries, limits: limits)
      root = Self.value(tree.root, of: tree, changing: keys)
    }
    layout = TableLayout(of: root, in: list)
  }

  // MARK: Byte ranges

  private static func value(_ node: XMLNode, of document: XMLDocument, changing keys: Set<UnitKey>? = nil) -> Value {
    let range = document.range(of: node)
    guard document.isElement(node, "dict") else {
      return Value(range: range, text: document.isElement(node, "string") ? document.text(of: node) : nil)
    }
    var members: [Member] = []
    var key: XMLNode?
    for child in document.children(of: node) where document.kind(of: child) == .element {
      if let name = key {
        let text = document.text(of: name)
        let isRead = keys?.contains(UnitKey(text)) ?? true
        let value = isRead ? value(child, of: document) : Value(range: document.range(of: child))
        members.append(
          Member(
            key: text, keyEnd: document.range(of: name).upperBound,
            range: document.range(of: name).lowerBound..<value.range.upperBound,
            value: value))
        key = nil
      } else {
        key = child
      }
    }
    let bytes = document.bytes[range]
    var inside: Range<Int>?
    if !bytes.dropLast().reversed().starts(with: "/".utf8), let open = bytes.firstIndex(of: UInt8(ascii: ">")),
      let close = bytes.lastIndex(of: UInt8(ascii: "<")), open < close
    {
      inside = open + 1..<close
    }
    return Value(range: range, members: members, inside: inside)
  }

  private static func value(
    _ node: OldStyleNode, of tree: OldStylePropertyList, changing keys: Set<UnitKey>? = nil
  ) -> Value {
    let range = tree.range(of: node)
    guard tree.kind(of: node) == .dictionary else { return Value(range: range, text: tree.textValue(node)) }
    let members = tree.members(of: node).map { member in
      let text = tree.text(member.key)
      let isRead = keys?.contains(UnitKey(text)) ?? true
      return Member(
        key: text, keyEnd: tree.range(of: member.key).upperBound,
        range: tree.range(of: member.key).lowerBound..<tree.end(of: member),
        value: isRead ? value(member.value, of: tree) : Value(range: tree.range(of: member.value)))
    }
    let hasBraces = tree.bytes[range].first == UInt8(ascii: "{") && tree.bytes[range].last == UInt8(ascii: "}")
    return Value(
      range: range, members: members, inside: hasBraces ? range.lowerBound + 1..<range.upperBound - 1 : range)
  }

  // MARK: Edits

  private mutating func apply(_ changes: [(key: String, change: TableChange)], to dictionary: Value, level: Int) {
    let members = dictionary.members ?? []
    let byKey = Dictionary(members.enumerated().map { (UnitKey($1.key), $0) }, uniquingKeysWith: { _, last in last })
    var removed: Set<UnitKey> = []
    var added: [TextDictionary.Member] = []
    for (key, change) in changes {
      switch (byKey[UnitKey(key)], change) {
      case (_?, .remove): removed.insert(UnitKey(key))
      case (let index?, .within(let changes)) where members[index].value.members != nil:
        apply(changes, to: members[index].value, level: level + 1)
      case (let index?, _):
        if let value = change.fresh { replace(members[index], with: value) }
      case (nil, _):
        if let value = change.fresh { added.append(.init(key, value)) }
      }
    }
    // All members with a removed key are removed. Otherwise an earlier member with the key would take effect.
    for member in members where removed.contains(UnitKey(member.key)) { remove(member) }
    guard !added.isEmpty else { return }
    add(added, to: dictionary, staying: members.filter { !removed.contains(UnitKey($0.key)) }, level: level)
  }

  private mutating func replace(_ member: Member, with new: TextDictionary) {
    let value = member.value
    if case .text(let text) = new, let old = value.text, old.isExactly(text) { return }
    let bytes = layout.printed(new, indentation: layout.indentation(before: value.range.lowerBound))
    if value.range.lowerBound == member.range.lowerBound {
      // In `key;`, the same text is both the key and its value.
      edits.insert(Array(" = ".utf8) + bytes, at: value.range.upperBound)
    } else {
      edits.replace(value.range, with: bytes)
    }
  }

  /// Removes a member, and its line if the line has no other content.
  private mutating func remove(_ member: Member) {
    let text = list.lines
    var start = member.range.lowerBound
    while start > 0, text[start - 1] == 0x20 || text[start - 1] == 0x09 { start -= 1 }
    var end = member.range.upperBound
    while end < text.count, text[end] == 0x20 || text[end] == 0x09 || text[end] == 0x0D { end += 1 }
    guard start == 0 || text[start - 1] == 0x0A, end < text.count, text[end] == 0x0A else {
      edits.remove(text.withSpaces(around: member.range))
      return
    }
    edits.remove(start..<end + 1)
  }

  private mutating func add(_ added: [TextDictionary.Member], to dictionary: Value, staying: [Member], level: Int) {
    let own = layout.indentation(before: dictionary.range.lowerBound)
    let isBare = list.form == .oldStyle && dictionary.inside == dictionary.range
    guard let model = staying.first else {
      // No member is left between the brackets, because the old members were removed above.
      let inner = isBare ? [] : own + layout.level
      var lines: [UInt8] = []
      for member in order.sorted(added, level: level) {
        let bytes = layout.printed(member, indentation: inner)
        lines += isBare ? bytes + layout.lineBreak(then: []) : layout.lineBreak(then: inner) + bytes
      }
      switch dictionary.inside {
      case nil:
        edits.replace(
          dictionary.range, with: Array("<dict>".utf8) + lines + layout.lineBreak(then: own) + Array("</dict>".utf8))
      case let inside? where isBare:
        let lead = list.lines.isEmpty || list.lines.last == 0x0A ? [] : layout.lineBreak(then: [])
        edits.insert(lead + lines, at: inside.upperBound)
      case let inside? where dictionary.members?.isEmpty == false: edits.insert(lines, at: inside.lowerBound)
      case let inside?: edits.replace(inside, with: lines + layout.lineBreak(then: own))
      }
      return
    }
    let indentation = layout.indentation(before: model.range.lowerBound)
    for (place, members) in order.places(of: added, among: staying.map(\.key), level: level) {
      for member in members {
        let bytes = layout.printed(member, indentation: indentation)
        let neighbour = place > 0 ? staying[place - 1] : model
        let isInline = list.lines.isFollowed(at: neighbour.range.upperBound)
        let gap = isInline ? (list.form == .xml ? [] : [0x20]) : layout.lineBreak(then: indentation)
        if place > 0 {
          let end = neighbour.range.upperBound
          edits.insert(gap + bytes, at: isInline ? end : list.lines.endOfSpaces(at: end))
        } else {
          edits.insert(bytes + gap, at: neighbour.range.lowerBound)
        }
      }
    }
  }
}

extension TextDictionary {
  /// Changes members of a dictionary in place. If the value is a text, it is replaced with a dictionary of the new members.
  mutating func apply(_ changes: [(key: String, change: TableChange)], _ order: TableOrder, level: Int = 0) {
    var members: [Member] = []
    if case .dictionary(let old) = self { members = old }
    let places = Dictionary(members.enumerated().map { (UnitKey($1.key), $0) }, uniquingKeysWith: { _, last in last })
    var removed: Set<UnitKey> = []
    var added: [Member] = []
    for (key, change) in changes {
      guard let index = places[UnitKey(key)] else {
        if let value = change.fresh { added.append(Member(key, value)) }
        continue
      }
      switch change {
      case .remove: removed.insert(UnitKey(key))
      case .within(let changes): members[index].value.apply(changes, order, level: level + 1)
      case .set(let value): members[index].value = value
      }
    }
    if !removed.isEmpty { members.removeAll { removed.contains(UnitKey($0.key)) } }
    var whole: [Member] = []
    var end = 0
    for (place, new) in order.places(of: added, among: members.map(\.key), level: level) {
      whole += members[end..<place] + new
      end = place
    }
    self = .dictionary(whole + members[end...])
  }
}
