import Foundation

/// A comparison of the formats with their peers, alternately in one run: a String Catalog with Python's `json` and orjson, an XLIFF file with lxml
/// and translate-toolkit, `dragoman import` of the XLIFF file into its project with the same peers, and a `.strings` file with translate-toolkit.
///
/// Each measurement runs in its own process. "As a process" is the total wall and processor time of the process, minus that of a process that only
/// starts (`empty` for ours, `--version` for the program, the imports for a peer). "Within" is the time that the process measures around the work.
/// The program measures nothing, so its two times are equal. Memory is the peak of the resident set, and its difference from the peak of the process
/// that only starts, per byte of the file.
struct FormatBenchmark {
  /// The Python interpreter that has the peers installed.
  let python: String
  let folder: String

  static func run() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "dragoman-benchmark-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let python = ProcessInfo.processInfo.environment["PEERS_PYTHON"].flatMap { $0.isEmpty ? nil : $0 } ?? "python3"
    let benchmark = FormatBenchmark(python: python, folder: folder)
    try benchmark.catalogs()
    try benchmark.exchange()
    try benchmark.tables()
  }

  // MARK: String Catalogs

  private func catalogs() throws {
    let peers = try available([.json, .orjson])
    if let largest = try largestCatalog() {
      try catalog(largest.file, named: largest.name, peers: peers)
    } else {
      print("skipped the largest catalog: no mirror has a catalog of at least 1 MB")
    }
    let synthetic = folder + "/synthetic.xcstrings"
    try generate("mkcat.py", ["20000", "20", synthetic])
    try catalog(synthetic, named: "synthetic, 20,000 keys × 20 languages", peers: peers)
  }

  private func catalog(_ file: String, named name: String, peers: [Peer]) throws {
    let size = try size(of: file)
    print("String Catalog \(name): \(decimal(Double(size) / 1e6, 1)) MB")
    let ours: [FormatWork] = [.reprint, .parse, .read, .edit, .rewrite]
    var contestants = ours.map { Contestant.ours($0) }
    for peer in peers { contestants += [.peer(peer, work: peer.rawValue), .peer(peer, work: peer.rawValue + "-load")] }
    let times = try measure(contestants, on: file)
    for contestant in contestants { report(contestant, times, size: size) }
    for peer in peers {
      ratio(.ours(.reprint), to: .peer(peer, work: peer.rawValue), times, "printed anew", peer.target)
      ratio(
        .ours(.read), to: .peer(peer, work: peer.rawValue + "-load"), times, "read into the domain, of load alone", nil)
    }
    reportEdit(times)
  }

  private func reportEdit(_ times: [Contestant: Times]) {
    if let edit = times[.ours(.edit)], let read = times[.ours(.read)] {
      print(
        "    one text changed costs \(decimal(edit.process / read.process)) times reading as a process,"
          + " \(decimal(edit.processor / read.processor)) by processor time, \(decimal(edit.within / read.within)) within"
          + " (at most 1.2)")
    }
  }

  private func largestCatalog() throws -> (file: String, name: String)? {
    let given = ProcessInfo.processInfo.environment["CATALOG"].flatMap { $0.isEmpty ? nil : $0 }
    if let given { return (given, URL(filePath: given).lastPathComponent) }
    var largest: (size: Int, repository: String, blob: String, path: String)?
    for repository in ["buresdv+Cork", "Dimillian+IceCubesApp", "linearmouse+linearmouse"] {
      let path = mirrors + "/" + repository + "/repo"
      guard FileManager.default.fileExists(atPath: path) else { continue }
      let list = try ScratchRepository.git(["--git-dir", path, "ls-tree", "-r", "-l", "HEAD"])
      for line in list.split(separator: "\n") where line.hasSuffix(".xcstrings") {
        let fields = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
        guard fields.count >= 5, let size = Int(fields[3]), size > largest?.size ?? 1_000_000 else { continue }
        largest = (size, repository, String(fields[2]), fields[4...].joined(separator: " "))
      }
    }
    guard let largest else { return nil }
    let file = folder + "/largest.xcstrings"
    let text = try ScratchRepository.git(
      ["--git-dir", mirrors + "/" + largest.repository + "/repo", "cat-file", "blob", largest.blob])
    try Data(text.utf8).write(to: URL(filePath: file))
    return (file, "\(largest.repository) \(largest.path)")
  }

  // MARK: XLIFF

  private func exchange() throws {
    let peers = try available([.lxml, .toolkit])
    try exchange("200 tables", files: 200, ending: "strings", peers)
    try exchange("one String Catalog", files: 1, ending: "xcstrings", peers)
  }

  private func exchange(_ name: String, files: Int, ending: String, _ peers: [Peer]) throws {
    let file = folder + "/synthetic.xliff"
    try generate("mkxliff.py", ["50000", file, "de", "\(files)", ending])
    try? FileManager.default.removeItem(atPath: folder + "/project")
    try generate("mkproject.py", [file, folder + "/project"])
    let size = try size(of: file)
    print("XLIFF synthetic, 50,000 units of \(name): \(decimal(Double(size) / 1e6, 1)) MB")
    let ours: [FormatWork] = [.units, .reprint]
    let contestants =
      ours.map { Contestant.ours($0) } + [.program]
      + peers.map { Contestant.peer($0, work: $0 == .lxml ? "lxml" : "toolkit-xliff") }
    let times = try measure(contestants, on: file)
    for contestant in contestants { report(contestant, times, size: size) }
    for peer in peers {
      let other = Contestant.peer(peer, work: peer == .lxml ? "lxml" : "toolkit-xliff")
      ratio(.ours(.units), to: other, times, "parsed into units, of load and save", peer.target)
      ratio(.ours(.reprint), to: other, times, "parsed and printed anew", nil)
      ratio(.program, to: other, times, "judged and written into the project, of load and save", nil)
    }
  }

  // MARK: .strings

  private func tables() throws {
    let file = folder + "/synthetic.strings"
    try generate("mkstrings.py", ["20000", file])
    let size = try size(of: file)
    print(".strings synthetic, 20,000 entries: \(decimal(Double(size) / 1e6, 1)) MB")
    let peers = try available([.toolkit])
    let contestants =
      [.ours(.read), .ours(.reprint), .ours(.edit)] + peers.map { Contestant.peer($0, work: "toolkit-strings") }
    let times = try measure(contestants, on: file)
    for contestant in contestants { report(contestant, times, size: size) }
    for peer in peers {
      let other = Contestant.peer(peer, work: "toolkit-strings")
      ratio(.ours(.read), to: other, times, "read into the domain, of load and save", nil)
      ratio(.ours(.reprint), to: other, times, "parsed and printed anew", nil)
    }
    reportEdit(times)
  }

  // MARK: Measuring

  private struct Times {
    /// The medians of the wall time, in seconds.
    var process = 0.0
    var within = 0.0
    /// The minimum processor time of the rounds, in seconds.
    var processor = 0.0
    /// The peak memory, and the part of it that the work adds, in bytes.
    var bytes = 0
    var ownBytes = 0
  }

  /// Runs all contestants one after another in each round, and returns the median wall times, the lowest processor time and the peak memory of each.
  private func measure(_ contestants: [Contestant], on file: String) throws -> [Contestant: Times] {
    var process: [Contestant: [Double]] = [:]
    var within: [Contestant: [Double]] = [:]
    var times: [Contestant: Times] = [:]
    let output = folder + "/output"
    for _ in 0..<(try size(of: file) > 10_000_000 ? 3 : 7) {
      for contestant in contestants {
        let start = try run(contestant.start, [])
        let child = try run(contestant, [file, output, "1"])
        // The program does not print its time, so the time of starting is subtracted.
        let told = contestant == .program ? child.seconds - start.seconds : nil
        guard let own = told ?? Double(child.output.split(separator: "\n").last ?? "") else {
          throw BenchmarkFailure("\(contestant) printed no time")
        }
        process[contestant, default: []].append(max(child.seconds - start.seconds, 1e-6))
        within[contestant, default: []].append(own)
        let processor = max(child.processorSeconds - start.processorSeconds, 1e-6)
        var time = times[contestant] ?? Times(processor: processor)
        time.processor = min(time.processor, processor)
        time.bytes = max(time.bytes, child.bytes)
        time.ownBytes = max(time.ownBytes, child.bytes - start.bytes)
        times[contestant] = time
      }
    }
    for contestant in contestants {
      times[contestant]?.process = median(process[contestant])
      times[contestant]?.within = median(within[contestant])
    }
    return times
  }

  private func run(_ contestant: Contestant, _ arguments: [String]) throws -> Measure.Child {
    let child =
      switch contestant {
      case .ours(let work):
        try Measure.child(
          CommandLine.arguments[0], ["format", work.rawValue] + (arguments.isEmpty ? ["", "", "0"] : arguments))
      case .program:
        if let file = arguments.first {
          try importing(file)
        } else {
          try Measure.child(binary, ["--version"])
        }
      case .peer(_, let work): try Measure.child(python, ["-B", Self.script("peer.py"), work] + arguments)
      }
    guard child.status == 0 else { throw BenchmarkFailure("\(contestant) failed with \(child.status)") }
    return child
  }

  /// Measures an import into a new copy of the project.
  private func importing(_ file: String) throws -> Measure.Child {
    let copy = folder + "/copy"
    try? FileManager.default.removeItem(atPath: copy)
    try FileManager.default.copyItem(atPath: folder + "/project", toPath: copy)
    return try Measure.child(binary, ["import", file, "--project", copy, "--quiet"])
  }

  private func median(_ values: [Double]?) -> Double {
    guard let values, !values.isEmpty else { return 0 }
    return values.sorted()[values.count / 2]
  }

  private func report(_ contestant: Contestant, _ times: [Contestant: Times], size: Int) {
    guard let time = times[contestant] else { return }
    print(
      "  \(contestant): \(milliseconds(time.process)) as a process, \(milliseconds(time.processor)) of processor time,"
        + " \(milliseconds(time.within)) within; \(decimal(Double(time.bytes) / 1e6, 0)) MB at the peak,"
        + " \(decimal(Double(time.ownBytes) / Double(size), 1)) bytes per byte of the file")
  }

  private func ratio(
    _ ours: Contestant, to other: Contestant, _ times: [Contestant: Times], _ what: String, _ target: String?
  ) {
    guard let mine = times[ours], let theirs = times[other] else { return }
    print(
      "    \(what): \(decimal(theirs.process / mine.process)) times as fast as \(other) as a process,"
        + " \(decimal(theirs.processor / mine.processor)) by processor time, \(decimal(theirs.within / mine.within)) within"
        + (target.map { " (\($0))" } ?? ""))
  }

  // MARK: Peers

  private enum Peer: String {
    case json, orjson, lxml, toolkit

    /// The intended ratio of our speed to the peer's.
    var target: String {
      switch self {
      case .json: "at least 3"
      case .orjson: "aim 1"
      case .lxml: "at least 1"
      case .toolkit: "aim 10"
      }
    }
  }

  private enum Contestant: Hashable, CustomStringConvertible {
    case ours(FormatWork)
    /// The command `dragoman import` of the release build.
    case program
    case peer(Peer, work: String)

    /// The contestant that, without arguments, only starts the same process. It measures the cost of starting.
    var start: Contestant {
      switch self {
      case .ours: .ours(.empty)
      case .program, .peer: self
      }
    }

    var description: String {
      switch self {
      case .ours(let work): "dragoman \(work.rawValue)"
      case .program: "dragoman import"
      case .peer(_, let work): work
      }
    }
  }

  /// Returns the peers that are installed, and reports missing ones.
  private func available(_ peers: [Peer]) throws -> [Peer] {
    var names: [String] = []
    let found = try peers.filter { peer in
      let child = try Measure.child(python, ["-B", Self.script("peer.py"), "version-" + peer.rawValue])
      guard child.status == 0 else {
        print("skipped \(peer.rawValue): \(python) does not have it (`make peers` installs it)")
        return false
      }
      names.append(peer.rawValue + " " + child.output.split(separator: "\n").joined())
      return true
    }
    if !names.isEmpty { print("peers: " + names.joined(separator: ", ")) }
    return found
  }

  private func generate(_ script: String, _ arguments: [String]) throws {
    let child = try Measure.child(python, ["-B", Self.script(script)] + arguments)
    guard child.status == 0 else { throw BenchmarkFailure("\(script) failed") }
  }

  private static func script(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Peers/" + name).path
  }

  private func size(of file: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    return (attributes[.size] as? NSNumber)?.intValue ?? 0
  }
}
