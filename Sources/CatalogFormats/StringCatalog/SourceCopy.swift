internal import Localization
internal import StructuredText

/// A catalog without its translations, printed as Xcode puts it into a bundle's Source Contents (formats.md C).
enum SourceCopy {
  static func print(_ tree: CatalogTree) -> [UInt8] {
    let document = tree.document
    let source = document.string(tree.sourceLanguage)
    var output: [UInt8] = []
    output.reserveCapacity(document.bytes.count / 8)
    JSONPrinter(.xcode(of: document)).print(document.root, of: document, into: &output) { object, level in
      switch level {
      case 2:
        // An entry: `localizations` goes where nothing of it is left.
        let members = document.members(of: object).filter { member in
          !document.string(member.key, equals: "localizations")
            || document.members(of: member.value).contains { document.string($0.key, isExactly: source) }
        }
        return MemberOrder.sorted(members, of: document)
      case 3:
        let members = document.members(of: object)
        guard isLocalizations(object, of: document) else { return MemberOrder.sorted(Array(members), of: document) }
        return members.filter { document.string($0.key, isExactly: source) }
      default:
        return MemberOrder.sorted(Array(document.members(of: object)), of: document)
      }
    }
    return output
  }

  /// Whether an object is the value of a `localizations`: its key is the node before it.
  private static func isLocalizations(_ object: JSONNode, of document: JSONDocument) -> Bool {
    document.keyNode(before: object).map { document.string($0, equals: "localizations") } ?? false
  }
}

/// Xcode's order of the members of an object.
enum MemberOrder {
  /// The members as they are where each neighbour is in order, else sorted.
  static func sorted(_ members: [JSONMember], of document: JSONDocument) -> [JSONMember] {
    guard members.count > 1 else { return members }
    let keyed = members.map { (key: document.string($0.key), member: $0) }
    let isSorted = zip(keyed, keyed.dropFirst()).allSatisfy { !CatalogOrder.precedes($1.key, $0.key) }
    return isSorted ? members : keyed.sorted { CatalogOrder.precedes($0.key, $1.key) }.map(\.member)
  }
}
