import Localization

/// The content of `.gitmodules`: the URL of each submodule, by its path. The file is untrusted.
struct SubmoduleFile {
  static let path: TreePath = ".gitmodules"
  private static let sizeLimit = 1 << 20

  /// The reason why the file cannot be used, such as `line 3 of .gitmodules is not valid`.
  struct Fault: Error, Hashable {
    let detail: String
  }

  /// The URL of each submodule, by path. Submodules without a path or URL, and paths that leave the tree, are omitted.
  private(set) var urls: [TreePath: String] = [:]

  /// - Throws: the first syntax error, or an error for a file larger than 1 MiB.
  init(_ bytes: [UInt8]) throws(Fault) {
    guard bytes.count <= Self.sizeLimit else { throw Fault(detail: ".gitmodules is larger than 1 MiB") }
    var reader = Reader(bytes: bytes)
    var modules: [String: (path: String?, url: String?)] = [:]
    var order: [String] = []
    var section: String?
    while let statement = try reader.next() {
      switch statement {
      case .section(let name, let subsection):
        section = name == "submodule" ? subsection : nil
        if let section, modules.updateValue(modules[section] ?? (nil, nil), forKey: section) == nil {
          order.append(section)
        }
      case .value(let key, let value):
        guard let section else { continue }
        if key == "path" { modules[section]?.path = value }
        if key == "url" { modules[section]?.url = value }
      }
    }
    for name in order {
      guard let module = modules[name], let path = module.path.flatMap(TreePath.init(checking:)), !path.isRoot,
        let url = module.url
      else { continue }
      urls[path] = url
    }
  }

  private enum Statement {
    case section(String, subsection: String?)
    case value(key: String, String)
  }

  /// A parser of the syntax of git's configuration files.
  private struct Reader {
    let bytes: [UInt8]
    private var position = 0
    private var line = 1

    init(bytes: [UInt8]) { self.bytes = bytes }

    private var fault: Fault { Fault(detail: "line \(line) of .gitmodules is not valid") }

    private mutating func take() -> UInt8? {
      guard position < bytes.count else { return nil }
      defer { position += 1 }
      if bytes[position] == UInt8(ascii: "\n") { line += 1 }
      return bytes[position]
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skip(_ characters: String) {
      while let byte = current, characters.utf8.contains(byte) { _ = take() }
    }

    private mutating func skipLine() {
      while let byte = current, byte != UInt8(ascii: "\n") { _ = take() }
    }

    mutating func next() throws(Fault) -> Statement? {
      while true {
        skip(" \t\r\n")
        guard let byte = current else { return nil }
        switch byte {
        case UInt8(ascii: "#"), UInt8(ascii: ";"): skipLine()
        case UInt8(ascii: "["): return try section()
        default:
          let key = name()
          guard !key.isEmpty else { throw fault }
          skip(" \t")
          // A key without a value means `true`. The keys that we use never have this value, so the line is skipped.
          guard current == UInt8(ascii: "=") else {
            skip("\r")
            guard current == nil || "\n#;".utf8.contains(current ?? 0) else { throw fault }
            continue
          }
          _ = take()
          return .value(key: key, try value())
        }
      }
    }

    /// Reads the name of a section or key, and returns it in lower case.
    private mutating func name() -> String {
      var name: [UInt8] = []
      while let byte = current, Self.isNamePart(byte) {
        name.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
        _ = take()
      }
      return String(decoding: name, as: UTF8.self)
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    private mutating func section() throws(Fault) -> Statement {
      _ = take()
      let name = name()
      guard !name.isEmpty else { throw fault }
      skip(" \t")
      var subsection: String?
      if current == UInt8(ascii: "\"") {
        _ = take()
        var text: [UInt8] = []
        while let byte = current, byte != UInt8(ascii: "\"") {
          guard byte != UInt8(ascii: "\n"), byte != 0 else { throw fault }
          _ = take()
          guard byte == UInt8(ascii: "\\") else {
            text.append(byte)
            continue
          }
          guard let escaped = current, escaped != UInt8(ascii: "\n") else { throw fault }
          text.append(escaped)
          _ = take()
        }
        guard take() != nil else { throw fault }
        subsection = String(decoding: text, as: UTF8.self)
      }
      guard take() == UInt8(ascii: "]") else { throw fault }
      return .section(name, subsection: subsection)
    }

    private mutating func value() throws(Fault) -> String {
      skip(" \t")
      var text: [UInt8] = []
      // The length without unquoted spaces at the end.
      var length = 0
      var isQuoted = false
      while let byte = current {
        if byte == UInt8(ascii: "\n") {
          guard !isQuoted else { throw fault }
          break
        }
        if !isQuoted, byte == UInt8(ascii: "#") || byte == UInt8(ascii: ";") {
          skipLine()
          break
        }
        guard byte != 0 else { throw fault }
        _ = take()
        switch byte {
        case UInt8(ascii: "\""): isQuoted.toggle()
        case UInt8(ascii: "\\"):
          if let escaped = try escaped() { text.append(escaped) }
          length = text.count
        default:
          text.append(byte)
          if isQuoted || !" \t\r".utf8.contains(byte) { length = text.count }
        }
      }
      guard !isQuoted else { throw fault }
      return String(decoding: text.prefix(length), as: UTF8.self)
    }

    /// Reads the character after a backslash.
    /// - Returns: the escaped byte; `nil` for an escaped line break, which continues the line.
    private mutating func escaped() throws(Fault) -> UInt8? {
      let fault = fault
      if current == UInt8(ascii: "\r") { _ = take() }
      switch take() {
      case UInt8(ascii: "\n"): return nil
      case UInt8(ascii: "n"): return UInt8(ascii: "\n")
      case UInt8(ascii: "t"): return UInt8(ascii: "\t")
      case UInt8(ascii: "b"): return 0x08
      case UInt8(ascii: "\""): return UInt8(ascii: "\"")
      case UInt8(ascii: "\\"): return UInt8(ascii: "\\")
      default: throw fault
      }
    }
  }
}
