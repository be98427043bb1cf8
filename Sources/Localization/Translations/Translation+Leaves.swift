/// One form of a translation: a leaf of `VariedText`.
package enum VariedLeaf: Hashable, Sendable {
  case text(StringUnit)
  case phrases(PhraseSet)

  package var state: TranslationState {
    get {
      switch self {
      case .text(let unit): unit.state
      case .phrases(let set): set.state
      }
    }
    set {
      switch self {
      case .text(var unit):
        unit.state = newValue
        self = .text(unit)
      case .phrases(var set):
        set.state = newValue
        self = .phrases(set)
      }
    }
  }

  /// The text without the state.
  package var words: ExchangeText {
    switch self {
    case .text(let unit): .text(unit.value)
    case .phrases(let set): .phrases(set.values)
    }
  }

  /// The text, or all phrases.
  package var texts: [String] {
    switch self {
    case .text(let unit): [unit.value]
    case .phrases(let set): set.values
    }
  }

  /// The names of all substitutions that the texts reference, with duplicates.
  package var references: [String] { texts.flatMap { FormatString($0).references.map(\.name) } }

  package init(_ words: ExchangeText, state: TranslationState) {
    switch words {
    case .text(let value): self = .text(StringUnit(state: state, value: value))
    case .phrases(let values): self = .phrases(PhraseSet(state: state, values: values))
    }
  }
}

extension ExchangeText {
  /// Returns whether both texts have the same code points. `==` would treat canonically equivalent texts as equal.
  package func isExactly(_ other: ExchangeText) -> Bool {
    switch (self, other) {
    case (.text(let a), .text(let b)): a.isExactly(b)
    case (.phrases(let a), .phrases(let b)): a.count == b.count && zip(a, b).allSatisfy { $0.isExactly($1) }
    default: false
    }
  }

  /// Whether the text, or every phrase, is empty.
  package var isEmpty: Bool {
    switch self {
    case .text(let text): text.isEmpty
    case .phrases(let phrases): phrases.allSatisfy(\.isEmpty)
    }
  }
}

extension Translation {
  /// All forms in the order of `VariationPath`: the forms of the text, then the forms of each substitution, sorted by name.
  package var leaves: [(path: VariationPath, leaf: VariedLeaf)] {
    var found: [(path: VariationPath, leaf: VariedLeaf)] = []
    text.collect(at: .root, into: &found)
    for (name, substitution) in substitutions {
      substitution.forms.collect(at: [.substitution(name)], into: &found)
    }
    return found.sorted { $0.path < $1.path }
  }

  /// The form at a path; `nil` if the translation has no form at this path or varies further below it.
  package subscript(path: VariationPath) -> VariedLeaf? {
    guard case .substitution(let name)? = path.steps.first else { return text.leaf(at: path.steps[...]) }
    return substitutions[name]?.forms.leaf(at: path.steps.dropFirst())
  }

  /// Sets the form at a path and creates missing variations on the path. A new substitution gets no argument number and no specifier; the
  /// caller sets them.
  /// - Returns: `false`, without a change, if the translation at this path varies along another axis, does not vary, or varies further.
  @discardableResult
  package mutating func set(_ leaf: VariedLeaf, at path: VariationPath) -> Bool {
    guard case .substitution(let name)? = path.steps.first else {
      return text.set(leaf, at: path.steps[...])
    }
    if substitutions[name] != nil {
      return substitutions[name]?.forms.set(leaf, at: path.steps.dropFirst()) ?? false
    }
    substitutions[name] = Substitution(
      argumentNumber: nil, formatSpecifier: nil, forms: VariedText(leaf, at: path.steps.dropFirst()))
    return true
  }

  /// Removes the form at a path, and variations that become empty. The text's only form cannot be removed.
  /// - Returns: whether the form was removed.
  @discardableResult
  package mutating func remove(at path: VariationPath) -> Bool {
    guard self[path] != nil, !path.isRoot else { return false }
    guard case .substitution(let name)? = path.steps.first else {
      guard let rest = text.removing(path.steps[...]) else { return false }
      text = rest
      return true
    }
    if let rest = substitutions[name]?.forms.removing(path.steps.dropFirst()) {
      substitutions[name]?.forms = rest
    } else {
      substitutions[name] = nil
    }
    return true
  }

  /// Returns the translation with the given state for all forms except those in the state `new`.
  package func inState(_ state: TranslationState) -> Translation {
    mapLeaves { _, leaf in
      var leaf = leaf
      if leaf.state != .new { leaf.state = state }
      return leaf
    }
  }

