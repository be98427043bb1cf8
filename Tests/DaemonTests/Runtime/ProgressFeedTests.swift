import Pipeline
import Testing

@testable import Daemon

struct ProgressFeedTests {
  private let feed = ProgressFeed()
  private let event = ProgressEvent(pipeline: "birds", stage: .watch, state: .began)

  @Test("a listener gets, in order, the events after its last one, and then new events")
  func order() async throws {
    for _ in 0..<3 { feed.note(event) }
    var events = try #require(feed.listen(after: 1)).makeAsyncIterator()
    feed.note(event)
    for number in 2...4 { #expect(await events.next()?.number == number) }
  }

  @Test("listeners that end while events arrive do not stop the feed")
  func endingListeners() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for _ in 0..<50_000 {
          feed.note(event)
          await Task.yield()
        }
      }
      group.addTask {
        // With this many listeners, a feed that woke them while holding its lock would deadlock every time.
        for _ in 0..<1000 {
          let listening = (0..<16).compactMap { _ in
            feed.listen(after: nil).map { stream in Task { for await _ in stream {} } }
          }
          await Task.yield()
          for task in listening { task.cancel() }
          for task in listening { await task.value }
        }
      }
    }
    // Listeners that have ended no longer count towards the limit.
    for _ in 0..<ProgressFeed.mostListeners { #expect(feed.listen(after: nil) != nil) }
  }
}
