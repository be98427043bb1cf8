import Localization
import Pipeline
internal import Synchronization

/// People's actions on branches.
extension People {
  private var remote: RemoteRepository { pipeline.remote }
  private var history: GitHistory { world.history }

  private mutating func releases() -> [String] {
    remote.branches.map(\.name).filter { $0.hasPrefix("release/") }
  }

  mutating func createBranch() -> String? {
    guard let head = remote.head(of: "main") else { return nil }
    let name = "release/\(random.below(4))"
    guard remote.head(of: name) == nil else { return nil }
    remote.move(name, to: head)
    return "create \(name)"
  }

  mutating func deleteBranch() -> String? {
    guard let name = random.pick(releases()) else { return nil }
    remote.move(name, to: nil)
    return "delete \(name)"
  }

  mutating func recreateBranch() -> String? {
    guard let name = random.pick(releases()), let head = remote.head(of: "main") else { return nil }
    remote.move(name, to: nil)
    remote.move(name, to: head)
    return "create \(name) anew"
  }

  mutating func mergeBranch() -> String? {
    guard let name = random.pick(releases()) else { return nil }
    return merge(name, into: "main", .merge)
  }

  /// Merges the pull request of a delivery branch.
  mutating func mergeDelivery(_ style: StoryEvent.MergeStyle, keepsBranch: Bool) -> String? {
    let open = pipeline.watched.map(\.name).filter { pipeline.target(for: $0) != $0 }
      .filter { remote.head(of: pipeline.target(for: $0)) != nil }
    guard let watched = random.pick(open) else { return nil }
    let target = pipeline.target(for: watched)
    guard let done = merge(target, into: watched, style) else { return nil }
    if !keepsBranch { remote.move(target, to: nil) }
    return done + (keepsBranch ? "" : ", branch deleted")
  }

  /// Merges a watched branch into its delivery branch, as a person does after a request. If translations conflict, the translation of the delivery
  /// branch wins.
  mutating func mergeByHand(_ watched: String) -> String? {
    let target = pipeline.target(for: watched)
    guard let head = remote.head(of: watched), let tip = remote.head(of: target),
      let ours = history[tip]?.tree, let theirs = history[head]?.tree
    else { return nil }
    let base = history.mergeBase(head, tip).flatMap { history[$0]?.tree } ?? FileTree()
    world.model.checkConflict(base: base, delivery: ours, head: theirs, "\(pipeline.name), \(watched)")
    let merged = PersonMerge.merge(base: base, ours: ours, theirs: theirs)
    remote.move(target, to: make(merged, parents: [tip, head], message: "Merge \(watched) by hand"))
    return "merge \(watched) into \(target) by hand"
  }

  /// Closes a pull request without merging it, and deletes its branch.
  mutating func closeDelivery() -> String? {
    let targets = pipeline.watched.map { pipeline.target(for: $0.name) }
      .filter { $0.hasPrefix("l10n/") || $0.hasPrefix("translations/") }.filter { remote.head(of: $0) != nil }
    guard let target = random.pick(targets) else { return nil }
    remote.move(target, to: nil)
    return "close \(target)"
  }

  /// Resets main to an earlier commit. This may also drop merges.
  mutating func forcePush(_ count: Int) -> String? {
    guard let head = remote.head(of: "main") else { return nil }
    var place = head
    for _ in 0..<count {
      guard let parent = history[place]?.info.parents.first else { break }
      place = parent
    }
    guard place != head else { return nil }
    remote.move("main", to: place)
    return "force-push main back to \(place.short)"
  }

  private mutating func merge(_ branch: String, into watched: String, _ style: StoryEvent.MergeStyle) -> String? {
    guard let head = remote.head(of: watched), let tip = remote.head(of: branch), !history.isAncestor(tip, of: head),
      let ours = history[head]?.tree, let theirs = history[tip]?.tree
    else { return nil }
    let base = history.mergeBase(head, tip).flatMap { history[$0]?.tree } ?? FileTree()
    let merged = PersonMerge.merge(base: base, ours: ours, theirs: theirs)
    switch style {
    case .merge:
      remote.move(watched, to: make(merged, parents: [head, tip], message: "Merge \(branch)"))
    case .squash:
      guard merged != ours else { return nil }
      remote.move(watched, to: make(merged, parents: [head], message: "Translations (squashed)"))
    case .fastForward:
      guard history.isAncestor(head, of: tip) else { return nil }
      remote.move(watched, to: tip)
    case .rebase:
      var place = head
      for commit in history.history(of: tip, excluding: head).reversed() where commit.info.parents.count == 1 {
        guard let before = commit.info.parents.first.flatMap({ history[$0]?.tree }), let current = history[place]?.tree
        else { continue }
        let tree = PersonMerge.merge(base: before, ours: current, theirs: commit.tree)
        if tree != current {
          place = make(tree, parents: [place], message: commit.info.message, as: commit.info.author)
        }
      }
      guard place != head else { return nil }
      remote.move(watched, to: place)
    }
    return "\(style) \(branch) into \(watched)"
  }
}
