import Localization
import StructuredText

/// A reader of the strings that Xcode exports from an intent definition (xcode-formats.md G). If a dictionary has a text for the key `X` and an id
/// for the key `XID`, the id is the string's key and the text is its value. The string has no comment.
enum IntentDefinitionReader {
  /// Reads one file.
  /// - Parameter catalog: the catalog for the file's strings. A file that cannot be read is a gap in this catalog.
  static func read(_ bytes: [UInt8], at path: TreePath, into catalog: TreePath) -> NonSwiftReading {
    let list: PropertyListValue
    do { list = try PropertyListValue.parse(bytes) } catch {
      return NonSwiftReading(error, reading: "an intent definition", at: path, catalog: catalog)
    }
    guard list.dictionary != nil else {
      let reason = Diagnostic(
        path: path.text, line: list.position.line, column: list.position.column, severity: .warning,
        message: "the outermost value of this intent definition is not a dictionary; no strings extracted")
      return NonSwiftReading(gaps: [.init(reason, catalog: catalog)])
    }
    var strings: [FoundString] = []
    // The values to visit. The reader of binary lists has already limited the number of shared values.
    var pending = [list]
    while let value = pending.popLast() {
      switch value.content {
      case .array(let elements): pending += elements
      case .dictionary(let members):
        let values = Dictionary(members.map { (UnitKey($0.key), $0.value) }) { $1 }
        for member in members {
          pending.append(member.value)
          guard let text = member.value.string, !text.isEmpty, let id = values[UnitKey(member.key + "ID")]?.string,
            !id.isEmpty
          else { continue }
          let place = member.value.position
          strings.append(
            FoundString(
              table: path.stem, catalog: catalog, key: id, value: text, origin: .intents,
              site: ExtractionSite(path: path, line: place.line, column: place.column, api: member.key)))
        }
      default: break
      }
    }
    return NonSwiftReading(strings: strings.sorted { $0.site < $1.site })
  }
}
