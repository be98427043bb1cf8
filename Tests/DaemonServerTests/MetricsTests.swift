import Foundation
import Localization
import Pipeline
import Synchronization
import TestSupport
import Testing

@testable import Daemon
@testable import DaemonServer

@Suite struct MetricsTests {
  @Test("labels are escaped, buckets are cumulative, and metrics without samples are omitted")
  func text() {
    var text = MetricsText()
    text.metric("a_total", .counter, "A.", [([.init("vendor", "a\\b\"c\nd")], 1), ([], 0.5)])
    text.metric("b", .gauge, "B.", [])
    text.histogram("c_seconds", "C.", limits: [0.5, 1], [([.init("stage", "push")], [1, 0, 2], 7.25)])
    #expect(
      text.text == """
        # HELP a_total A.
        # TYPE a_total counter
        a_total{vendor="a\\\\b\\"c\\nd"} 1
        a_total 0.5
        # HELP c_seconds C.
        # TYPE c_seconds histogram
        c_seconds_bucket{stage="push",le="0.5"} 1
        c_seconds_bucket{stage="push",le="1"} 1
        c_seconds_bucket{stage="push",le="+Inf"} 3
        c_seconds_sum{stage="push"} 7.25
        c_seconds_count{stage="push"} 3

        """)
    #expect(MetricsLint.faults(in: text.text) == [])
  }

  @Test("the linter that these tests use finds faults")
  func lint() {
    #expect(MetricsLint.faults(in: "a 1\n") == ["not after its type: a 1"])
    #expect(MetricsLint.faults(in: "# HELP a A.\n# TYPE a counter\na 1\n") == ["suffix: # TYPE a counter"])
    #expect(MetricsLint.faults(in: "# HELP a A.\n# TYPE a gauge\na 1\na 1\n") == ["twice: a 1"])
    #expect(MetricsLint.faults(in: "# HELP a A.\n# TYPE a gauge\na{b=c} 1\n") == ["form: a{b=c} 1"])
  }

  @Test("durations, outcomes and responses are counted; a stage that began in another process has no duration")
  func measurements() {
    let time = Mutex(Duration.zero)
    let measurements = RunMeasurements(clock: { time.withLock { $0 } })
    #expect(!measurements.hasStarted)
    measurements.noteCheck()
    #expect(measurements.hasStarted)
    var event = ProgressEvent(pipeline: "birds", stage: .push, scope: "pseudo", state: .began)
    measurements.note(event)
    time.withLock { $0 += .seconds(2) }
    event.state = .ended
    event.outcome = "succeeded"
    measurements.note(event)
    measurements.note(event)
    measurements.noteRequest(to: "api.example.com", status: nil)
    let figures = measurements.figures
    #expect(figures.durations[.push]?.sum == 2)
    #expect(figures.durations[.push]?.counts.reduce(0, +) == 1)
    #expect(figures.ends.map(\.value) == [2])
    #expect(figures.ends.first?.key.vendor == "pseudo")
    #expect(figures.requests == [RunMeasurements.RequestResult(host: "api.example.com", status: nil): 1])
  }

  @Test(
    "every metric in a file of deploy/ is documented",
    arguments: ["deploy/prometheus-rules.yml", "deploy/grafana-dashboard.json"])
  func deployed(_ name: String) throws {
    let page = try String(contentsOf: SharedFolder.root.appending(path: "docs/operating.md"), encoding: .utf8)
    let file = try String(contentsOf: SharedFolder.root.appending(path: name), encoding: .utf8)
    let names = Set(file.matches(of: #/(?:dragoman|process)_[a-z_]+/#).map { String($0.output) })
    #expect(names.count > 5)
    for name in names {
      let metric = name.hasSuffix("_bucket") ? String(name.dropLast(7)) : name
      #expect(page.contains("`\(metric)`"), "\(name)")
    }
    if name.hasSuffix(".json") { _ = try JSONSerialization.jsonObject(with: Data(file.utf8)) }
  }

  @Test("every metric is documented, and every documented metric exists")
  func documentation() throws {
    let page = try String(contentsOf: SharedFolder.root.appending(path: "docs/operating.md"), encoding: .utf8)
    let source = try String(
      contentsOf: SharedFolder.root.appending(path: "Sources/DaemonServer/Metrics/DaemonMetrics.swift"), encoding: .utf8
    )
    let documented = Set(page.matches(of: #/`((?:dragoman|process)_[a-z_]+)`/#).map { String($0.1) })
    let made = Set(source.matches(of: #/"((?:dragoman|process)_[a-z_]+)"/#).map { String($0.1) })
    #expect(documented == made)
    #expect(made.count > 15)
  }
}
