internal import Tracing

extension Worker {
  /// The maximum time until ``sleep(_:_:unless:)`` finds that the process is stopping.
  private static let longestNap = Duration.seconds(1)

  /// Sleeps until the time has passed, the process is stopping, or the task is cancelled.
  /// - Returns: whether the time has passed.
  static func sleep(_ length: Duration, _ time: TimeSource, unless isStopping: @Sendable () -> Bool) async -> Bool {
    var left = length
    while left > .zero {
      guard !isStopping() else { return false }
      let nap = min(left, longestNap)
      do { try await time.sleep(nap) } catch { return false }
      left -= nap
    }
    return !isStopping()
  }

  /// Runs the stage of a job.
  static func stage(_ job: Job, of head: Run?, _ context: PipelineContext) async throws -> StageOutcome {
    guard job.stage.hasBranch else {
      switch job.stage {
      case .push: return try await PushStage.run(job, context)
      case .pull: return try await PullStage.run(job, context)
      case .review: return try await ReviewStage.run(job, context)
      default: return try await DiffStage.run(job, context)
      }
    }
    guard let head else { return StageOutcome(detail: "the branch no longer exists") }
    // The mirror may have been deleted since the last poll.
    if try await !context.mirror.holds(head.commit) { _ = try await context.mirror.refresh() }
    switch job.stage {
    case .extract: return try await ExtractStage.run(job, of: head, context)
    case .merge: return try await MergeStage.run(job, of: head, context)
    case .propose: return try await ProposeStage.run(job, of: head, context)
    case .report: return try await ReportStage.run(job, of: head, context)
    default: return try await DeliverStage.run(job, of: head, context)
    }
  }
}

extension ProgressEvent {
  /// Sets the attributes and the status of the stage's span.
  func describe(_ span: any Span) {
    span.updateAttributes { attributes in
      attributes["dragoman.pipeline"] = pipeline
      attributes["dragoman.job"] = job
      attributes["dragoman.branch"] = branch
      attributes["dragoman.scope"] = scope
      attributes["dragoman.commit"] = commit
      attributes["dragoman.round"] = round
      attributes["dragoman.outcome"] = outcome
      attributes["dragoman.detail"] = detail
    }
    if outcome == JobState.Name.failed.rawValue { span.setStatus(SpanStatus(code: .error, message: detail)) }
  }
}
