internal import Localization
internal import StructuredText
internal import Yams

/// A reader of YAML text, which returns the values of the text with their places.
struct FileComposer {
  private let faults: FaultList
  private let text: FileText
  private var repeated: RepeatedKeys
  private var values = 0

  /// Reads a YAML file. Repeated keys are reported and skipped.
  /// - Returns: `nil` if the file is not YAML or exceeds `FileLimits`; the reason is added to `faults`.
  static func compose(_ bytes: [UInt8], faults: FaultList) -> FileValue? {
    guard let text = FileText(bytes, faults: faults) else { return nil }
    var composer = FileComposer(faults: faults, text: text, repeated: RepeatedKeys(text.text))
    return composer.compose()
  }

  private mutating func compose() -> FileValue? {
    while true {
      do {
        // The basic resolver leaves numbers and Booleans as text. The encoding is set, because it must not depend on the environment.
        let parser = try Yams.Parser(yaml: repeated.text, resolver: .basic, encoding: .utf8)
        guard let root = try parser.singleRoot() else { return FileValue(place: .start, content: .nothing) }
        return value(root, at: "", depth: 0)
      } catch YamlError.duplicatedKeysInMapping(let keys, let context) {
        guard let key = keys.first else { return nil }
        guard repeated.mask(key, line: context.mark.line, column: context.mark.column) else {
          reportRepeated()
          faults.add(
            "duplicate key `\(key)`",
            at: text.place(line: context.mark.line, column: context.mark.column),
            hint: "this is the first one")
          return nil
        }
      } catch {
        reportRepeated()
        report(error)
        return nil
      }
    }
  }

  /// Reports repeated keys without their key paths, which are not known because the file has other errors.
  private func reportRepeated() {
    for repetition in repeated.masked.values { report(repetition, at: repetition.key) }
  }

  private func report(_ repetition: RepeatedKeys.Repetition, at keyPath: String) {
    faults.add(
      "\(keyPath): duplicate key; the first is on line \(repetition.first)",
      at: text.place(line: repetition.line, column: repetition.column), hint: "keep one of them")
  }

  private func report(_ error: any Error) {
    let conflicts = MergeRegion.all(in: Array(text.text.utf8))
    guard conflicts.isEmpty else {
      for conflict in conflicts {
        let place = Place(line: conflict.start.line, column: conflict.start.column)
        faults.add(conflict.message, at: place, hint: MergeRegion.hint)
      }
      return
    }
    switch error as? YamlError {
    case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      let place = text.place(line: mark.line, column: mark.column)
      if problem.contains("another document") {
        faults.add("a second YAML document starts here", at: place, hint: "write one pipeline per file")
        return
      }
      let context = context.flatMap { $0.text.isEmpty ? nil : "\($0.text) of line \($0.mark.line): " } ?? ""
      faults.add(
        "not YAML: \(context)\(problem)", at: place,
        hint: text.isIndentedWithTab(mark.line) ? "indent with spaces, not tabs" : nil)
    case .reader(let problem, _, _, _): faults.add("not YAML: \(problem)")
    default: faults.add("not YAML: \(error)")
    }
  }

  private mutating func value(_ node: Node, at keyPath: String, depth: Int) -> FileValue? {
    let place = node.mark.map { text.place(line: $0.line, column: $0.column) } ?? .start
    values += 1
    guard values <= FileLimits.values else {
      // The limit is reported only once, for the first value above it.
      if values == FileLimits.values + 1 {
        faults.add("more than \(FileLimits.values) values", at: place, hint: "shorten the file, and use no aliases")
      }
      return nil
    }
    guard depth < FileLimits.depth || node.isScalar else {
      faults.add("more than \(FileLimits.depth) levels of nesting", at: place)
      return nil
    }
    if !node.hasOwnTag {
      faults.add("\(keyPath): YAML tags are not supported in a pipeline file", at: place, hint: "remove the `!…`")
    }
    switch node {
    case .scalar(let scalar):
      let isNothing = scalar.style == .plain && ["", "~", "null", "Null", "NULL"].contains(scalar.string)
      return FileValue(place: place, content: isNothing ? .nothing : .text(scalar.string))
    case .sequence(let sequence):
      var list: [FileValue] = []
      for (index, element) in sequence.enumerated() {
        guard let element = value(element, at: "\(keyPath)[\(index)]", depth: depth + 1) else { return nil }
        list.append(element)
      }
      return FileValue(place: place, content: .list(list))
    case .mapping(let mapping):
      var entries: [FileValue.Entry] = []
      for (key, content) in mapping {
        guard let entry = entry(key, content, at: keyPath, depth: depth) else { return nil }
        if let entry = entry.first { entries.append(entry) }
      }
      return FileValue(place: place, content: .mapping(entries))
    case .alias:
      faults.add("\(keyPath): the alias has no anchor", at: place)
      return nil
    }
  }

  /// Reads an entry of a mapping.
  /// - Returns: `nil` if the value cannot be read; an empty array if the key is repeated or not a text.
  private mutating func entry(_ key: Node, _ content: Node, at keyPath: String, depth: Int) -> [FileValue.Entry]? {
    let place = key.mark.map { text.place(line: $0.line, column: $0.column) } ?? .start
    guard case .scalar(let name) = key else {
      faults.add("\(keyPath.isEmpty ? "the file" : keyPath): a key must be a name", at: place)
      return []
    }
    if let repetition = repeated.masked[name.string] {
      report(repetition, at: keyPath.appendingKey(repetition.key))
      return []
    }
    guard let content = value(content, at: keyPath.appendingKey(name.string), depth: depth + 1) else { return nil }
    return [FileValue.Entry(key: name.string, keyPlace: place, value: content)]
  }
}

extension Node {
  fileprivate var isScalar: Bool { if case .scalar = self { true } else { false } }

  /// Whether the tag is the default tag for the kind of node.
  fileprivate var hasOwnTag: Bool {
    switch self {
    case .scalar: tag == Tag(.str)
    case .sequence: tag == Tag(.seq)
    case .mapping: tag == Tag(.map)
    case .alias: true
    }
  }
}

extension String {
  /// Returns the key path of a key below this key path, in the form of messages: `deliver.mode`, `require["release/*"]`.
  func appendingKey(_ key: String) -> String {
    let isPlain =
      !key.isEmpty && key.unicodeScalars.allSatisfy { $0.isASCII && ($0.properties.isXIDContinue || $0 == "-") }
    guard isPlain else { return "\(self)[\"\(key)\"]" }
    return isEmpty ? key : "\(self).\(key)"
  }
}
