import Foundation
import Pipeline

/// Benchmarks of complete rounds of the program with a drop folder as the vendor.
struct RoundBenchmark {
  let dragoman: String

  private static let strings = 50
  private static let languages = "ar, cs, de, es, fr, it, ja, pl, ru, uk"

  /// The time limits of the steps, in seconds.
  struct Limits {
    var change: Double
    var translation: Double
  }

  /// Measures a round on an existing repository: from the start to the bundles in the folder, and from a returned bundle to the commit.
  func round(on repository: String, name: String) throws {
    try BenchmarkFolder.with { folder in
      let origin = folder.file("origin.git")
      try FileManager.default.copyItem(atPath: repository, toPath: origin)
      // The mirror may have no configuration file, so the copy gets a minimal one.
      try folder.write("[core]\n\trepositoryformatversion = 0\n\tbare = true\n", to: "origin.git/config")
      try writePipeline(languages: "de", in: folder)
      let first = try folder.run(dragoman)
      try folder.script(Self.translator, [folder.file("drop")])
      let second = try folder.run(dragoman)
      print(
        "\(name): a whole round with `folder`: \(decimal(first.seconds)) s until the bundles exist, \(decimal(second.seconds)) s from"
          + " the returned bundle to the commit, in total \(decimal(first.seconds + second.seconds)) s (under 3);"
          + " peak \(decimal(Double(max(first.bytes, second.bytes)) / 1e6, 0)) MB")
    }
  }

  /// Measures a package that is completely translated into 10 languages, in which one string changes and one of its translations is returned. Each
  /// step is a complete process with the durable store. The processor time of a step can also be compared on a busy machine. Afterwards, the daemon
  /// is measured with the same package.
  func oneStringChanges(files: Int = 100, limits: Limits = Limits(change: 0.3, translation: 0.3)) throws {
    try BenchmarkFolder.with { folder in
      let origin = folder.file("origin.git")
      try MadeRepository.make(
        origin, files: files, strings: Self.strings, languages: Self.languages.components(separatedBy: ", "), in: folder
      )
      try writePipeline(languages: Self.languages, in: folder)
      try folder.run(dragoman)
      var changes: [Measure.Child] = []
      var translations: [Measure.Child] = []
      var idle: [Measure.Child] = []
      for turn in 1...5 {
        let new = try bundles(afterChanging: Self.strings * turn, in: folder) {
          changes.append(try folder.run(dragoman))
        }
        guard new.count == 10 else { throw BenchmarkFailure("\(new.count) new bundles instead of 10") }
        let tip = try? folder.git(["rev-parse", "l10n/main"], in: "origin.git")
        try translate(new, in: folder)
        translations.append(try folder.run(dragoman))
        guard try folder.git(["rev-parse", "l10n/main"], in: "origin.git") != tip else {
          throw BenchmarkFailure("the translation was not delivered")
        }
        idle.append(try folder.run(dragoman))
      }
      print(
        "package of \(files * Self.strings) strings in 10 languages: one string changed → 10 bundles"
          + " \(text(changes)) (at most \(decimal(limits.change)) s); one translation → pushed commit \(text(translations))"
          + " (at most \(decimal(limits.translation)) s, 120 MB at 5,000); without changes \(text(idle)) (at most 0.05 s)"
      )
      try serve(files: files, in: folder)
    }
  }

