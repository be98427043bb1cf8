internal import Localization
internal import StructuredText

/// A three-way merge of String Catalogs by key, language and variation. Members that our reader does not support are merged by name.
struct CatalogMerge {
  private let base: Side?
  private let ours: Side
  private let theirs: Side
  /// Whether the merge edits the bytes of their version instead of ours. This is the case if only their side changed the layout of the file.
  private let carriesTheirs: Bool
  private let asksForReview: Bool
  private var conflicts: [MergeConflict] = []

  /// A key and the index of one of its entries. A line-based merge can leave several entries with the same key (xcode-formats.md A4).
  private struct EntryName: Hashable {
    var key: UnitKey
    var number: Int
  }

  /// One version of the file.
  private struct Side {
    let document: JSONDocument
    let encoding: TextEncoding
    let root: MergeNode
    let strings: JSONNode
    /// The names of the entries in file order, and the entries by their names.
    let names: [EntryName]
    let entries: [EntryName: JSONMember]

    init(_ tree: CatalogTree) {
      document = tree.document
      encoding = tree.encoding
      strings = tree.strings
      var names: [EntryName] = []
      var entries: [EntryName: JSONMember] = [:]
      var counts: [UnitKey: Int] = [:]
      for member in tree.document.members(of: tree.strings) {
        let key = UnitKey(tree.document.string(member.key))
        let name = EntryName(key: key, number: counts[key, default: 0])
        counts[key, default: 0] += 1
        names.append(name)
        entries[name] = member
      }
      self.names = names
      self.entries = entries
      let members = tree.document.members(of: tree.document.root).filter { $0.value != tree.strings }
      root = .members(
        members.map {
          MergeNode.Member(UnitKey(tree.document.string($0.key)), tree.document.mergeNode($0.value))
        })
    }

    func node(_ name: EntryName) -> MergeNode? { entries[name].map { document.mergeNode($0.value) } }

    func bytes(_ name: EntryName) -> ArraySlice<UInt8>? {
      entries[name].map { document.bytes[document.range(of: $0.value)] }
    }

    var layout: [AnyHashable] {
      [JSONStyle.detected(in: document), document.bytes.last == UInt8(ascii: "\n"), encoding]
    }
  }

  /// Merges three versions of a catalog. If several entries have the same key, our first entry is merged with their first entry, and so on.
  /// - Parameter versions: the versions. A `nil` base means that each side added the file.
  /// - Throws: `InputFault` if a side cannot be read, or if our or their version has duplicate keys other than the keys of entries.
  static func merge(_ versions: MergeVersions, at path: TreePath) throws(InputFault) -> MergedFile {
    var base: Side?
    if let bytes = versions.base { base = Side(try tree(.base, bytes, path)) }
    var merge = CatalogMerge(
      base: base, ours: Side(try tree(.ours, versions.ours, path)),
      theirs: Side(try tree(.theirs, versions.theirs, path)), asksForReview: versions.asksForReview)
    return merge.merged(at: path)
  }

  private static func tree(
    _ side: MergeVersions.Side, _ bytes: [UInt8], _ path: TreePath
  ) throws(InputFault) -> CatalogTree {
    do { return try CatalogTree(bytes, at: path, duplicates: side == .base ? .allowed : .allowedAsEntries) } catch {
      throw error.naming(side)
    }
  }

  private init(base: Side?, ours: Side, theirs: Side, asksForReview: Bool) {
    self.base = base
    self.ours = ours
    self.theirs = theirs
    self.asksForReview = asksForReview
    carriesTheirs = base.map { $0.layout == ours.layout && $0.layout != theirs.layout } ?? false
  }

  private mutating func merged(at path: TreePath) -> MergedFile {
    let carrier = carriesTheirs ? theirs : ours
    var splice = MergedSplice(carrier.document)
    splice.members(of: carrier.document.root, to: root(), except: carrier.strings)
    var object = JSONObjectEdit(carrier.strings, of: carrier.document, style: splice.style)
    let source = ours.root["sourceLanguage"]?.text ?? ""
    for name in ours.names + theirs.names.filter({ ours.entries[$0] == nil }) {
      let (before, own, other) = (base?.bytes(name), ours.bytes(name), theirs.bytes(name))
      // Most entries are equal on both sides, or only the carrier's side changed them. Comparing their bytes is enough to see this.
      if own == other || before == (carriesTheirs ? own : other) { continue }
      let sides = MergeSides(base: base?.node(name), ours: ours.node(name), theirs: theirs.node(name))
      let node = entry(name.key, sides, source: source)
      switch (carrier.entries[name], node) {
      case (let member?, let node?): splice.splice(member.value, to: node)
      case (let member?, nil): object.remove(member)
      case (nil, let node?): object.add(name.key.text, node.jsonValue)
      case (nil, nil): break
      }
    }
    object.apply(to: &splice.edits, precedes: CatalogOrder.precedes)
    let text = splice.edits.applied(to: carrier.document.bytes)
    let hasDuplicates = (ours.names + theirs.names).contains { $0.number > 0 }
    var file = MergedFile(bytes: text, conflicts: [])
    if !conflicts.isEmpty || hasDuplicates { file = Self.told(conflicts, of: text, at: path) }
    file.bytes = carrier.encoding.bytes(of: text)
    return file
  }

  /// Returns the merged file in UTF-8, with the positions of its conflicts and a warning for each remaining duplicate key.
  private static func told(_ conflicts: [MergeConflict], of bytes: [UInt8], at path: TreePath) -> MergedFile {
    guard let tree = try? CatalogTree(bytes, at: path, duplicates: .allowed) else {
      return MergedFile(bytes: bytes, conflicts: conflicts.map { PlacedConflict(conflict: $0) })
    }
    let lines = LineMap(bytes)
    var places: [UnitKey: TextPosition] = [:]
    for member in tree.document.members(of: tree.strings) {
      places[UnitKey(tree.document.string(member.key))] = lines.position(
        at: tree.document.range(of: member.key).lowerBound)
    }
    return MergedFile(
      bytes: bytes,
      conflicts: conflicts.map { conflict in
        let place = conflict.key.flatMap { places[$0] }
        return PlacedConflict(conflict: conflict, line: place?.line, column: place?.column)
      },
      warnings: tree.document.duplicateKeys().map { fault in
        Diagnostic(
          path: path.text, line: fault.position.line, column: fault.position.column, severity: .warning,
          message: fault.message, hint: fault.hint)
      })
  }

  private mutating func entry(_ key: UnitKey, _ sides: MergeSides, source: String) -> MergeNode? {
    if let resolved = sides.resolved { return resolved.node }
    var merge = EntryMerge(key: key, sourceLanguage: source, asksForReview: asksForReview)
    defer { conflicts += merge.conflicts }
    return merge.entry(sides)
  }

  /// Merges the members of the root other than the entries. If both sides changed `version`, the higher version wins, because the file's
  /// content may need it.
  private mutating func root() -> MergeNode {
    var merge = ThreeWayMerge(key: nil)
    let sides = MergeSides(base: base?.root, ours: ours.root, theirs: theirs.root)
    let node = merge.members(sides) { merge, name, sides in
      if name == "version", sides.resolved == nil, let own = sides.ours?.text, let other = sides.theirs?.text {
        if CatalogVersion.isLower(own, other) { return sides.theirs }
        if CatalogVersion.isLower(other, own) { return sides.ours }
      }
      return merge.merge(sides, at: [name.text])
    }
    conflicts += merge.conflicts
    return node
  }
}
