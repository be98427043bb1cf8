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
    let world = World(story: story, logs: logs)
    do {
      try SimulatedThread.run(on: world.time) { try await StoryPlayer(world: world).play() }
    } catch {
      world.model.violate(.nothingOwed, "the story could not be played to its end: \(error)")
    }
    return Result(story: story, violations: world.model.violations, log: world.log)
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
