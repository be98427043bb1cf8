internal import Localization
internal import StructuredText

/// Writes changed texts and variations.
extension CatalogSplice {
  /// Changes the forms of a localization, a substitution or a case of a variation. Forms that keep their shape are changed in place.
  mutating func form(
    _ node: JSONNode, from old: VariedText, to new: VariedText, in object: inout JSONObjectEdit
  ) {
    guard old != new else { return }
    switch (old, new) {
    case (.text(let old), .text(let new)):
      guard let unit = document.value("stringUnit", of: node) else { break }
      state(unit, old.state, new.state)
      if !old.value.isExactly(new.value), let value = document.value("value", of: unit) {
        replace(value, with: .string(new.value))
      }
      return
    case (.phrases(let old), .phrases(let new)):
      guard let set = document.value("stringSet", of: node), let values = document.value("values", of: set) else {
        break
      }
      state(set, old.state, new.state)
      phrases(values, from: old.values, to: new.values)
      return
    case (.plural(let old), .plural(let new)):
      guard let axis = document.value("variations", of: node).flatMap({ document.value("plural", of: $0) }) else {
        break
      }
      return cases(axis, from: keyed(old), to: keyed(new))
    case (.device(let old), .device(let new)):
      guard let axis = document.value("variations", of: node).flatMap({ document.value("device", of: $0) }) else {
        break
      }
      return cases(axis, from: keyed(old), to: keyed(new))
    default: break
    }
    for name in ["stringUnit", "stringSet", "variations"] as [StaticString] {
      if let member = document.member(name, of: node) { object.remove(member) }
    }
    let member = CatalogValues.form(new)
    object.add(member.key, member.value)
  }

  private func keyed<Case: RawRepresentable<String>>(_ cases: [Case: VariedText]) -> [String: VariedText] {
    Dictionary(cases.map { ($0.key.rawValue, $0.value) }) { first, _ in first }
  }

  private mutating func cases(_ axis: JSONNode, from old: [String: VariedText], to new: [String: VariedText]) {
    var object = JSONObjectEdit(axis, of: document, style: style)
    var seen: Set<String> = []
    for member in document.members(of: axis) {
      let name = document.string(member.key)
      seen.insert(name)
      switch (old[name], new[name]) {
      case (let old?, let new?):
        var inner = JSONObjectEdit(member.value, of: document, style: style)
        form(member.value, from: old, to: new, in: &inner)
        inner.apply(to: &edits, precedes: CatalogOrder.precedes)
      case (_?, nil): object.remove(member)
      case (nil, let new?): replace(member.value, with: .object([CatalogValues.form(new)]))
      case (nil, nil): break
      }
    }
    for (name, text) in new where !seen.contains(name) { object.add(name, .object([CatalogValues.form(text)])) }
    object.apply(to: &edits, precedes: CatalogOrder.precedes)
  }

  private mutating func phrases(_ array: JSONNode, from old: [String], to new: [String]) {
    let nodes = document.elements(of: array)
    if nodes.count == new.count, old.count == new.count {
      for (node, (old, new)) in zip(nodes, zip(old, new)) where !old.isExactly(new) {
        replace(node, with: .string(new))
      }
    } else {
      replace(array, with: CatalogValues.phrases(new))
    }
  }

  private mutating func state(_ unit: JSONNode, _ old: TranslationState, _ new: TranslationState) {
    guard old != new else { return }
    if let member = document.member("state", of: unit) {
      replace(member.value, with: .string(new.rawValue))
    } else {
      var object = JSONObjectEdit(unit, of: document, style: style)
      object.add("state", .string(new.rawValue))
      object.apply(to: &edits, precedes: CatalogOrder.precedes)
    }
  }
}
