internal import Localization
internal import StructuredText

/// A `.strings` file as the input of a merge: each key with its value and its comment.
struct StringsMerge: MergeTable {
  private let file: StringsFile
  private let values: [UnitKey: StringsFile.Entry]
  let keys: [UnitKey]
  let surroundings: [UnitKey]

  init(_ bytes: [UInt8], at path: TreePath) throws(InputFault) {
    let file = try StringsFile.read(bytes, at: path)
    self.file = file
    values = file.values
    var seen: Set<UnitKey> = []
    keys = file.entries.map(\.key).filter { seen.insert($0).inserted }
    switch file.content {
    case .propertyList(let list): surroundings = [UnitKey("\(list.form) \(list.encoding)")]
    case .text(let text):
      var owned: Set<Int> = []
      for index in text.entries.indices { owned.formUnion(text.ownComments(at: index)) }
      let free = text.comments.indices.filter { !owned.contains($0) }
      surroundings =
        [UnitKey("text \(text.encoding)")]
        + free.map { UnitKey(String(decoding: text.content(of: text.comments[$0]), as: UTF8.self)) }
    }
  }

  func node(of key: UnitKey) -> MergeNode? {
    guard let entry = values[key] else { return nil }
    let value = MergeNode.Member("value", .text(entry.value))
    return .members([value] + (entry.comment.map { [MergeNode.Member("comment", .text($0))] } ?? []))
  }

  func position(of key: UnitKey) -> TextPosition? { values[key]?.position }

  func written(_ changes: [UnitKey: MergeNode?]) throws(InputFault) -> [UInt8] {
    var edits: [UnitKey: StringsEdit] = [:]
    for (key, node) in changes {
      guard let value = node?["value"]?.text else {
        edits[key] = .remove
        continue
      }
      let (old, comment) = (values[key], node?["comment"]?.text)
      edits[key] =
        old.map { $0.comment.isExactly(comment) } ?? true
        ? .value(value, comment: comment)
        : old?.value.isExactly(value) == true ? .comment(comment) : .both(value: value, comment: comment)
    }
    return try file.edited(edits)
  }

  static func merge(_ sides: MergeSides, by merge: inout ThreeWayMerge) -> MergeNode? {
    guard sides.ours != nil, sides.theirs != nil else {
      merge.conflict(sides.map { $0["value"] }, at: [])
      return sides.ours ?? sides.theirs
    }
    return merge.members(sides) { merge, name, sides in merge.merge(sides, at: name == "value" ? [] : [name.text]) }
  }
}
