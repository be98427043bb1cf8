import ArgumentParser
import Daemon
import Foundation
import Localization

struct DoctorCommand: AsyncParsableCommand, DocumentedCommand {
  static let configuration = CommandConfiguration("doctor", help)

  static let help = CommandHelp(
    message(
      "Check all parts of an installation, and explain how to fix each problem.",
      comment: "Describes the command doctor."),
    notes: [
      message(
        """
        Checks the settings, the store and its disk, the pipeline files, secrets, the clock, and each pipeline's repository, \
        vendors and pull requests. It changes nothing and sends no strings, so it can run while a daemon runs. Run it as the account that \
        runs the daemon, with the same environment. With a database and no folder of pipeline files, it checks the pipeline files in the database.
        """, comment: "Help for doctor.")
    ],
    examples: [
      "dragoman doctor",
      "dragoman doctor --pipelines /etc/dragoman --store sqlite:/var/lib/dragoman",
    ],
    exits: [
      .init(.done, message("no problem was found", comment: "Help: when a command exits with 0.")),
      .init(
        .finding,
        message(
          "a problem was found, or something could not be checked", comment: "Help: when a command exits with 1.")),
      .usage,
    ])

  @Option(help: .init(HelpText.pipelinePlace, valueName: "path"), completion: .file())
  var pipelines = "pipelines"

  @Option(help: .init(HelpText.store, valueName: "store"))
  var store: String?

  @Option(help: .init(HelpText.format))
  var format = OutputFormat.text

  @OptionGroup var output: ConsoleOptions

  private struct Report: Encodable {
    var findings: [DoctorFinding]
  }

  func run() async throws {
    let location = try store.map { try StoreLocation($0) } ?? .standard
    let findings = try await Doctor(
      pipelines: pipelines, store: location, environment: ProcessInfo.processInfo.environment
    ).findings()
    switch format {
    case .json: output.console.raw(try stableJSON(Report(findings: findings)))
    case .text: show(findings)
    }
    if findings.contains(where: { $0.level == .problem }) { throw ExitStatus.finding.code }
  }

  private func show(_ findings: [DoctorFinding]) {
    for finding in findings {
      guard finding.level != .ok || !output.console.isQuiet else { continue }
      let word =
        switch finding.level {
        case .ok: "ok     "
        case .warning: "WARNING"
        case .problem: "PROBLEM"
        }
      output.console.result("\(word) \(finding.subject): \(finding.text)".withVisibleControls)
      if let advice = finding.advice { output.console.result("        \(advice).".withVisibleControls) }
    }
    let problems = findings.count { $0.level == .problem }
    let warnings = findings.count { $0.level == .warning }
    output.console.result(
      message(
        "%@, %@.",
        counted(
          problems, one: message("1 problem", comment: "A count of findings."),
          other: message("%lld problems", problems, comment: "A count of findings.")),
        counted(
          warnings, one: message("1 warning", comment: "A count of findings."),
          other: message("%lld warnings", warnings, comment: "A count of findings.")),
        comment: "The last line of doctor: two counts."))
  }
}
