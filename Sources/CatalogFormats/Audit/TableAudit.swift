package import Localization
internal import StructuredText

/// Checks that every byte that differs between two versions of a `.strings` or `.stringsdict` file belongs to a key whose change a returned unit
/// explains.
package enum TableAudit {
  /// Returns the unexplained changes between two versions of a file.
  /// - Parameters:
  ///   - old: the former version; `nil` if the file is new.
  ///   - explaining: returns whether a returned unit explains a change of this key.
  /// - Returns: an error for each key with an unexplained change, with its position in the new file unless the key was removed. If there are none, an
  ///   error for the first of the other differing bytes; empty if every changed byte is explained.
  /// - Throws: `InputFault` if one of the files cannot be read.
  package static func unexplainedChanges(
    from old: [UInt8]?, to new: [UInt8], at path: TreePath, explaining: (UnitKey) -> Bool
  ) throws(InputFault) -> [Diagnostic] {
    guard old != new else { return [] }
    let after = try Version(new, at: path)
    let before = try old.map { bytes throws(InputFault) in try Version(bytes, at: path) }
    var found: [Diagnostic] = []
    func report(_ key: UnitKey, _ place: TextPosition?, _ what: String) {
      found.append(
        Diagnostic(
          path: path.text, line: place?.line, column: place?.column, severity: .error,
          message: "the key \"\(key)\" \(what), although no returned unit changes it"))
    }
    for (key, values) in after.values.sorted(by: { $0.key < $1.key }) where !explaining(key) {
      guard let was = before?.values[key] else {
        report(key, after.places[key], "was added")
        continue
      }
      if was != values { report(key, after.places[key], "changed") }
    }
    for key in (before?.values.keys).map(Array.init)?.sorted() ?? [] where after.values[key] == nil && !explaining(key)
    {
      report(key, nil, "was removed")
    }
    guard found.isEmpty, let before, !before.isContinued(by: new) else { return found }
    // Without the explained keys, both versions must have the same bytes, in the same order. For each added or removed key, one run of white
    // space may differ, because the white space next to the key can belong to either adjacent key.
    let keys = Set(before.values.keys).union(after.values.keys).filter(explaining)
    let rest = (try before.without(keys), try after.without(keys))
    let gaps = keys.count { (before.values[$0] == nil) != (after.values[$0] == nil) }
    guard let offset = WhiteSpaceGaps.firstDifference(rest.0, rest.1, beyond: gaps) else { return [] }
    let place = TextPosition(offset: offset, in: rest.1)
    return [
      Diagnostic(
        path: path.text, severity: .error,
        message:
          "bytes outside the changed translations differ, first at \(place.line):\(place.column) of the file without these translations"
      )
    ]
  }

  private struct Version {
    enum Content {
      case strings(StringsFile)
      case list(TableList)
    }

    let path: TreePath
    let content: Content
    /// All values of each key in file order.
    private(set) var values: [UnitKey: [PropertyListValue.Content]] = [:]
    private(set) var places: [UnitKey: TextPosition] = [:]

    init(_ bytes: [UInt8], at path: TreePath) throws(InputFault) {
      self.path = path
      if path.ending == "stringsdict" {
        let list = try TableList.read(bytes, at: path, limits: StringsFile.limits)
        content = .list(list)
        for member in list.members { add(UnitKey(member.key), Self.placeless(member.value).content, member.position) }
      } else {
        let file = try StringsFile.read(bytes, at: path)
        content = .strings(file)
        for entry in file.entries { add(entry.key, .string(entry.value), entry.position) }
      }
    }

    private mutating func add(_ key: UnitKey, _ value: PropertyListValue.Content, _ place: TextPosition) {
      values[key, default: []].append(value)
      places[key] = place
    }

    /// Returns the value without its positions, for comparison.
    private static func placeless(_ value: PropertyListValue) -> PropertyListValue {
      let nowhere = TextPosition(offset: 0, line: 1, column: 1)
      switch value.content {
      case .dictionary(let members):
        return PropertyListValue(
          .dictionary(
            members.map { PropertyListMember(key: $0.key, at: nowhere, value: placeless($0.value)) }), at: nowhere)
      case .array(let elements): return PropertyListValue(.array(elements.map(placeless)), at: nowhere)
      default: return PropertyListValue(value.content, at: nowhere)
      }
    }

    /// Returns whether this version is a `.strings` file in text form without entries, and the new version only appends to it. White space at the end
    /// of this version may differ.
    func isContinued(by new: [UInt8]) -> Bool {
      guard case .strings(let file) = content, case .text = file.content, values.isEmpty else { return false }
      return new.starts(with: file.bytes[..<WhiteSpaceGaps.end(of: file.bytes)])
    }

    /// Returns the file without some keys. The keys are removed in the same way as the writer removes keys. Line breaks at the end of the file are
    /// dropped, because an added entry can add a line break.
    func without(_ keys: Set<UnitKey>) throws(InputFault) -> [UInt8] {
      var bytes: [UInt8]
      switch content {
      case .strings(let file) where file.binaryList != nil:
        bytes = file.binaryList?.canonical(without: keys) ?? []
      case .strings(let file):
        bytes = try file.edited(Dictionary(uniqueKeysWithValues: keys.map { ($0, StringsEdit.remove) }))
        // If no entry is left, white space is ignored.
        if values.keys.allSatisfy(keys.contains) {
          bytes.removeAll { $0 == 0x20 || (0x09...0x0D).contains($0) || $0 == 0 }
        }
      case .list(let list) where values.keys.allSatisfy(keys.contains):
        // `emptied` makes `<dict/>` and `<dict>` without members equal.
        bytes = try list.emptied(at: path, limits: StringsFile.limits)
      case .list(let list) where list.form == .binary:
        // A binary list is never edited in place, but always printed as a whole.
        bytes = list.canonical(without: keys) ?? []
      case .list(let list):
        bytes = try list.written(
          keys.sorted().map { ($0.text, TableChange.remove) }, at: path, limits: StringsFile.limits)
      }
      while let last = bytes.last, last == 0x0A || last == 0x0D || last == 0 { bytes.removeLast() }
      return bytes
    }
  }
}

extension TableList {
  /// Returns a binary table without some keys, printed from its values; `nil` if it cannot be printed.
  fileprivate func canonical(without keys: Set<UnitKey>) -> [UInt8]? {
    var root = root
    root.content = .dictionary(members.filter { !keys.contains(UnitKey($0.key)) })
    return TextDictionary(root)?.binary(sortingKeys: false)
  }
}

extension StringsFile {
  /// The file's list if it is a binary property list; otherwise `nil`.
  fileprivate var binaryList: TableList? {
    if case .propertyList(let list) = content, list.form == .binary { list } else { nil }
  }
}