  /// Measures how long the daemon takes from a translated bundle in the drop folder to the pushed commit with its translations.
  private func serve(files: Int, in folder: BenchmarkFolder) throws {
    try folder.create("pipelines")
    try writePipeline(languages: Self.languages, settle: "", to: "pipelines/pipeline.yaml", in: folder)
    let served = try ServedProcess(dragoman, in: folder)
    defer { served.terminate() }
    var samples: [Double] = []
    for turn in 1...3 {
      let known = served.reports.count
      let new = try bundles(afterChanging: Self.strings * (5 + turn), in: folder) {
        _ = served.wait(atMost: .seconds(60), every: .milliseconds(200)) { !$0.dropFirst(known).ended(.push).isEmpty }
        // This is the first poll for translations after the round has ended.
        _ = served.wait(atMost: .seconds(20), every: .milliseconds(200)) { !$0.dropFirst(known).ended(.pull).isEmpty }
      }
      let sent = served.reports.count
      let start = ContinuousClock.now
      try translate(new, in: folder)
      let wrote = ContinuousClock.now
      _ = served.wait(atMost: .seconds(60), every: .milliseconds(200)) { !$0.dropFirst(sent).ended(.deliver).isEmpty }
      guard let end = served.reports.dropFirst(sent).ended(.deliver).first else {
        throw BenchmarkFailure("the bundle was not delivered: \(served.messages.prefix(3))")
      }
      samples.append((end.instant - start).seconds - (wrote - start).seconds / 2)
    }
    print(
      "  in `serve`, with \(files * Self.strings) strings: from a bundle in the local folder to the pushed commit: median"
        + " \(decimal(samples.sorted()[1])) s (at most 0.7)")
  }

  /// Changes a string and runs `body`.
  /// - Returns: the bundles that were created since the change.
  private func bundles(afterChanging string: Int, in folder: BenchmarkFolder, _ body: () throws -> Void) throws
    -> [String]
  {
    let before = Set((try? folder.names(in: "drop/to-translate")) ?? [])
    try MadeRepository.change(folder.file("origin.git"), string: string, strings: Self.strings, in: folder)
    try body()
    return try folder.names(in: "drop/to-translate").filter { !before.contains($0) && !$0.hasPrefix(".") }
  }

  /// Translates the German bundle.
  private func translate(_ bundles: [String], in folder: BenchmarkFolder) throws {
    guard let name = bundles.first(where: { $0.contains("-de.") }) else { throw BenchmarkFailure("no German bundle") }
    try folder.script(Self.translator, [folder.file("drop"), name])
  }

  private func text(_ children: [Measure.Child]) -> String {
    let middle = children.sorted { $0.seconds < $1.seconds }[children.count / 2]
    let processor = children.map(\.processorSeconds).min() ?? 0
    let bytes = children.map(\.bytes).max() ?? 0
    return
      "\(decimal(middle.seconds)) s (processor \(decimal(processor)) s, peak \(decimal(Double(bytes) / 1e6, 0)) MB)"
  }

  private func writePipeline(
    languages: String, settle: String = ", settle: 0s", to name: String = "pipeline.yaml", in folder: BenchmarkFolder
  ) throws {
    try folder.create("drop")
    try folder.write(
      """
      pipeline: benchmark
      repository: { url: "\(folder.file("origin.git"))", poll: 1s }
      languages: [\(languages)]
      rounds: { quiet: 0s, latest: 0s }
      vendors:
        - { vendor: folder, path: "\(folder.file("drop"))"\(settle) }
      """, to: name)
  }

  /// A Python script that fills every target of every bundle, or of the given bundles.
  private static let translator = """
    import os, re, sys, zipfile
    drop = sys.argv[1]
    os.makedirs(drop + '/translated', exist_ok=True)
    for name in sys.argv[2:] or os.listdir(drop + '/to-translate'):
        with zipfile.ZipFile(drop + '/to-translate/' + name) as old, zipfile.ZipFile(drop + '/' + name, 'w') as new:
            for entry in old.namelist():
                data = old.read(entry)
                if entry.endswith('.xliff'):
                    text = re.sub(r'\\n *<target.*?</target>', '', data.decode(), flags=re.S)
                    data = re.sub(r'(\\n *)<source>(.*?)</source>', r'\\1<source>\\2</source>\\1<target state="translated">\\2</target>', text, flags=re.S).encode()
                new.writestr(entry, data)
        # Complete before it has its name, as the manual asks for.
        os.rename(drop + '/' + name, drop + '/translated/' + name)
    """
}
