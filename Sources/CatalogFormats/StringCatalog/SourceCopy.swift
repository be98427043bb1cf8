internal import Foundation
internal import Localization
internal import StructuredText

/// Prints the copy of a catalog that Xcode puts into a bundle's Source Contents. It contains no translations into target languages (xcode-formats.md
/// C).
enum SourceCopy {
  static func print(_ tree: CatalogTree) -> [UInt8] {
    let document = tree.document
    let source = document.string(tree.sourceLanguage)
    var output: [UInt8] = []
    output.reserveCapacity(document.bytes.count / 8)
    JSONPrinter(.xcode(of: document)).print(document, into: &output) { object, level in
      switch level {
      case 2:
        // This object is an entry. Its `localizations` are dropped if they become empty.
        let members = document.members(of: object).filter { member in
          !document.string(member.key, equals: "localizations")
            || document.members(of: member.value).contains { document.string($0.key, isExactly: source) }
        }
        return MemberOrder.sorted(members, of: document)
      case 3:
        guard isLocalizations(object, of: document) else { return MemberOrder.reordered(object, of: document) }
        return document.members(of: object).filter { document.string($0.key, isExactly: source) }
      default:
        return MemberOrder.reordered(object, of: document)
      }
    }
    return output
  }

  /// Returns whether an object is the value of a `localizations` member. The key of a value is the node before the value.
  private static func isLocalizations(_ object: JSONNode, of document: JSONDocument) -> Bool {
    document.keyNode(before: object).map { document.string($0, equals: "localizations") } ?? false
  }
}

/// Sorts the members of an object in Xcode's order.
enum MemberOrder {
  /// Returns the sorted members of an object; `nil` if they are already sorted.
  static func reordered(_ object: JSONNode, of document: JSONDocument) -> [JSONMember]? {
    var cursor = document.cursor(of: object)
    guard var last = document.next(&cursor)?.key else { return nil }
    while let key = document.next(&cursor)?.key {
      if precedes(key, last, of: document) { return sorted(Array(document.members(of: object)), of: document) }
      last = key
    }
    return nil
  }

  /// Returns the members in Xcode's order.
  static func sorted(_ members: [JSONMember], of document: JSONDocument) -> [JSONMember] {
    let isSorted = zip(members, members.dropFirst()).allSatisfy { !precedes($1.key, $0.key, of: document) }
    guard !isSorted else { return members }
    let keyed = members.map { (key: document.string($0.key), member: $0) }
    return keyed.sorted { CatalogOrder.precedes($0.key, $1.key) }.map(\.member)
  }

  private static func precedes(_ a: JSONNode, _ b: JSONNode, of document: JSONDocument) -> Bool {
    let quick = document.withPlainUTF8(a, b) { CatalogOrder.fastComparison($0, $1) }
    if let quick, let quick { return quick == .orderedAscending }
    return CatalogOrder.precedes(document.string(a), document.string(b))
  }
}
