import Localization
import StructuredText

/// The objects of a `project.pbxproj` by their identifiers.
///
/// Nothing is copied from the file. An object is a node of the property list, and a lookup compares bytes.
struct ProjectObjects: Sendable {
  let path: TreePath
  let list: OldStylePropertyList
  /// The project object, which `rootObject` references.
  let root: OldStyleNode
  private let table: ObjectTable

  /// - Throws: `ProjectFault` with the faults of the property list, or if the file is not a project file.
  init(_ bytes: [UInt8], at path: TreePath) throws(ProjectFault) {
    self.path = path
    do { list = try OldStylePropertyList.parse(bytes) } catch {
      throw ProjectFault(
        diagnostics: error.faults.map {
          Diagnostic(
            path: path.text, line: $0.position.line, column: $0.position.column, severity: .error,
            message: "\($0.message); folders are used as targets instead",
            hint: $0.hint)
        })
    }
    guard let objects = list.value("objects", of: list.root), list.kind(of: objects) == .dictionary else {
      throw Self.fault("the project file has no `objects`", list.root, list, path)
    }
    table = ObjectTable(objects, of: list)
    guard let name = list.value("rootObject", of: list.root), let root = table.find(name, in: list),
      list.kind(of: root) == .dictionary
    else { throw Self.fault("`rootObject` does not reference an object", list.root, list, path) }
    self.root = root
    guard let isa = list.value("isa", of: root), list.text(isa, equals: "PBXProject") else {
      throw Self.fault("`rootObject` does not reference a PBXProject", root, list, path)
    }
  }

  private static func fault(
    _ cause: String, _ node: OldStyleNode, _ list: OldStylePropertyList, _ path: TreePath
  ) -> ProjectFault {
    let place = list.position(of: node)
    return ProjectFault(diagnostics: [
      Diagnostic(
        path: path.text, line: place.line, column: place.column, severity: .error,
        message: "\(cause); folders are used as targets instead",
        hint: "open it in Xcode, or restore it")
    ])
  }

  /// Returns the object with an identifier; `nil` if there is none.
  func object(_ reference: OldStyleNode) -> OldStyleNode? {
    guard let found = table.find(reference, in: list), list.kind(of: found) == .dictionary else { return nil }
    return found
  }

  /// Returns the object that a member of another object references; `nil` if there is none.
  func object(_ key: StaticString, of owner: OldStyleNode) -> OldStyleNode? {
    list.value(key, of: owner).flatMap { object($0) }
  }

  /// Returns the objects that a list references. Identifiers without an object are skipped.
  func objects(_ key: StaticString, of owner: OldStyleNode) -> [OldStyleNode] {
    references(key, of: owner).compactMap { object($0) }
  }

  /// Returns the elements of a list, usually identifiers of objects; empty if there is no such list.
  func references(_ key: StaticString, of owner: OldStyleNode) -> [OldStyleNode] {
    list.value(key, of: owner).map { Array(list.elements(of: $0)) } ?? []
  }

  func text(_ key: StaticString, of owner: OldStyleNode) -> String? {
    list.value(key, of: owner).flatMap { list.textValue($0) }
  }

  /// Returns the strings of a list.
  func texts(_ key: StaticString, of owner: OldStyleNode) -> [String] {
    references(key, of: owner).compactMap { list.textValue($0) }
  }

  /// Returns whether an object is of this kind.
  func isKind(_ kind: StaticString, _ object: OldStyleNode) -> Bool {
    list.value("isa", of: object).map { list.text($0, equals: kind) } ?? false
  }

  func note(
    _ message: String, at node: OldStyleNode, severity: Diagnostic.Severity = .note, hint: String? = nil
  ) -> Diagnostic {
    let place = list.position(of: node)
    return Diagnostic(
      path: path.text, line: place.line, column: place.column, severity: severity,
      message: message, hint: hint)
  }
}

/// The reasons why a project file cannot be used.
struct ProjectFault: Error {
  var diagnostics: [Diagnostic]
}

/// A hash table that finds objects by identifier without creating strings.
private struct ObjectTable: Sendable {
  /// The indices into `members`, from 1; 0 marks a free slot. The number of slots is a power of two.
  private var slots: [UInt32]
  private var members: [OldStyleMember] = []

  init(_ objects: OldStyleNode, of list: OldStylePropertyList) {
    members = Array(list.members(of: objects))
    var size = 16
    while size < members.count * 2 { size *= 2 }
    slots = [UInt32](repeating: 0, count: size)
    for (index, member) in members.enumerated() {
      var slot = Self.hash(list.content(of: member.key), list.bytes) & (size - 1)
      while slots[slot] != 0, !Self.same(members[Int(slots[slot]) - 1].key, member.key, list) {
        slot = (slot + 1) & (size - 1)
      }
      // If two objects have the same identifier, the last one is used, as in every dictionary of such a property list.
      slots[slot] = UInt32(truncatingIfNeeded: index + 1)
    }
  }

  func find(_ reference: OldStyleNode, in list: OldStylePropertyList) -> OldStyleNode? {
    guard list.isText(reference) else { return nil }
    var slot = Self.hash(list.content(of: reference), list.bytes) & (slots.count - 1)
    while slots[slot] != 0 {
      let member = members[Int(slots[slot]) - 1]
      if Self.same(member.key, reference, list) { return member.value }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  private static func same(_ a: OldStyleNode, _ b: OldStyleNode, _ list: OldStylePropertyList) -> Bool {
    let (a, b) = (list.content(of: a), list.content(of: b))
    guard a.count == b.count else { return false }
    let span = list.bytes.span
    for offset in 0..<a.count where span[a.lowerBound + offset] != span[b.lowerBound + offset] { return false }
    return true
  }

  private static func hash(_ range: Range<Int>, _ bytes: [UInt8]) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    let span = bytes.span
    for index in range { hash = (hash ^ UInt64(span[index])) &* 0x100_0000_01B3 }
    return Int(truncatingIfNeeded: hash >> 1)
  }
}
