import Localization

/// A story of many pipelines in which every day is like the day before: as many strings are added as removed, all sent units are returned, and all
/// deliveries are merged.
struct SteadyLife {
  var days: Int
  var pipelines: Int

  static let day = 86_400
  private static let hour = 3_600

  var story: Story {
    var story = Story(seed: 1)
    story.setups = (0..<pipelines).map(setup)
    story.events = (0..<pipelines).flatMap { pipeline in (0..<days).flatMap { events(of: pipeline, on: $0) } }
    story.events.sort { ($0.at, $0.pipeline) < ($1.at, $1.pipeline) }
    return story
  }

  private func setup(_ number: Int) -> PipelineSetup {
    PipelineSetup(
      name: number < 10 ? "p0\(number)" : "p\(number)", languages: ["de", "fr"], vendors: number % 3 == 0 ? 2 : 1,
      commitsCatalogs: number % 2 == 0, pushesDirectly: number % 10 == 9, watchesReleases: number % 5 == 0, strings: 12)
  }

  private func events(of pipeline: Int, on day: Int) -> [StoryEvent] {
    let style = StoryEvent.MergeStyle.allCases[day % StoryEvent.MergeStyle.allCases.count]
    var kinds: [(hour: Int, StoryEvent.Kind)] = [(8, .addKeys(1)), (9, .removeKey), (12, .changeSource)]
    // A return contains the texts of one round in one language, so returning all texts takes several returns.
    kinds += [11, 13, 14, 15, 16, 17].map { ($0, .vendorReturns(.all)) }
    kinds.append((20, .mergeDelivery(style, keepsBranch: day % 2 == 0)))
    if day % 3 == 0 { kinds.append((10, .cleanCatalogs)) }
    if day % 5 == 0 { kinds.append((18, .translate(.deliveryBranch))) }
    if day % 7 == 1 { kinds.append((7, .createBranch)) }
    if day % 7 == 5 { kinds.append((21, .deleteBranch)) }
    // The pipelines act at different moments.
    let offset = day * Self.day + pipeline * 67
    var random = SeededRandom(seed: UInt64(pipeline * 1000 + day))
    return kinds.map {
      StoryEvent(at: offset + $0.hour * Self.hour, pipeline: pipeline, kind: $0.1, salt: random.next())
    }
  }
}
