import CatalogFormats
import Localization
import StructuredText
import TestSupport

/// Random String Catalogs as trees. The catalogs contain texts, phrases, plural and device forms, substitutions, and fields of a newer Xcode. Each
/// text is unique, so tests can trace the texts.
struct RandomCatalogFile {
  var random: SeededGenerator
  private var count = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  static let languages: [UnitKey] = ["de", "en", "fr", "uk"]

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  mutating func words() -> MergeNode {
    count += 1
    return .text("text <\(count)> \"%@\"\n\(["é", "e\u{301}", "\u{2028}", "/"].randomElement(using: &random) ?? "")")
  }

  mutating func state() -> MergeNode {
    .text(["translated", "translated", "needs_review", "machine_translated"].randomElement(using: &random) ?? "")
  }

  mutating func unit() -> MergeNode {
    .members([.init("stringUnit", .members([.init("state", state()), .init("value", words())]))])
  }

  mutating func varied(_ axis: UnitKey, _ cases: [UnitKey]) -> MergeNode {
    let forms = cases.map { MergeNode.Member($0, unit()) }
    return .members([.init("variations", .members([.init(axis, .members(forms))]))])
  }

  mutating func translation() -> MergeNode {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return varied("plural", ["one", "other"])
    case 1: return varied("device", ["mac", "other"])
    case 2:
      let forms = varied("plural", ["one", "other"]).with("formatSpecifier", .text("lld"))
      return unit().with("substitutions", .members([.init("NAME", forms)]))
    case 3:
      return .members([
        .init("stringSet", .members([.init("state", state()), .init("values", .list([words(), words()]))]))
      ])
    default: return unit()
    }
  }

  mutating func entry() -> MergeNode {
    var entry = MergeNode.members([])
    if chance(50) { entry = entry.with("comment", words()) }
    if chance(20) {
      entry = entry.with("extractionState", .text(["manual", "stale"].randomElement(using: &random) ?? ""))
    }
    if chance(10) { entry = entry.with("generatesSymbol", .atom("false")) }
    if chance(10) { entry = entry.with("newerXcode", .members([.init("a", .list([.atom("1.50"), .atom("null")]))])) }
    var translations: [MergeNode.Member] = []
    for language in Self.languages where chance(60) { translations.append(.init(language, translation())) }
    return translations.isEmpty ? entry : entry.with("localizations", .members(translations))
  }

  mutating func catalog(keys: Int = 10) -> MergeNode {
    .members([
      .init("sourceLanguage", .text("en")),
      .init("strings", .members((0..<keys).map { MergeNode.Member(UnitKey("key \($0)"), entry()) })),
      .init("version", .text("1.0")),
    ])
  }

  /// Returns the tree with some entries removed, and with languages, forms and fields of other entries added, changed or removed.
  /// - Parameter keys: the keys of the entries that may change; `nil` for all entries.
  mutating func edited(_ catalog: MergeNode, keys: [UnitKey]? = nil) -> MergeNode {
    var strings = catalog["strings"] ?? .members([])
    for name in keys ?? strings.members?.map(\.name) ?? [] where chance(50) {
      guard let entry = strings[name] else { continue }
      strings = strings.with(name, chance(10) ? nil : edited(entry: entry))
    }
    return catalog.with("strings", strings)
  }

  mutating func edited(entry: MergeNode) -> MergeNode {
    var entry = entry
    if chance(20) { entry = entry.with("comment", words()) }
    if chance(20) { entry = entry.with("extractionState", .text("stale")) }
    var translations = entry["localizations"] ?? .members([])
    for language in Self.languages where chance(40) {
      translations = translations.with(language, edited(translation: translations[language]))
    }
    return entry.with("localizations", translations.members?.isEmpty == true ? nil : translations)
  }

  mutating func edited(translation: MergeNode?) -> MergeNode? {
    guard let translation, chance(80) else { return chance(30) ? nil : self.translation() }
    return edited(form: translation)
  }

  private mutating func edited(form: MergeNode) -> MergeNode {
    guard case .members(let members) = form else { return form }
    if form["value"] != nil { return chance(30) ? form.with("state", state()) : form.with("value", words()) }
    if form["values"] != nil { return form.with("values", .list([words()])) }
    var form = form
    for member in members where chance(70) && member.node.members != nil {
      form = form.with(member.name, edited(form: member.node))
    }
    if let cases = form["variations"]?["plural"], chance(40) {
      form = form.with("variations", .members([.init("plural", cases.with("few", unit()))]))
    }
    return form
  }

  /// Returns the bytes of the tree in Xcode's layout.
  static func bytes(_ node: MergeNode) -> [UInt8] {
    var output: [UInt8] = []
    JSONPrinter(.xcode).print(value(node), into: &output)
    return output
  }

  private static func value(_ node: MergeNode) -> JSONValue {
    switch node {
    case .text(let text): .string(text)
    case .atom(let spelling): .literal(spelling)
    case .list(let nodes): .array(nodes.map(value))
    case .members(let members):
      .object(
        members.sorted { CatalogOrder.precedes($0.name.text, $1.name.text) }.map {
          JSONValue.Member($0.name.text, value($0.node))
        })
    }
  }

  /// Returns all texts of a tree that a person or a machine wrote: values, phrases and comments.
  static func texts(_ node: MergeNode) -> Set<UnitKey> {
    switch node {
    case .text(let text): text.contains("<") ? [UnitKey(text)] : []
    case .atom: []
    case .list(let nodes): nodes.reduce(into: []) { $0.formUnion(texts($1)) }
    case .members(let members): members.reduce(into: []) { $0.formUnion(texts($1.node)) }
    }
  }
}
