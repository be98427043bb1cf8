internal import Localization

/// Merges the translations of an entry by language, then by form. A text and its state are merged as one unit. A translation is also merged as one
/// unit if the shapes of its sides differ, for example if one side has a plain text and the other plural forms.
struct FormMerge {
  var merge: ThreeWayMerge
  let sourceLanguage: String
  let asksForReview: Bool

  private static let shapes: [UnitKey] = ["stringUnit", "stringSet", "variations"]

  mutating func localizations(_ sides: MergeSides) -> MergeNode? {
    if let resolved = sides.resolved { return resolved.node }
    guard sides.ours == nil || sides.ours.isMembers, sides.theirs == nil || sides.theirs.isMembers else {
      return merge.merge(sides, at: ["localizations"])
    }
    let node = MergeNode.members(
      sides.names.compactMap { name in
        localization(sides[name], language: name.text).map { MergeNode.Member(name, $0) }
      })
    // An entry without translations has no `localizations`.
    return node.members?.isEmpty == true ? nil : node
  }

  private mutating func localization(_ sides: MergeSides, language: String) -> MergeNode? {
    if let resolved = sides.resolved { return resolved.node }
    let isTarget = language != sourceLanguage
    guard let ours = sides.ours, let theirs = sides.theirs else {
      return removal(sides, at: [language], isTarget: isTarget)
    }
    guard ours.members != nil, theirs.members != nil else { return merge.merge(sides, at: [language]) }
    var inner = self
    let node = inner.form(sides, language: language, steps: [], isTarget: isTarget)
    if let node, Self.isWhole(sides) {
      self = inner
      return node
    }
    return whole(sides, at: [language], isTarget: isTarget)
  }

  /// Returns whether texts and substitutions can be merged separately. A text references its substitutions by name. If the sides changed the
  /// text differently and the names of their substitutions differ, text and substitutions must be merged as one unit.
  private static func isWhole(_ sides: MergeSides) -> Bool {
    let texts = sides["stringUnit"]["value"]
    guard texts.resolved == nil else { return true }
    let names = sides["substitutions"].map { .members(($0.members ?? []).map { .init($0.name, .members([])) }) }
    return (names.ours ?? .members([])) == (names.theirs ?? .members([]))
  }

  /// Merges a localization, a substitution or a case of a variation.
  /// - Returns: `nil` if the sides cannot be merged part by part.
  private mutating func form(_ sides: MergeSides, language: String, steps: [String], isTarget: Bool) -> MergeNode? {
    if let resolved = sides.resolved { return resolved.node }
    guard let ours = sides.ours, let theirs = sides.theirs, ours.members != nil, theirs.members != nil,
      Self.shape(of: ours) == Self.shape(of: theirs)
    else { return nil }
    var merged: [MergeNode.Member] = []
    for name in sides.names {
      let (inner, place) = (sides[name], [language] + (steps.isEmpty ? [] : [steps.joined(separator: ".")]))
      let node: MergeNode?
      switch name {
      case "stringUnit", "stringSet": node = unit(inner, at: place, isTarget: isTarget)
      case "variations":
        guard let cases = nested(inner, depth: 2, language: language, steps: steps, isTarget: isTarget) else {
          return nil
        }
        node = cases
      case "substitutions" where steps.isEmpty:
        guard
          let forms = nested(inner, depth: 1, language: language, steps: ["substitutions"], isTarget: isTarget)
        else { return nil }
        node = forms.members?.isEmpty == true ? nil : forms
      default: node = merge.merge(inner, at: place + [name.text])
      }
      if let node { merged.append(MergeNode.Member(name, node)) }
    }
    return .members(merged)
  }

  /// Merges the variations of a form, or the substitutions of a localization, each under its own name. A side may have none of them. Returns `nil` if
  /// the sides cannot be merged part by part.
  /// - Parameter depth: the number of levels down to a form: two for an axis and its case, one for a substitution.
  private mutating func nested(
    _ sides: MergeSides, depth: Int, language: String, steps: [String], isTarget: Bool
  ) -> MergeNode? {
    if let resolved = sides.resolved { return resolved.node ?? .members([]) }
    guard sides.ours == nil || sides.ours.isMembers, sides.theirs == nil || sides.theirs.isMembers else { return nil }
    var merged: [MergeNode.Member] = []
    for name in sides.names {
      let (inner, path) = (sides[name], steps + [name.text])
      var node: MergeNode?
      if let resolved = inner.resolved {
        node = resolved.node
      } else if depth > 1 {
        guard let cases = nested(inner, depth: depth - 1, language: language, steps: path, isTarget: isTarget),
          cases.members?.isEmpty == false
        else { return nil }
        node = cases
      } else if inner.ours == nil || inner.theirs == nil {
        node = removal(inner, at: [language, path.joined(separator: ".")], isTarget: isTarget)
      } else {
        guard let form = form(inner, language: language, steps: path, isTarget: isTarget) else { return nil }
        node = form
      }
      if let node { merged.append(MergeNode.Member(name, node)) }
    }
    return .members(merged)
  }

  /// Returns the members that determine the shape of a form (`stringUnit`, `stringSet`, `variations`), and the axes of its variations.
  private static func shape(of node: MergeNode) -> Set<String> {
    var found: Set<String> = []
    for name in shapes {
      guard let part = node[name] else { continue }
      found.insert(name.text)
      if name == "variations" { found.formUnion((part.members ?? []).map { "variations.\($0.name.text)" }) }
    }
    return found
  }

