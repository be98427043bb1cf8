/// Inserts returned forms into the catalog's translation, or creates a translation from them.
struct FormAssembly {
  let source: SourceForms
  let present: Translation?

  /// Returns the translation with the returned forms, and the indices of the forms that do not fit into it. The translation is `nil` if no form
  /// fits.
  func assemble(_ forms: [(path: VariationPath, leaf: VariedLeaf)]) -> (translation: Translation?, misfits: [Int]) {
    var misfits = Set(forms.indices.filter { !isPossible(forms[$0].path) })
    var text: VariedText? = present?.text
    if let varied = overriding(forms, misfits) { text = varied }
    var whole = Translation(
      text: text ?? .text(StringUnit(state: .new, value: "")), substitutions: present?.substitutions ?? [:])
    // Forms in the shape of the present translation, or else of the source text, are inserted first.
    var hasText = text != nil
    let shape = present ?? source.translation
    let firstForm = shape.leaves.first { !$0.path.isRoot }?.path.steps.dropLast()
    let isOwnShape = forms.map { shape[$0.path] != nil || $0.path.steps.dropLast() == firstForm }
    let order = forms.indices.filter { isOwnShape[$0] } + forms.indices.filter { !isOwnShape[$0] }
    for position in order where !misfits.contains(position) {
      let (path, leaf) = forms[position]
      if case .substitution(let name)? = path.steps.first {
        guard let substitution = present?.substitutions[name] ?? source.translation.substitutions[name] else {
          misfits.insert(position)
          continue
        }
        guard whole.set(leaf, at: path) else {
          misfits.insert(position)
          continue
        }
        whole.substitutions[name]?.argumentNumber = substitution.argumentNumber
        whole.substitutions[name]?.formatSpecifier = substitution.formatSpecifier
      } else if !hasText {
        whole.text = VariedText(leaf, at: path.steps[...])
        hasText = true
      } else if !whole.set(leaf, at: path) {
        misfits.insert(position)
      }
    }
    return (misfits.count == forms.count ? nil : whole, misfits.sorted())
  }

  /// Returns the text into which the forms are inserted if varied forms arrive for a text that did not vary ("overriding variation"; xcode-formats.md
  /// D); otherwise `nil`. For devices, the existing text is kept as the fallback, unless a new fallback arrives.
  private func overriding(_ forms: [(path: VariationPath, leaf: VariedLeaf)], _ misfits: Set<Int>) -> VariedText? {
    guard let present, let old = present[.root], present.substitutions.isEmpty else { return nil }
    let own = forms.indices.filter { !misfits.contains($0) }.map { forms[$0].path }
    guard let first = own.first, !own.contains(where: \.isRoot) else { return nil }
    switch first.steps.first {
    case .plural?: return .plural([:])
    case .device?:
      let hasFallback = own.contains { $0.steps.first == .device(.other) }
      return .device(hasFallback ? [:] : [.other: VariedText(old, at: [])])
    default: return nil
    }
  }

  /// Returns whether a catalog may have a form at the path (xcode-formats.md A5). Plural forms and the fallback for devices do not vary further,
  /// plural categories must be CLDR's, and devices must be known. Forms that the translation or the source text already has are allowed.
  private func isPossible(_ path: VariationPath) -> Bool {
    if present?[path] != nil || source.translation[path] != nil { return true }
    for (index, step) in path.steps.enumerated() {
      let isLast = index == path.steps.count - 1
      switch step {
      case .plural(let category): if !isLast || !PluralCategory.all.contains(category) { return false }
      case .device(let device): if !isLast && device == .other || !Device.all.contains(device) { return false }
      case .substitution: if index != 0 || isLast { return false }
      }
    }
    return true
  }
}
