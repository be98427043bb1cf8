internal import Localization
internal import StructuredText

/// A `.stringsdict` file as the input of a merge: each key with its value, including members whose meaning is unknown.
struct StringsDictMerge: MergeTable {
  private let list: TableList
  private let path: TreePath
  private let values: [UnitKey: PropertyListMember]
  let keys: [UnitKey]
  let surroundings: [UnitKey]

  init(_ bytes: [UInt8], at path: TreePath) throws(InputFault) {
    list = try TableList.read(bytes, at: path, limits: StringsFile.limits)
    self.path = path
    var seen: Set<UnitKey> = []
    keys = list.members.map { UnitKey($0.key) }.filter { seen.insert($0).inserted }
    values = Dictionary(list.members.map { (UnitKey($0.key), $0) }) { _, last in last }
    surroundings = [UnitKey("\(list.form) \(list.encoding)")] + Self.comments(in: list)
  }

  func node(of key: UnitKey) -> MergeNode? { values[key]?.value.mergeNode }

  func position(of key: UnitKey) -> TextPosition? { values[key]?.position }

  func written(_ changes: [UnitKey: MergeNode?]) throws(InputFault) -> [UInt8] {
    var made: [(key: String, change: TableChange)] = []
    for (key, node) in changes.sorted(by: { $0.key < $1.key }) {
      guard let change = Self.change(from: values[key]?.value.mergeNode, to: node) else {
        throw InputFault(
          Diagnostic(
            path: path.text, severity: .error,
            message:
              "the key \(MergeNode.quoted(key.text)) has a value that is neither text nor a dictionary",
            hint: "merge this key by hand: keep one side's version"))
      }
      made.append((key.text, change))
    }
    return try list.written(made, at: path, limits: StringsFile.limits)
  }

  /// Returns the change from one node to another; `nil` if the change would write a value other than a text or a dictionary.
  private static func change(from old: MergeNode?, to new: MergeNode?) -> TableChange? {
    guard let new else { return .remove }
    guard let before = old?.members, let members = new.members else { return new.textDictionary.map(TableChange.set) }
    var changes: [(key: String, change: TableChange)] = []
    for member in members where old?[member.name] != member.node {
      guard let change = change(from: old?[member.name], to: member.node) else { return nil }
      changes.append((member.name.text, change))
    }
    for member in before where new[member.name] == nil { changes.append((member.name.text, .remove)) }
    return .within(changes)
  }

  private static let format: UnitKey = "NSStringLocalizedFormatKey"

  /// Merges a key. The key's format references its variables by name, and its rules are all of one kind. The whole key therefore conflicts if one
  /// side removed the key or has another value than a dictionary, if the sides have different kinds of rules, or if both sides changed the format
  /// and have different variables.
  static func merge(_ sides: MergeSides, by merge: inout ThreeWayMerge) -> MergeNode? {
    if let ours = sides.ours?.members, let theirs = sides.theirs?.members {
      let rules = [ours, theirs].map { Set($0.map(\.name).filter { $0.text.hasPrefix("NSString") }) }
      let variables = [ours, theirs].map { Set($0.filter { $0.node.members != nil }.map(\.name)) }
      if rules[0] == rules[1], sides[format].resolved != nil || variables[0] == variables[1] {
        return merge.merge(sides, at: [])
      }
    }
    merge.conflict(sides, at: [])
    return sides.ours ?? sides.theirs
  }

  /// Returns all comments of a file in XML form; empty for any other form.
  private static func comments(in list: TableList) -> [UnitKey] {
    guard list.form == .xml else { return [] }
    var found: [UnitKey] = []
    var rest = list.text[...]
    while let start = rest.firstRange(of: "<!--".utf8), let end = rest[start.upperBound...].firstRange(of: "-->".utf8) {
      found.append(UnitKey(String(decoding: rest[start.upperBound..<end.lowerBound], as: UTF8.self)))
      rest = rest[end.upperBound...]
    }
    return found
  }
}

extension PropertyListValue {
  /// The value as a merge node. The recursion is bounded, because the list was read with a depth limit.
  fileprivate var mergeNode: MergeNode {
    if let string { return .text(string) }
    if let dictionary { return .members(dictionary.map { MergeNode.Member(UnitKey($0.key), $0.value.mergeNode) }) }
    if let array { return .list(array.map(\.mergeNode)) }
    return .atom("\(content)")
  }
}

extension MergeNode {
  /// The node as text or dictionary; `nil` if it contains any other value.
  fileprivate var textDictionary: TextDictionary? {
    switch self {
    case .text(let text): return .text(text)
    case .members(let members):
      var converted: [TextDictionary.Member] = []
      for member in members {
        guard let value = member.node.textDictionary else { return nil }
        converted.append(TextDictionary.Member(member.name.text, value))
      }
      return .dictionary(converted)
    case .list, .atom: return nil
    }
  }
}
