/// Plays stories and says what was wrong.
package enum Simulation {
  package struct Result: Sendable {
    package var story: Story
    package var violations: [Model.Violation]
    /// Every step, one a line; empty unless asked for.
    package var log: [String]
  }

  /// Plays a story from beginning to end on the calling thread.
  package static func play(_ story: Story, logs: Bool = false) -> Result {
    let world = world(after: story, logs: logs)
    var violations = world.model.violations
    if violations.isEmpty, let violation = delay(in: story) { violations.append(violation) }
    return Result(story: story, violations: violations, log: world.log)
  }

  /// The world at the story's end.
  private static func world(after story: Story, logs: Bool = false) -> World {
    let world = World(story: story, logs: logs)
    do {
      try SimulatedThread.run(on: world.time) { try await StoryPlayer(world: world).play() }
    } catch {
      world.model.violate(.nothingOwed, "the story could not be played to its end: \(error)")
    }
    return world
  }

  /// How much later a pipeline may do something because of another one's faults: calls that wait for silent servers take the places of
  /// others, each for a minute.
  private static let tolerance = Duration.seconds(300)

  /// Where a story has two pipelines, plays it with and without the faults of the first one's servers: the second one must do the same
  /// at the same time. Faults of the machine are left out of both, because they strike at a number of calls or writes of all pipelines.
  private static func delay(in story: Story) -> Model.Violation? {
    guard story.setups.count > 1 else { return nil }
    var faulty = story
    faulty.events.removeAll { $0.kind.isMachines }
    var calm = faulty
    calm.events.removeAll { $0.pipeline == 0 && $0.kind.isServers }
    calm.leastEnd = faulty.end
    guard calm.events.count < faulty.events.count else { return nil }
    let name = story.setups[1].name
    let models = [world(after: faulty).model, world(after: calm).model]
    if let violation = models.flatMap(\.violations).first { return violation }
    let found = models[0].activity(of: name)
    for (place, expected) in models[1].activity(of: name).enumerated() {
      guard place < found.count, found[place].at <= expected.at + tolerance else {
        let instead = place < found.count ? "\(found[place].what) at \(found[place].at)" : "nothing"
        return Model.Violation(
          rule: .faultsStay,
          text: "\(name) \(expected.what) at \(expected.at) without the other pipeline's faults; with them \(instead)")
      }
      // What people do next depends on what they find, so the two stories may part.
      if found[place].what != expected.what { return nil }
    }
    return nil
  }

  /// Drops events as long as the same rule is broken without them.
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
