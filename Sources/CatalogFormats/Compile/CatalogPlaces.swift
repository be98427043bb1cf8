internal import Localization
internal import StructuredText

/// Where the parts of a String Catalog stand, for what the compiler says of them.
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

  /// The place of a form: of the nearest part that is there, from the form up to the entry.
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

  /// What Apple's compiler misses in the localizations of these languages: without it nothing is compiled. `null` stands for no
  /// localization.
  func missingParts(in languages: Set<LocaleIdentifier>?) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for entry in document.members(of: tree.strings) {
      guard let localizations = document.value("localizations", of: entry.value) else { continue }
      for localization in document.members(of: localizations) where document.kind(of: localization.value) == .object {
        let language = document.string(localization.key)
        guard languages?.contains(LocaleIdentifier(language)) ?? true, found.count < 100 else { continue }
        for (part, node) in missing(in: localization.value) {
          let position = lines.position(at: document.range(of: node).lowerBound)
          let inside = ["strings", document.string(entry.key), "localizations", language]
            .map { "'\($0)'" }.joined(separator: " -> ")
          found.append(
            Diagnostic(
              path: tree.path.text, line: position.line, column: position.column, severity: .error,
              message: "Missing required key '\(part)' inside \(inside)"))
        }
      }
    }
    return found
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

  /// Every text has a state and a value. The reader bounds how deep objects stand within one another.
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
