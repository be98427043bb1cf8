import Localization
import Pipeline

/// Functions that play stories and report the rules that are broken.
package enum Simulation {
  package struct Result: Sendable {
    package var story: Story
    package var violations: [Model.Violation]
    /// The steps of the story, one line each; empty unless requested. If only a variant of the story breaks a rule (see `delay`), these are the steps
    /// of that variant. If a pipeline acts differently in two variants, these are the steps of both, the variant without faults first.
    package var log: [String]
  }

  /// Plays a story from beginning to end on the calling thread. If it breaks no rule, its variants are played too (see `delay`).
  package static func play(_ story: Story, logs: Bool = false) -> Result {
    let world = world(after: story, logs: logs)
    guard world.model.violations.isEmpty, let delay = delay(in: story, logs: logs) else {
      return Result(story: story, violations: world.model.violations, log: world.log)
    }
    return Result(story: story, violations: [delay.violation], log: delay.log)
  }

  /// Plays a story and returns the world at its end.
  private static func world(after story: Story, logs: Bool = false) -> World {
    let world = World(story: story, logs: logs)
    do {
      try SimulatedThread.run(on: world.time) { try await StoryPlayer(world: world).play() }
    } catch {
      world.model.violate(.nothingOwed, "the story could not be played to its end: \(error)")
    }
    return world
  }

  /// Plays variants of a story of two pipelines, and returns the first violation, with the steps if requested; `nil` if there is none. The
  /// first variant has no faults of servers. In the other two, the first pipeline's servers are silent most of the time.
  ///
  /// If the worker can run all calls at once, the second pipeline must act in the same way at the same times. If the worker runs only one call at a
  /// time, each call of the second pipeline must run when its turn comes. Faults of the machine are left out, because they affect all pipelines, and
  /// some of them occur after a number of calls or writes of all pipelines.
  private static func delay(in story: Story, logs: Bool) -> (violation: Model.Violation, log: [String])? {
    guard story.setups.count > 1 else { return nil }
    var calm = story
    calm.leastEnd = story.end
    calm.events.removeAll { $0.kind.isMachines || $0.kind.isServers }
    calm.width = 100
    var silent = calm
    silent.events += stride(from: story.end / 8, to: story.end, by: 3600).map {
      StoryEvent(at: $0, pipeline: 0, kind: .silence(minutes: 40), salt: 0)
    }
    silent.events.sort { $0.at < $1.at }
    var narrow = silent
    narrow.width = 1
    let worlds = [calm, silent, narrow].map { world(after: $0, logs: logs) }
    for world in worlds {
      if let violation = world.model.violations.first { return (violation, world.log) }
    }
    let name = story.setups[1].name
    // Later actions are not compared, because they are delayed if a person must merge branches of the first pipeline.
    let end = Duration.seconds(story.end) + StoryPlayer.quietTime
    let activities = worlds.map { world in world.model.activity(of: name).filter { $0.at < end } }
    return difference(activities[1], from: activities[0], name).map { violation in
      (
        violation,
        logs ? ["without faults of servers:"] + worlds[0].log + ["with faults of servers:"] + worlds[1].log : []
      )
    }
  }

  /// Returns a violation for the first difference between two lists of actions; `nil` if there is none. Stages that are due at the same
  /// time run concurrently, so the order of actions at one instant may differ. A branch may be pushed once or twice, depending on whether a
  /// merge runs before or after a commit is read.
  /// - Parameter expected: the actions of the pipeline if no server fails.
  private static func difference(
    _ found: [Model.Activity], from expected: [Model.Activity], _ name: String
  ) -> Model.Violation? {
    var rest = withoutRepeatedPushes(found)[...]
    for one in withoutRepeatedPushes(expected) {
      // Times in fractions of a second can differ in the last digits.
      let near = rest.prefix { $0.at.seconds < one.at.seconds + 1 }
      if let same = near.firstIndex(where: { $0.what == one.what && $0.at.seconds > one.at.seconds - 1 }) {
        rest.remove(at: same)
        continue
      }
      return violation(name, expected: one, found: rest.first)
    }
    return rest.first.map { violation(name, expected: nil, found: $0) }
  }

  /// Returns the activities without pushes of a branch that is pushed again within a second.
  private static func withoutRepeatedPushes(_ activities: [Model.Activity]) -> [Model.Activity] {
    activities.indices.filter { index in
      let one = activities[index]
      return !one.what.hasPrefix("pushed ")
        || !activities[(index + 1)...].contains { $0.what == one.what && $0.at.seconds < one.at.seconds + 1 }
    }.map { activities[$0] }
  }

  private static func violation(
    _ name: String, expected: Model.Activity?, found: Model.Activity?
  ) -> Model.Violation {
    func text(_ activity: Model.Activity?) -> String { activity.map { "\($0.what) at \($0.at)" } ?? "nothing" }
    return Model.Violation(
      rule: .faultsStay,
      text: "\(name): \(text(expected)) if the other pipeline's servers work, but \(text(found)) if they fail")
  }

  /// Removes events from a story as long as the shorter story breaks the same rule.
  package static func shorten(_ result: Result) -> Result {
    guard let rule = result.violations.first?.rule else { return result }
    var best = result
    var size = max(1, best.story.events.count / 2)
    while true {
      var place = 0
      var isShorter = false
      while place < best.story.events.count {
        var story = best.story
        story.events.removeSubrange(place..<min(place + size, story.events.count))
        let attempt = play(story)
        if attempt.violations.contains(where: { $0.rule == rule }) {
          best = attempt
          isShorter = true
        } else {
          place += size
        }
      }
      if size == 1, !isShorter { return best }
      size = max(1, size / 2)
    }
  }
}
