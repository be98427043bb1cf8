import Glibc

/// The command `dragoman-simulation SEEDS [--log | --shortlog | --survey | --first]`. It plays the stories of seeds such as `1-1000` or `17`, with
/// one process for each processor if there are enough seeds.
///
/// With `--survey`, one process plays all stories, and prints the first rule that each failing story breaks. With `--first`, the command stops at the
/// first failing story. With either option, failing stories are not shortened. With `--days DAYS --pipelines COUNT`, the command plays a story in
/// which all days are alike instead (`GrowthCommand`).
package enum SimulateCommand {
  /// Runs the command with its arguments.
  /// - Returns: the exit code: 0 if all stories succeeded, 1 if a story failed, 64 for wrong arguments, 70 if a process was killed or a story could
  ///   not be played, 71 if a process could not be started.
  package static func run(_ arguments: [String]) -> Int32 {
    if arguments.contains("--help") {
      printUsage()
      return 0
    }
    if let days = value(of: "--days", in: arguments) {
      let pipelines = value(of: "--pipelines", in: arguments) ?? 50
      return days > 0 && pipelines > 0 ? GrowthCommand.run(days: days, pipelines: pipelines) : usage()
    }
    let logs = arguments.contains("--log")
    let isWorker = arguments.contains("--worker")
    if arguments.contains("--survey") || arguments.contains("--first"), let seeds = arguments.first.flatMap(seeds) {
      return survey(seeds, stopsAtFirst: arguments.contains("--first"))
    }
    guard let text = arguments.first(where: { !$0.hasPrefix("--") }), let seeds = seeds(text) else {
      return usage()
    }
    let processors = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    if isWorker || seeds.count < 2 * processors { return play(seeds, step: 1, logs: logs) }
    return spread(seeds, over: processors, logs: logs)
  }

  private static func usage() -> Int32 {
    printUsage()
    return 64
  }

  private static func printUsage() {
    print(
      """
      usage: dragoman-simulation FIRST-LAST|SEED [--log | --shortlog | --survey | --first]
             dragoman-simulation --days DAYS [--pipelines COUNT]

      The first form plays a story for each seed, and exits with 1 if a story breaks a rule.
        --log       print every step
        --shortlog  print every step of the shortened story that fails
        --survey    play all stories, and print a line for each that fails
        --first     the same, but stop at the first story that fails
      The second form plays a story in which all days are alike, for 50 pipelines by default. After each week, it prints the sizes of
      the ledger, the mirrors, the cache and the process. It exits with 1 if a size grows after the first week.
      """)
  }

  /// Returns the number after an option; 0 if there is no number, `nil` if the option is missing.
  private static func value(of option: String, in arguments: [String]) -> Int? {
    guard let place = arguments.firstIndex(of: option) else { return nil }
    return arguments.indices.contains(place + 1) ? Int(arguments[place + 1]) ?? 0 : 0
  }

  private static func seeds(_ text: String) -> ClosedRange<UInt64>? {
    let ends = text.split(separator: "-").compactMap { UInt64($0) }
    switch ends.count {
    case 1: return ends[0]...ends[0]
    case 2 where ends[0] <= ends[1]: return ends[0]...ends[1]
    default: return nil
    }
  }

  private static func play(_ seeds: ClosedRange<UInt64>, step: UInt64, logs: Bool) -> Int32 {
    for seed in stride(from: seeds.lowerBound, through: seeds.upperBound, by: Int(step)) {
      let result = Simulation.play(Story(seed: seed), logs: logs)
      for line in result.log { print(line) }
      guard !result.violations.isEmpty else { continue }
      report(result)
      return 1
    }
    return 0
  }

  /// Plays stories in this process, and prints the first violation of each failing story.
  private static func survey(_ seeds: ClosedRange<UInt64>, stopsAtFirst: Bool) -> Int32 {
    var failures = 0
    var played = 0
    for seed in seeds {
      played += 1
      guard let violation = Simulation.play(Story(seed: seed)).violations.first else { continue }
      failures += 1
      print("\(seed): \(violation)")
      fflush(nil)
      if stopsAtFirst { break }
    }
    print("\(failures) of \(played) stories fail")
    return failures == 0 ? 0 : 1
  }

  private static func report(_ result: Simulation.Result) {
    let shortened = Simulation.shorten(result)
    var lines = [
      "seed \(result.story.seed) fails; \(shortened.story.events.count) of \(result.story.events.count) events suffice:"
    ]
    lines += shortened.story.setups.map { "  \($0)" }
    lines += shortened.story.events.map { "  \($0)" }
    lines += shortened.violations.map { "  \($0)" }
    if CommandLine.arguments.contains("--shortlog") {
      for line in Simulation.play(shortened.story, logs: true).log { print(line) }
    }
    print(lines.joined(separator: "\n"))
  }

  /// Plays the seeds in several processes, each of which gets a part of them. The first failure ends all processes.
  private static func spread(_ seeds: ClosedRange<UInt64>, over processors: Int, logs: Bool) -> Int32 {
    let size = (UInt64(seeds.count) + UInt64(processors) - 1) / UInt64(processors)
    var children: [pid_t] = []
    var first = seeds.lowerBound
    while first <= seeds.upperBound {
      let last = min(first + size - 1, seeds.upperBound)
      guard let child = start("\(first)-\(last)", logs: logs) else { return 71 }
      children.append(child)
      first = last + 1
    }
    var code: Int32 = 0
    while !children.isEmpty {
      var status: Int32 = 0
      let child = wait(&status)
      guard child > 0 else { break }
      children.removeAll { $0 == child }
      // The low byte is nonzero if a signal ended the process.
      let ended = status & 0x7f == 0 ? (status >> 8) & 0xff : 70
      guard ended != 0, code == 0 else { continue }
      code = ended
      for other in children { kill(other, SIGTERM) }
    }
    if code == 0 { print("\(seeds.count) stories passed") }
    return code
  }

  private static func start(_ seeds: String, logs: Bool) -> pid_t? {
    let words = ["dragoman-simulation", seeds, "--worker"] + (logs ? ["--log"] : [])
    let arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child = pid_t()
    return posix_spawn(&child, "/proc/self/exe", nil, nil, arguments, environ) == 0 ? child : nil
  }
}
