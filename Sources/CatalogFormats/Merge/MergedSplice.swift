internal import Localization
internal import StructuredText

/// Writes merged nodes into a file. Only values that differ are printed, and all other bytes are kept.
struct MergedSplice {
  let document: JSONDocument
  let style: JSONStyle
  var edits = ByteEdits()

  init(_ document: JSONDocument) {
    self.document = document
    style = JSONStyle.detected(in: document)
  }

  mutating func splice(_ node: JSONNode, to merged: MergeNode) {
    guard document.mergeNode(node) != merged else { return }
    guard document.kind(of: node) == .object, merged.members != nil else {
      var text: [UInt8] = []
      JSONPrinter(style).print(merged.jsonValue, indentation: document.lineIndentation(of: node), into: &text)
      edits.replace(document.range(of: node), with: text)
      return
    }
    members(of: node, to: merged)
  }

  /// Changes the members of an object to the merged members. The value `except` is left unchanged.
  mutating func members(of node: JSONNode, to merged: MergeNode, except: JSONNode? = nil) {
    var object = JSONObjectEdit(node, of: document, style: style)
    var seen: Set<UnitKey> = []
    for member in document.members(of: node) where member.value != except {
      let name = UnitKey(document.string(member.key))
      seen.insert(name)
      if let inner = merged[name] { splice(member.value, to: inner) } else { object.remove(member) }
    }
    for member in merged.members ?? [] where !seen.contains(member.name) {
      object.add(member.name.text, member.node.jsonValue)
    }
    object.apply(to: &edits, precedes: CatalogOrder.precedes)
  }
}

extension JSONDocument {
  /// Returns the value as a merge node. The recursion is bounded, because the document was read with a depth limit.
  func mergeNode(_ node: JSONNode) -> MergeNode {
    switch kind(of: node) {
    case .string: .text(string(node))
    case .number, .boolean, .null: .atom(String(decoding: bytes[range(of: node)], as: UTF8.self))
    case .array: .list(elements(of: node).map(mergeNode))
    case .object:
      .members(members(of: node).map { MergeNode.Member(UnitKey(string($0.key)), mergeNode($0.value)) })
    }
  }
}

extension MergeNode {
  var jsonValue: JSONValue {
    switch self {
    case .text(let text): .string(text)
    case .atom(let spelling): .literal(spelling)
    case .list(let nodes): .array(nodes.map(\.jsonValue))
    case .members(let members): .object(members.map { JSONValue.Member($0.name.text, $0.node.jsonValue) })
    }
  }
}
