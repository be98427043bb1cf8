import Localization

/// Finds new strings on frozen branches.
struct FreezeCheck {
  let heads: [WatchedHead]
  let frozen: [BranchPattern]
  /// The branches that have an earlier compared commit. On other branches, no string counts as new.
  let compared: Set<String>

  /// Returns a warning for each unit that is sent from a frozen branch and was never sent before.
  /// - Parameter candidates: the units that will be sent.
  func findings(_ candidates: [RoundPlanner.Candidate]) -> [Diagnostic] {
    heads.indices.filter { number in
      let branch = heads[number].run.branch
      return compared.contains(branch) && frozen.contains { $0.matches(branch) }
    }.flatMap { number in
      let branch = heads[number].run.branch
      let units = Set(candidates.filter { $0.head == number && $0.source == nil }.map(\.unit))
      return units.sorted().map {
        Diagnostic(
          path: $0.catalog.text, severity: .warning, message: "new string on frozen branch \(branch): \($0.key)",
          hint: "remove the string from \(branch), or take the branch out of rounds.freeze")
      }
    }
  }
}
