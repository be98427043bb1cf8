private import Glibc
import Localization
import Pipeline

/// A repository's references, read from its files. Loose references take precedence over packed references.
///
/// We do not use libgit2's reader, because it requires a complete repository, but we also read repositories that have only HEAD, packed-refs and
/// objects/.
struct References {
  let folder: String
  let commonFolder: String

  enum Target: Equatable {
    case object(ObjectID)
    case name(String)
  }

  /// The target of HEAD; `nil` if it is missing or unreadable.
  var head: Target? { smallFile(folder + "/HEAD").flatMap(target(of:)) }

  /// The branch of HEAD, without `refs/heads/`; `nil` if HEAD is detached or unreadable. The branch may not exist.
  var headBranch: String? {
    guard case .name(let name)? = head, name.hasPrefix("refs/heads/") else { return nil }
    return String(name.dropFirst("refs/heads/".count))
  }

  /// Returns the object to which a full name (`HEAD`, `refs/heads/main`) points; `nil` if the reference does not exist, or if it contains neither an
  /// object id nor the name of an existing reference.
  func resolve(_ name: String) -> ObjectID? {
    var name = name
    // The number of steps is limited, because symbolic references can form a cycle.
    for _ in 0..<6 {
      guard Self.isWellFormed(name) else { return nil }
      let base = name.hasPrefix("refs/") ? commonFolder : folder
      switch smallFile(base + "/" + name).flatMap(target(of:)) {
      case .object(let id): return id
      case .name(let next): name = next
      case nil:
        var found: ObjectID?
        forEachPacked(from: name) { if $0.count == name.utf8.count { found = $1 } }
        return found
      }
    }
    return nil
  }

  /// Returns the references below a prefix (`refs/heads/`) with their objects. The names are without the prefix and sorted by bytes. References whose
  /// names are not UTF-8, and references that do not lead to an object id, are omitted.
  func list(_ prefix: String) -> [(name: String, id: ObjectID)] { validated(prefix).found }

  /// Returns the result of ``list(_:)``, and the sorted names below the prefix that are not UTF-8, with escapes.
  func validated(_ prefix: String) -> (found: [(name: String, id: ObjectID)], unreadable: [String]) {
    var found: [String: ObjectID] = [:]
    // Loose references are read first, as git does. Otherwise a reference that is being packed could be overlooked.
    let loose = loose(below: prefix)
    for name in loose.names {
      let rest = String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
      if let id = resolve(name) { found[rest] = id }
    }
    var unreadable = Set(loose.unreadable.map { String($0.dropFirst(prefix.count)) })
    forEachPacked(from: prefix) { name, id in
      let rest = name.dropFirst(prefix.utf8.count)
      guard let text = String(validating: rest, as: UTF8.self) else {
        unreadable.insert(String(escaping: rest))
        return
      }
      if found[text] == nil { found[text] = id }
    }
    let sorted = found.map { (name: $0.key, id: $0.value) }.sorted {
      $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
    }
    return (sorted, unreadable.sorted())
  }

  /// The branches, sorted by name.
  var branches: [BranchHead] {
    list("refs/heads/").map { BranchHead(name: $0.name, commit: $0.id.commit) }
  }

  /// Whether no reference points to an object.
  var isEmpty: Bool { resolve("HEAD") == nil && list("refs/").isEmpty }

  /// Whether a file with references is damaged, for example after a power failure. With such a file, libgit2 refuses to change references.
  var areDamaged: Bool {
    if let bytes = smallFile(folder + "/HEAD"), target(of: bytes) == nil { return true }
    if let bytes = wholeFile(commonFolder + "/packed-refs"),
      !bytes.split(separator: UInt8(ascii: "\n")).allSatisfy(Self.isPackedLine)
    {
      return true
    }
    return loose(below: "refs/").names.contains { name in
      let path = commonFolder + "/" + name
      return FileKind(path) == .file && smallFile(path).flatMap(target(of:)) == nil
    }
  }

  /// Returns whether git allows a reference name. A name that git allows is also safe as a file path, because it cannot leave the folder.
  static func isWellFormed(_ name: String) -> Bool {
    !name.isEmpty && name != "@" && !name.hasSuffix(".") && !name.contains("..") && !name.contains("@{")
      && !name.utf8.contains { $0 < 0x21 || $0 == 0x7f || forbidden.contains($0) }
      && name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { component in
        !component.isEmpty && !component.hasPrefix(".") && !component.hasSuffix(".lock")
      }
  }

  private static let forbidden = Array("\\:?*[~^".utf8)
}

extension References {
  private func target(of bytes: [UInt8]) -> Target? {
    let text = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    if text.starts(with: "ref:".utf8) {
      let name = text.dropFirst(4).drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      return .name(String(decoding: name, as: UTF8.self))
    }
    return ObjectID(hex: String(decoding: text, as: UTF8.self)).map { .object($0) }
  }

  /// Returns the full names of all loose references below a prefix that ends with a slash. Names of references and folders that are not UTF-8 are
  /// returned separately, with escapes.
  private func loose(below prefix: String) -> (names: [String], unreadable: [String]) {
    let entries = validatedNames(commonFolder + "/" + prefix)
    var loose = (names: [String](), unreadable: entries.unreadable.map { prefix + String(escaping: $0) })
    for name in entries.names.filter(Self.isWellFormed).map({ prefix + $0 }) {
      guard FileKind(commonFolder + "/" + name) == .folder else {
        loose.names.append(name)
        continue
      }
      let below = self.loose(below: name + "/")
      loose.names += below.names
      loose.unreadable += below.unreadable
    }
    return loose
  }

  /// Calls `body` for each line `<id> <name>` of packed-refs whose name starts with a prefix. Other lines are skipped: a `^` line has the peeled id
  /// of a tag, and a `#` line is a comment.
  private func forEachPacked(from prefix: String, _ body: (ArraySlice<UInt8>, ObjectID) -> Void) {
    guard let bytes = wholeFile(commonFolder + "/packed-refs") else { return }
    let prefix = Array(prefix.utf8)
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      defer { start = end + 1 }
      guard end - start > 41 + prefix.count - 1, bytes[start + 40] == UInt8(ascii: " "),
        bytes[(start + 41)..<end].starts(with: prefix),
        let id = ObjectID(hex: String(decoding: bytes[start..<(start + 40)], as: UTF8.self))
      else { continue }
      body(bytes[(start + 41)..<(bytes[end - 1] == UInt8(ascii: "\r") ? end - 1 : end)], id)
    }
  }

  private static func isPackedLine(_ line: ArraySlice<UInt8>) -> Bool {
    if line.first == UInt8(ascii: "#") { return true }
    let rest = line.first == UInt8(ascii: "^") ? line.dropFirst() : line
    guard ObjectID(hex: String(decoding: rest.prefix(40), as: UTF8.self)) != nil else { return false }
    return line.first == UInt8(ascii: "^") || rest.dropFirst(40).first == UInt8(ascii: " ")
  }

  private func smallFile(_ path: String) -> [UInt8]? {
    FileKind(path) == .file ? wholeFile(path, limit: 4096) : nil
  }
}
