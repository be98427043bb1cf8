import Localization
import Pipeline
import Testing

@testable import Daemon

struct RunReportTests {
  private let readme = Diagnostic(path: "README.md", severity: .error, message: "the file changed on both branches")
  private let catalog = Diagnostic(path: "A.xcstrings", line: 3, severity: .error, message: "conflict markers")

  private func report(_ diagnostics: [Diagnostic]) -> RunReport {
    let conflict = PipelineError(
      .conflict, operation: "merge main into l10n/main", detail: "1 conflict", disposition: .askPerson,
      diagnostics: [readme])
    let failure = StageFailure(
      pipeline: "birds", branch: "main", stage: .merge, vendor: nil, error: conflict, isRetried: false)
    return RunReport(pipelines: [PipelineReport(name: "birds", diagnostics: diagnostics, failures: [failure])])
  }

  @Test("files with conflicts do not count as unreadable input, but files with other errors do")
  func unreadable() {
    #expect(!report([readme]).hasUnreadableInput)
    #expect(report([readme, catalog]).hasUnreadableInput)
  }
}
