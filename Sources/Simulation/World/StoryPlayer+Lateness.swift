import FoundationEssentials
import Pipeline
internal import Synchronization

extension StoryPlayer {
  /// The duration of a call to a silent server.
  static let longestCall = Duration.seconds(60)

  /// Checks every minute, until the task is cancelled or a job is late, how long jobs of the pipelines with healthy servers have been due. If the
  /// worker runs only one call at a time, a call may wait for the calls that were due before it, but no longer.
  func watchLateness() async {
    var life: Life?
    var began = Duration.zero
    while !Task.isCancelled {
      await world.time.sleep(.seconds(60))
      let now = world.time.elapsed
      if daemon.life !== life {
        life = daemon.life
        began = now
      }
      guard life?.isDead == false, let store = daemon.store else { continue }
      for pipeline in world.pipelines.dropFirst() {
        guard let jobs = try? await store.jobs(of: pipeline.name) else { continue }
        for job in jobs {
          let due: Date
          switch job.state {
          case .queued(let date), .waiting(let date): due = date
          case .running, .succeeded, .failed: continue
          }
          let late = min(.seconds(world.time.now.timeIntervalSince(due)), now - began)
          guard late > longestWait(of: job.stage) else { continue }
          world.model.violate(
            .faultsStay,
            "\(pipeline.name) \(job.stage) \(job.scope) has been due for \(late), while servers of \(world.pipelines[0].name) are silent"
          )
          return
        }
      }
    }
  }

  /// Returns the longest time that a job of a stage may wait.
  ///
  /// Each vendor of the first pipeline may have a push and a pull that were due before, and each branch may have a delivery. If the mirror was lost,
  /// branches also wait for the server when they are extracted and merged. In addition, a job may wait for one call that had already begun.
  private func longestWait(of stage: Stage) -> Duration {
    let (vendors, branches) = (world.pipelines[0].vendors.count, world.pipelines[0].watched.count)
    return Self.longestCall * (stage.waitsForServers ? 2 * vendors + branches + 2 : 2 * branches + 3)
  }
}

extension Stage {
  fileprivate var waitsForServers: Bool {
    switch self {
    case .push, .pull, .deliver, .propose, .report, .review: true
    case .watch, .extract, .diff, .merge: false
    }
  }
}
