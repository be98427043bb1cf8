import Localization
import StructuredText

/// An edit of a project file that adds languages, their files and new catalogs, or replaces tables with catalogs, as Xcode does. All other bytes stay
/// the same.
///
/// Xcode appends a language to `knownRegions` and a file to the children of its variant group, and keeps the objects of a section in the
/// order of their identifiers.
struct ProjectSplice {
  let project: XcodeProject
  let list: OldStylePropertyList
  private var edits = ByteEdits()
  private var regions: Set<String>
  /// The new objects with their kinds. They are inserted in the order of their identifiers.
  private var objects: [(isa: StaticString, id: String, object: String)] = []
  /// The ranges to remove. A range includes the whole line if the line has no other content.
  private var removals: [Range<Int>] = []
  /// The minimum `objectVersion` that the edits require.
  var leastVersion = 0
  /// The identifiers of all existing and added objects. The set is filled at the first addition.
  private var taken: Set<String> = []
  var diagnostics: [Diagnostic] = []
  /// The catalogs that cannot replace their tables.
  var refused: Set<TreePath> = []

  init(_ project: XcodeProject) {
    self.project = project
    list = project.objects.list
    regions = Set(project.objects.texts("knownRegions", of: project.objects.root))
  }

  var isEmpty: Bool { edits.isEmpty && objects.isEmpty && removals.isEmpty }