  /// Returns the translation with each form replaced by the result of `change` for its path and value.
  package func mapLeaves(_ change: (VariationPath, VariedLeaf) -> VariedLeaf) -> Translation {
    var mapped = self
    mapped.text = text.map(at: .root, change)
    for (name, substitution) in substitutions {
      mapped.substitutions[name]?.forms = substitution.forms.map(at: [.substitution(name)], change)
    }
    return mapped
  }
}

extension VariedText {
  /// Creates a text with only the variations on the path to a form.
  package init(_ leaf: VariedLeaf, at steps: ArraySlice<VariationStep>) {
    switch (steps.first, leaf) {
    case (.plural(let category)?, _): self = .plural([category: VariedText(leaf, at: steps.dropFirst())])
    case (.device(let device)?, _): self = .device([device: VariedText(leaf, at: steps.dropFirst())])
    case (_, .text(let unit)): self = .text(unit)
    case (_, .phrases(let set)): self = .phrases(set)
    }
  }

  package func leaf(at steps: ArraySlice<VariationStep>) -> VariedLeaf? {
    switch (self, steps.first) {
    case (.text(let unit), nil): .text(unit)
    case (.phrases(let set), nil): .phrases(set)
    case (.plural(let forms), .plural(let category)?): forms[category]?.leaf(at: steps.dropFirst())
    case (.device(let forms), .device(let device)?): forms[device]?.leaf(at: steps.dropFirst())
    default: nil
    }
  }

  fileprivate func collect(at path: VariationPath, into found: inout [(path: VariationPath, leaf: VariedLeaf)]) {
    switch self {
    case .text(let unit): found.append((path, .text(unit)))
    case .phrases(let set): found.append((path, .phrases(set)))
    case .plural(let forms):
      for (category, form) in forms { form.collect(at: path.appending(.plural(category)), into: &found) }
    case .device(let forms):
      for (device, form) in forms { form.collect(at: path.appending(.device(device)), into: &found) }
    }
  }

  fileprivate mutating func set(_ leaf: VariedLeaf, at steps: ArraySlice<VariationStep>) -> Bool {
    switch (self, steps.first) {
    case (.text, nil), (.phrases, nil):
      self = VariedText(leaf, at: [])
    case (.plural(var forms), .plural(let category)?):
      if var form = forms[category] {
        guard form.set(leaf, at: steps.dropFirst()) else { return false }
        forms[category] = form
      } else {
        forms[category] = VariedText(leaf, at: steps.dropFirst())
      }
      self = .plural(forms)
    case (.device(var forms), .device(let device)?):
      if var form = forms[device] {
        guard form.set(leaf, at: steps.dropFirst()) else { return false }
        forms[device] = form
      } else {
        forms[device] = VariedText(leaf, at: steps.dropFirst())
      }
      self = .device(forms)
    default:
      return false
    }
    return true
  }

  /// Returns the text without the form; `nil` if nothing remains.
  fileprivate func removing(_ steps: ArraySlice<VariationStep>) -> VariedText? {
    switch (self, steps.first) {
    case (.plural(var forms), .plural(let category)?):
      forms[category] = forms[category]?.removing(steps.dropFirst())
      return forms.isEmpty ? nil : .plural(forms)
    case (.device(var forms), .device(let device)?):
      forms[device] = forms[device]?.removing(steps.dropFirst())
      return forms.isEmpty ? nil : .device(forms)
    case (_, nil): return nil
    default: return self
    }
  }

  fileprivate func map(at path: VariationPath, _ change: (VariationPath, VariedLeaf) -> VariedLeaf) -> VariedText {
    switch self {
    case .text(let unit): VariedText(change(path, .text(unit)), at: [])
    case .phrases(let set): VariedText(change(path, .phrases(set)), at: [])
    case .plural(let forms):
      .plural(Dictionary(uniqueKeysWithValues: forms.map { ($0, $1.map(at: path.appending(.plural($0)), change)) }))
    case .device(let forms):
      .device(Dictionary(uniqueKeysWithValues: forms.map { ($0, $1.map(at: path.appending(.device($0)), change)) }))
    }
  }
}

extension VariedLeaf {
  /// The form as shown to people.
  package var summary: String { texts.joined(separator: " / ") }
}

extension Translation {
  /// The translation as shown to people: its text, or each form with its path.
  package var summary: String {
    leaves.map { $0.path.isRoot ? $0.leaf.summary : "\($0.path.text): \($0.leaf.summary)" }.joined(separator: "; ")
  }
}
