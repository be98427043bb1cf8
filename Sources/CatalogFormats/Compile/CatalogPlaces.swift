internal import Localization
internal import StructuredText

/// Finds the positions of a String Catalog's parts, for diagnostics, and the parts that Apple's compiler rejects but our reader accepts.
final class CatalogPlaces {
  private let tree: CatalogTree
  private lazy var lines = LineMap(tree.document.bytes)
  private lazy var entries: [UnitKey: JSONNode] = {
    var entries: [UnitKey: JSONNode] = [:]
    for member in document.members(of: tree.strings) { entries[UnitKey(document.string(member.key))] = member.value }
    return entries
  }()

  private var document: JSONDocument { tree.document }

  init(_ tree: CatalogTree) { self.tree = tree }

  /// Returns the position of a form. If the form is missing, returns the position of its nearest existing parent, up to the entry; `nil` if the entry
  /// is missing.
  func position(of key: UnitKey, in language: LocaleIdentifier, at path: VariationPath) -> TextPosition? {
    guard var node = entries[key] else { return nil }
    if let localizations = document.value("localizations", of: node),
      let localization = value(language.rawValue, of: localizations)
    {
      node = localization
      for step in path.steps {
        let (folder, name) = Self.names(of: step)
        let parent: JSONNode? =
          folder == "substitutions"
          ? document.value("substitutions", of: node)
          : document.value("variations", of: node).flatMap { value(folder, of: $0) }
        guard let next = parent.flatMap({ value(name, of: $0) }) else { break }
        node = next
      }
    }
    return lines.position(at: document.range(of: node).lowerBound)
  }

  /// Returns errors for content that Apple's compiler rejects but our reader accepts: a `version` that is neither text nor number and, in the
  /// localizations of these languages, missing parts and nested substitutions. Localizations that are not objects, such as `null`, are skipped. The
  /// search ends after about 100 errors.
  func unreadableParts(in languages: Set<LocaleIdentifier>?) -> [Diagnostic] {
    var found: [Diagnostic] = []
    if let version = document.value("version", of: document.root),
      ![.string, .number].contains(document.kind(of: version))
    {
      found.append(error("\"version\" must be a string or a number", at: version))
    }
    var entries = document.cursor(of: tree.strings)
    while let entry = document.next(&entries) {
      guard let localizations = document.value("localizations", of: entry.value) else { continue }
      var members = document.cursor(of: localizations)
      while let localization = document.next(&members) {
        guard document.plainText(localization.value) == nil, document.kind(of: localization.value) == .object else {
          continue
        }
        let language = document.string(localization.key)
        guard languages?.contains(LocaleIdentifier(language)) ?? true, found.count < 100 else { continue }
        let faults =
          missing(in: localization.value).map { (message: "Missing required key '\($0.part)' inside", node: $0.node) }
          + innerSubstitutions(of: localization.value).map {
            (message: "Substitutions must be directly inside", node: $0)
          }
        guard !faults.isEmpty else { continue }
        let inside = ["strings", document.string(entry.key), "localizations", language]
          .map { "'\($0)'" }.joined(separator: " -> ")
        found += faults.map { error("\($0.message) \(inside)", at: $0.node) }
      }
    }
    return found
  }

  private func error(_ message: String, at node: JSONNode) -> Diagnostic {
    let position = lines.position(at: document.range(of: node).lowerBound)
    return Diagnostic(
      path: tree.path.text, line: position.line, column: position.column, severity: .error,
      message: CompileFault.oneLine(message))
  }

  /// Returns the substitutions inside the forms of a localization. Neither Apple's compiler nor our reader supports substitutions at this level.
  private func innerSubstitutions(of localization: JSONNode) -> [JSONNode] {
    func found(in node: JSONNode) -> [JSONNode] {
      document.members(of: node).flatMap { member in
        document.string(member.key, equals: "substitutions") ? [member.value] : found(in: member.value)
      }
    }
    return document.member("variations", of: localization).map { member in
      document.members(of: member.value).flatMap { axis in
        document.members(of: axis.value).flatMap { found(in: $0.value) }
      }
    } ?? []
  }

  private func missing(in localization: JSONNode) -> [(part: String, node: JSONNode)] {
    var found: [(part: String, node: JSONNode)] = []
    let forms = ["stringUnit", "stringSet", "variations"] as [StaticString]
    if !forms.contains(where: { document.value($0, of: localization) != nil }) {
      found.append(("stringUnit", localization))
    }
    addMissing(in: localization, to: &found)
    return found
  }

  /// Collects the missing states and values of texts. The recursion is bounded, because the reader limits the nesting of objects.
  private func addMissing(in node: JSONNode, to found: inout [(part: String, node: JSONNode)]) {
    for member in document.members(of: node) where document.kind(of: member.value) == .object {
      guard document.string(member.key, equals: "stringUnit") else {
        addMissing(in: member.value, to: &found)
        continue
      }
      for part in ["state", "value"] where value(part, of: member.value) == nil { found.append((part, member.value)) }
    }
  }

  private func value(_ name: String, of node: JSONNode) -> JSONNode? {
    for member in document.members(of: node) where document.string(member.key).isExactly(name) { return member.value }
    return nil
  }

  private static func names(of step: VariationStep) -> (folder: String, name: String) {
    switch step {
    case .plural(let category): ("plural", category.rawValue)
    case .device(let device): ("device", device.rawValue)
    case .substitution(let name): ("substitutions", name)
    }
  }
}