  /// Returns the whole file with all edits; `nil` if edits overlap, which never happens in a well-formed file.
  mutating func applied() -> [UInt8]? {
    defer { (objects, removals) = ([], []) }
    if let version = list.value("objectVersion", of: list.root), let number = Int(list.text(version)),
      number < leastVersion
    {
      replace(list.range(of: version), with: String(leastVersion))
    }
    for (isa, id, object) in objects.sorted(by: { $0.id < $1.id }) { insert(object, id, of: isa) }
    var last: Range<Int>?
    for range in removals.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let open = last, range.lowerBound < open.upperBound {
        last = open.lowerBound..<max(open.upperBound, range.upperBound)
      } else {
        if let last { edits.remove(last) }
        last = range
      }
    }
    if let last { edits.remove(last) }
    return edits.isDisjoint ? edits.applied(to: list.bytes) : nil
  }

  // MARK: Languages

  /// Adds a language to `knownRegions` unless the list already contains it in any spelling. A project without this list is reported.
  mutating func add(_ language: LocaleIdentifier) {
    guard !project.knownRegions.contains(language), regions.insert(language.rawValue).inserted else { return }
    guard let known = list.value("knownRegions", of: project.objects.root), list.kind(of: known) == .array else {
      diagnostics.append(
        project.objects.note(
          "the project has no knownRegions, so \(language) cannot be added", at: project.objects.root,
          severity: .warning,
          hint: "add the language in Xcode: Project, Info, Localizations"))
      return
    }
    append(Self.quoted(language.rawValue), to: known)
  }

  // MARK: Files

  /// Adds the file of a language to the variant groups that contain `source`, the file of the source language, if there are such groups. A
  /// synchronized folder needs no entry.
  mutating func add(_ file: TreePath, in language: LocaleIdentifier, beside source: TreePath) {
    for group in variantGroups(holding: source) {
      let children = project.objects.objects("children", of: group)
      guard !children.contains(where: { project.paths[$0] == file }) else { continue }
      guard let list = list.value("children", of: group), let place = place(of: file, in: group) else {
        diagnostics.append(
          project.objects.note(
            "\(file) cannot be added to its group: it is outside the project's folder", at: group, severity: .warning,
            hint: "add the file to the localizations of \(source.name) in Xcode"))
        continue
      }
      let type = file.ending == "stringsdict" ? "text.plist.stringsdict" : "text.plist.strings"
      let id = identifier(for: file, in: group)
      let name = Self.quoted(language.rawValue)
      let object =
        "\(id) /* \(Self.comment(language.rawValue)) */ = {isa = PBXFileReference; lastKnownFileType = \(type); "
        + "name = \(name); path = \(Self.quoted(place.path)); sourceTree = \(Self.quoted(place.tree)); };"
      add(object, id, of: "PBXFileReference")
      append("\(id) /* \(Self.comment(language.rawValue)) */", to: list)
    }
  }

  func variantGroups(holding source: TreePath) -> [OldStyleNode] {
    var found: [OldStyleNode] = []
    for file in project.paths.files where project.paths[file] == source {
      guard let group = project.paths.groups[file], project.objects.isKind("PBXVariantGroup", group),
        !found.contains(group)
      else { continue }
      found.append(group)
    }
    return found
  }

  func place(of file: TreePath, in group: OldStyleNode) -> (path: String, tree: String)? {
    if let folder = project.paths[group], let path = file.relative(to: folder) { return (path.text, "<group>") }
    return project.sourceRoot.flatMap { file.relative(to: $0) }.map { ($0.text, "SOURCE_ROOT") }
  }

  /// Returns an identifier of 24 hexadecimal digits that no object of the file has. The identifier is the same whenever the same file is added to the
  /// same group.
  /// - Parameter purpose: a text that distinguishes several objects for one file.
  mutating func identifier(
    for file: TreePath, in group: OldStyleNode, purpose: String = "dragoman file reference"
  ) -> String {
    if taken.isEmpty, let objects = list.value("objects", of: list.root) {
      taken = Set(list.members(of: objects).map { list.text($0.key) })
    }
    let name = project.objects.text("name", of: group) ?? project.objects.text("path", of: group) ?? ""
    var count = 0
    while true {
      var digest = ContentDigest()
      for part in [purpose, project.path.text, name, file.text] { digest.update(text: part) }
      digest.update(number: count)
      let id = digest.finish().prefix(12).map { byte in
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
      }.joined()
      if taken.insert(id).inserted { return id }
      count += 1
    }
  }

  mutating func add(_ object: String, _ id: String, of isa: StaticString) { objects.append((isa, id, object)) }

  /// Inserts an object among the objects of its kind, in the order of their identifiers.
  private mutating func insert(_ object: String, _ id: String, of isa: StaticString) {
    guard let objects = list.value("objects", of: list.root) else { return }
    let members = list.members(of: objects).filter { project.objects.isKind(isa, $0.value) }
    guard let last = members.last else { return }
    let next = members.first { list.text($0.key) > id }
    // A new object cannot be inserted after an object that is removed.
    if let next = next ?? (isRemoved(list.range(of: last.value)) ? last : nil) {
      let start = list.range(of: next.key).lowerBound
      let line = lineStart(of: start)
      let indentation = line.map { Array(list.bytes[$0..<start]) } ?? []
      edits.insert(indentation + Array(object.utf8) + (line == nil ? [0x20] : lineBreak), at: line ?? start)
    } else {
      let start = list.range(of: last.key).lowerBound
      let lead = lineStart(of: start).map { lineBreak + Array(list.bytes[$0..<start]) } ?? [0x20]
      edits.insert(lead + Array(object.utf8), at: list.end(of: last))
    }
  }

  // MARK: Bytes

  mutating func replace(_ range: Range<Int>, with text: String) { edits.replace(range, with: Array(text.utf8)) }

  mutating func insert(_ text: String, at offset: Int) { edits.insert(Array(text.utf8), at: offset) }

  /// Removes bytes. Also removes their line if it has no other content.
  mutating func remove(_ range: Range<Int>) {
    var end = range.upperBound
    while end < list.bytes.count, [0x20, 0x09, 0x0D].contains(list.bytes[end]) { end += 1 }
    if let start = lineStart(of: range.lowerBound), end == list.bytes.count || list.bytes[end] == 0x0A {
      removals.append(start..<min(end + 1, list.bytes.count))
    } else {
      removals.append(range)
    }
  }

  mutating func removeLine(_ range: Range<Int>) { removals.append(range) }

  func isRemoved(_ range: Range<Int>) -> Bool {
    removals.contains { $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound }
  }

  /// Returns the comment that follows a value on its line; `nil` if there is none.
  func comment(behind node: OldStyleNode) -> Range<Int>? {
    var start = list.range(of: node).upperBound
    while start < list.bytes.count, list.bytes[start] == 0x20 || list.bytes[start] == 0x09 { start += 1 }
    guard list.bytes[start...].starts(with: "/*".utf8) else { return nil }
    return list.comment(at: start)
  }

  /// Adds an element to the end of an array, in the layout of the last element.
  mutating func append(_ element: String, to array: OldStyleNode) {
    let close = list.range(of: array).upperBound - 1
    guard let last = Array(list.elements(of: array)).last else {
      let line = lineStart(of: close)
      let indentation = line.map { Array(list.bytes[$0..<close]) }
      let lead = indentation.map { lineBreak + $0 + [0x09] } ?? []
      // An empty array contains only white space or comments, which remain before the new element.
      edits.insert(
        indentation == nil
          ? Array((element + ",").utf8)
          : Array(lead.dropFirst(lineBreak.count)) + Array((element + ",").utf8) + lineBreak,
        at: line ?? close)
      return
    }
    let range = list.range(of: last)
    let tail = range.upperBound..<close
    let comments = list.comments(in: tail)
    let comma = tail.first { offset in
      list.bytes[offset] == UInt8(ascii: ",") && !comments.contains { $0.contains(offset) }
    }
    let lead = lineStart(of: range.lowerBound).map { lineBreak + Array(list.bytes[$0..<range.lowerBound]) } ?? [0x20]
    if let comma {
      edits.insert(lead + Array((element + ",").utf8), at: comma + 1)
    } else if let comment = comments.last, list.bytes[comment.lowerBound + 1] == UInt8(ascii: "/") {
      // A comma after a line comment, or an element on the same line, would become part of the comment.
      edits.insert([UInt8(ascii: ",")], at: range.upperBound)
      edits.insert(
        (lead.starts(with: lineBreak) ? [] : lineBreak) + lead + Array(element.utf8), at: comment.upperBound)
    } else {
      edits.insert([UInt8(ascii: ",")] + lead + Array(element.utf8), at: comments.last?.upperBound ?? range.upperBound)
    }
  }

  /// Returns the start of the line if only white space precedes the offset; otherwise `nil`.
  func lineStart(of offset: Int) -> Int? {
    var index = offset
    while index > 0, list.bytes[index - 1] == 0x20 || list.bytes[index - 1] == 0x09 { index -= 1 }
    return index == 0 || list.bytes[index - 1] == 0x0A || list.bytes[index - 1] == 0x0D ? index : nil
  }

  var lineBreak: [UInt8] {
    guard let first = list.bytes.firstIndex(of: 0x0A) else { return [0x0A] }
    return first > 0 && list.bytes[first - 1] == 0x0D ? [0x0D, 0x0A] : [0x0A]
  }

  /// Returns a text in Xcode's notation: without quotes if it has only letters, digits, `_`, `.`, `/` and `$`.
  static func quoted(_ text: String) -> String {
    let isWord =
      !text.isEmpty
      && text.utf8.allSatisfy {
        switch $0 {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x24, 0x2E, 0x2F, 0x5F: true
        default: false
        }
      }
    // Text with `//` is quoted, because `//` would start a comment.
    if isWord, !text.contains("//") { return text }
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\" + String(scalar)
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Returns a text that can be put into a comment: `*/`, which would end the comment, is split.
  static func comment(_ text: String) -> String { text.replacing("*/", with: "* /") }
}