  /// Merges sides that cannot be merged part by part. In a target language, a translated side wins over an untranslated side. Otherwise our side is
  /// kept and a conflict is reported; with `asksForReview`, its finished translations are marked for review.
  private mutating func whole(_ sides: MergeSides, at place: [String], isTarget: Bool) -> MergeNode? {
    guard let ours = sides.ours, let theirs = sides.theirs else { return sides.ours ?? sides.theirs }
    if isTarget, ours.isUntranslated != theirs.isUntranslated { return ours.isUntranslated ? theirs : ours }
    merge.conflict(sides, at: place)
    return isTarget && asksForReview ? ours.afterConflict : ours
  }

  /// Merges a node that one side removed and the other side changed. The node is removed (`nil`) if only translation or extraction states changed, or
  /// if it is in a target language and its texts are untranslated. Otherwise the node is kept and a conflict is reported.
  mutating func removal(_ sides: MergeSides, at place: [String], isTarget: Bool) -> MergeNode? {
    guard let kept = sides.ours ?? sides.theirs else { return nil }
    if let base = sides.base, kept.wordsAlone == base.wordsAlone { return nil }
    if isTarget, kept.isUntranslated { return nil }
    merge.conflict(sides, at: place)
    return kept
  }
}

extension MergeNode? {
  fileprivate var isMembers: Bool { self?.members != nil }
}

extension MergeNode {
  /// The node without translation states, and without extraction states, which Xcode derives from code at every build.
  fileprivate var wordsAlone: MergeNode {
    guard case .members(let members) = self else { return self }
    return .members(
      members.compactMap { member in
        if member.name == "extractionState" || (member.name == "state" && member.node.text != nil) { return nil }
        return Member(member.name, member.node.wordsAlone)
      })
  }

  /// The states of all texts in the node.
  private var states: [String] {
    (members ?? []).flatMap { member in
      member.name == "state" ? [member.node.text ?? ""] : member.node.states
    }
  }

  /// Whether the node contains at least one text and all its texts are untranslated.
  fileprivate var isUntranslated: Bool {
    let states = states
    return !states.isEmpty && states.allSatisfy { $0 == TranslationState.new.rawValue }
  }

  /// The node to keep after a conflict. Its finished texts are marked for review.
  fileprivate var afterConflict: MergeNode {
    guard case .members(let members) = self else { return self }
    return .members(
      members.map { member in
        guard member.name == "state", let state = member.node.text else {
          return Member(member.name, member.node.afterConflict)
        }
        return Member(member.name, .text(TranslationState(rawValue: state).afterConflict.rawValue))
      })
  }
}

extension FormMerge {
  /// Merges a text or a set of phrases, with its state.
  fileprivate mutating func unit(_ sides: MergeSides, at place: [String], isTarget: Bool) -> MergeNode? {
    if let resolved = sides.resolved { return resolved.node }
    guard let ours = sides.ours, let theirs = sides.theirs else { return removal(sides, at: place, isTarget: isTarget) }
    guard let own = Unit(ours), let other = Unit(theirs) else { return merge.merge(sides, at: place) }
    let base = sides.base.flatMap(Unit.init)
    let (merged, isConflict) = words(base, own, other, isTarget: isTarget)
    if isConflict { merge.conflict(sides, at: place) }
    var node = merge.members(sides.without(["state", "value", "values"])) { merge, name, sides in
      merge.merge(sides, at: place + [name.text])
    }
    // The unit's own members come first: state, then value.
    var members: [MergeNode.Member] = []
    if let state = merged.state { members.append(MergeNode.Member("state", .text(state.rawValue))) }
    members.append(MergeNode.Member(merged.name, merged.words))
    node = .members(members + (node.members ?? []))
    return node
  }

  private func words(_ base: Unit?, _ ours: Unit, _ theirs: Unit, isTarget: Bool) -> (Unit, isConflict: Bool) {
    let isOurs = base.map { $0.words != ours.words } ?? true
    let isTheirs = base.map { $0.words != theirs.words } ?? true
    if ours.words == theirs.words {
      var merged = ours
      if !isOurs, let base, base.state == ours.state || base.state == theirs.state {
        merged.state = base.state == ours.state ? theirs.state : ours.state
      } else if let own = ours.state, let other = theirs.state {
        guard let state = TranslationState.merged(own, other) else { return (ours, true) }
        merged.state = state
      } else {
        merged.state = ours.state ?? theirs.state
      }
      return (merged, false)
    }
    if !isOurs || !isTheirs {
      var merged = isOurs ? ours : theirs
      let still = isOurs ? theirs : ours
      if let state = still.state, state != base?.state { merged.state = merged.state?.merged(withChangeOfOther: state) }
      return (merged, false)
    }
    if isTarget, (ours.state == .new) != (theirs.state == .new) { return (ours.state == .new ? theirs : ours, false) }
    var kept = ours
    if isTarget && asksForReview { kept.state = kept.state?.afterConflict }
    return (kept, true)
  }

  private struct Unit {
    var state: TranslationState?
    /// The name of the member with the text: `value` or `values`.
    let name: UnitKey
    let words: MergeNode

    init?(_ node: MergeNode) {
      let state = node["state"]
      guard let name = (["value", "values"] as [UnitKey]).first(where: { node[$0] != nil }), let words = node[name],
        state == nil || state?.text != nil
      else { return nil }
      self.state = (state?.text).map(TranslationState.init(rawValue:))
      self.name = name
      self.words = words
    }
  }
}
