package import Localization
internal import StructuredText

/// The localized images of asset catalogs for bundles (xcode-formats.md C), in the format of Xcode 16.2's exports in the repository
/// vdhamer/Photo-Club-Hub.
///
/// An image set is localized if its Contents.json has `"localizable" : true`. Images without a `locale` belong to the source language. A
/// language without its own images gets copies of the source language's images, with the language in their names: `2_de.png`. Entries
/// without a file are omitted.
package struct LocalizedAssets: Sendable {
  private struct Assets: Sendable {
    var folder: TreePath
    var contents: JSONDocument
    /// The arrays in Contents.json, such as `images` and `symbols`: the key of each array, and its elements with their languages and files.
    var lists: [(key: String, elements: [(node: JSONNode, locale: String?, file: String?)])]
  }

  private var sets: [Assets] = []
  private var bytes: [TreePath: [UInt8]] = [:]
  /// The Contents.json files of the catalogs and groups that contain the sets.
  private var parents: [TreePath: [UInt8]] = [:]
  /// Diagnostics for files that could not be read and for sets that were skipped.
  package private(set) var diagnostics: [Diagnostic] = []

  /// The maximum total size of a tree's images in bytes. Further image sets are skipped with a warning.
  private static let largest = 1 << 28
  private static let contents = "Contents.json"

  package init(in tree: any SourceTree) {
    var size = 0
    var unread: [TreeError] = []
    /// The files that were reported.
    var told: Set<TreePath> = []
    let places = tree.walk(
      skipping: { $0.ending == "xcloc" || $0.name.hasPrefix(".") }, unreadable: { unread.append($0) }
    )
    .filter { $0.isFile && $0.path.name == Self.contents }.map(\.path)
    for error in unread where error.kind == .tooLarge { tell(error.path, error.detail) }
    for path in places where path.components.contains(where: { $0.hasSuffix(".xcassets") }) {
      guard let assets = read(path, in: tree) else { continue }
      for file in assets.lists.flatMap({ $0.elements.compactMap(\.file) }) {
        // The value is untrusted input from the repository, so it must be a file name, not a path.
        guard !file.contains("/"), let place = TreePath(checking: assets.folder.appending(file).text) else { continue }
        let read: [UInt8]
        do { read = try tree.read(place) } catch {
          if told.insert(place).inserted { tell(place, "not exported: \(error.detail)") }
          continue
        }
        size += read.count
        guard size <= Self.largest else {
          tell(path, "skipped this and all later image sets: the images have more than \(Self.largest) bytes")
          return
        }
        bytes[place] = read
      }
      sets.append(assets)
      var folder = assets.folder.parent
      while folder.components.contains(where: { $0.hasSuffix(".xcassets") }) {
        let place = folder.appending(Self.contents)
        do { parents[place] = try tree.read(place) } catch {
          // A folder in an asset catalog needs no Contents.json.
          if error.kind != .notFound, told.insert(place).inserted { tell(place, "not exported: \(error.detail)") }
        }
        folder = folder.parent
      }
    }
  }

  private mutating func tell(_ path: TreePath, _ message: String) {
    diagnostics.append(Diagnostic(path: path.text, severity: .warning, message: message))
  }

  private mutating func read(_ path: TreePath, in tree: any SourceTree) -> Assets? {
    let document: JSONDocument
    do {
      document = try JSONDocument.parse(try tree.read(path), limits: JSONLimits(depth: 32, size: 1 << 20))
    } catch let error as SyntaxError {
      diagnostics += InputFault(error, path: path.text).diagnostics.map {
        Diagnostic(path: $0.path, line: $0.line, column: $0.column, severity: .warning, message: $0.message)
      }
      return nil
    } catch {
      tell(path, "skipped this image set: Contents.json cannot be read")
      return nil
    }
    guard document.kind(of: document.root) == .object,
      let properties = document.value("properties", of: document.root), document.kind(of: properties) == .object,
      document.value("localizable", of: properties).flatMap(document.boolean) == true
    else { return nil }
    var assets = Assets(folder: path.parent, contents: document, lists: [])
    for member in document.members(of: document.root) where document.kind(of: member.value) == .array {
      let elements = document.elements(of: member.value).filter { document.kind(of: $0) == .object }
      assets.lists.append(
        (
          document.stringValue(member.key) ?? "",
          elements.map { element in
            (
              element, document.value("locale", of: element).flatMap(document.stringValue),
              document.value("filename", of: element).flatMap(document.stringValue)
            )
          }
        ))
    }
    return assets
  }

  /// The source language's images and the `Contents.json` files, by project path.
  package var sourceContents: [TreePath: [UInt8]] {
    var files = sets.isEmpty ? [:] : parents
    for assets in sets {
      files[assets.folder.appending(Self.contents)] = print(assets) { locale in locale == nil ? .asIs : .none }
      for file in assets.lists.flatMap(\.elements) where file.locale == nil {
        if let name = file.file, let bytes = bytes[assets.folder.appending(name)] {
          files[assets.folder.appending(name)] = bytes
        }
      }
    }
    return files
  }

  /// Returns the images of a language and the `Contents.json` files, by project path.
  package func localizedContents(for language: LocaleIdentifier) -> [TreePath: [UInt8]] {
    var files = sets.isEmpty ? [:] : parents
    for assets in sets {
      let own = assets.lists.flatMap(\.elements).filter { $0.locale == language.rawValue && $0.file != nil }
      let isOwn = !own.isEmpty
      files[assets.folder.appending(Self.contents)] = print(assets) { locale in
        isOwn ? (locale == language.rawValue ? .asIs : .none) : (locale == nil ? .copied(language.rawValue) : .none)
      }
      for file in isOwn ? own : assets.lists.flatMap(\.elements).filter({ $0.locale == nil }) {
        guard let name = file.file, let bytes = bytes[assets.folder.appending(name)] else { continue }
        files[assets.folder.appending(isOwn ? name : Self.copy(of: name, language.rawValue))] = bytes
      }
    }
    return files
  }

  /// Returns the name for a language's copy of an image: `2_de.png` for `2.png`.
  private static func copy(of name: String, _ language: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "\(name)_\(language)" }
    return "\(name[..<dot])_\(language)\(name[dot...])"
  }

  /// Returns the members of an image entry in Xcode's order (15.3 and 16.2). Only entries that the export creates are sorted. Entries that are copied
  /// from the project keep the order of their members.
  private static func ordered(_ members: [JSONValue.Member]) -> [JSONValue.Member] {
    let order = ["locale", "appearances", "idiom", "filename", "scale"]
    let ranked = members.enumerated().sorted { a, b in
      let (left, right) = (order.firstIndex(of: a.element.key), order.firstIndex(of: b.element.key))
      return (left ?? order.count, a.offset) < (right ?? order.count, b.offset)
    }
    return ranked.map(\.element)
  }

  private enum Use {
    case asIs, none, copied(String)
  }

  /// Prints a Contents.json with only some of its images. `use` decides for each image by its language.
  private func print(_ assets: Assets, _ use: (String?) -> Use) -> [UInt8] {
    let document = assets.contents
    let members = document.members(of: document.root).map { member -> JSONValue.Member in
      let key = document.stringValue(member.key) ?? ""
      guard let list = assets.lists.first(where: { $0.key.isExactly(key) }) else {
        return JSONValue.Member(key, value(member.value, of: document))
      }
      let kept = list.elements.compactMap { element -> JSONValue? in
        switch element.file == nil ? .none : use(element.locale) {
        case .none: return nil
        case .asIs: return value(element.node, of: document)
        case .copied(let language):
          guard case .object(let members) = value(element.node, of: document) else { return nil }
          let named = members.map { member -> JSONValue.Member in
            guard member.key == "filename", case .string(let name) = member.value else { return member }
            return JSONValue.Member(member.key, .string(Self.copy(of: name, language)))
          }
          return .object(Self.ordered(named + [JSONValue.Member("locale", .string(language))]))
        }
      }
      return JSONValue.Member(key, .array(kept))
    }
    var output: [UInt8] = []
    JSONPrinter(.xcode).print(.object(members), into: &output)
    return output
  }

  /// Converts a value. The recursion is bounded by the parser's depth limit.
  private func value(_ node: JSONNode, of document: JSONDocument) -> JSONValue {
    switch document.kind(of: node) {
    case .object:
      .object(
        document.members(of: node).map {
          JSONValue.Member(document.stringValue($0.key) ?? "", value($0.value, of: document))
        })
    case .array: .array(document.elements(of: node).map { value($0, of: document) })
    default:
      document.stringValue(node).map { .string($0) }
        ?? .literal(String(decoding: document.bytes[document.range(of: node)], as: UTF8.self))
    }
  }
}
