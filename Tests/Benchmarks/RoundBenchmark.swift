import Foundation

/// Whole rounds by the program itself, with a drop folder as the vendor.
struct RoundBenchmark {
  let dragoman: String

  /// A round on a repository that is there: from nothing to bundles in the folder, and from a returned bundle to a commit.
  func round(on repository: String, name: String) throws {
    try withFolder { folder in
      let origin = folder + "/origin.git"
      try FileManager.default.copyItem(atPath: repository, toPath: origin)
      // A mirror of the library has no configuration of its own.
      try write("[core]\n\trepositoryformatversion = 0\n\tbare = true\n", to: origin + "/config")
      try write(pipeline(origin: origin, folder: folder, languages: "de"), to: folder + "/pipeline.yaml")
      let first = try run(in: folder)
      try script(Self.translator, [folder + "/drop"])
      let second = try run(in: folder)
      print(
        "\(name): a whole round with `folder`: \(decimal(first.seconds)) s until the bundles are there, \(decimal(second.seconds)) s from"
          + " the answer to the commit, together \(decimal(first.seconds + second.seconds)) s (under 3);"
          + " peak \(decimal(Double(max(first.bytes, second.bytes)) / 1e6, 0)) MB")
    }
  }

  /// A package of 5,000 strings in 10 languages, all translated: one string changes.
  func oneStringChanges() throws {
    try withFolder { folder in
      try script(Self.generator, [folder + "/work"])
      let origin = folder + "/origin.git"
      try git(["clone", "--quiet", "--bare", folder + "/work", origin], in: folder)
      try write(
        pipeline(origin: origin, folder: folder, languages: "ar, cs, de, es, fr, it, ja, pl, ru, uk"),
        to: folder + "/pipeline.yaml")
      _ = try run(in: folder)
      var samples: [Double] = []
      for turn in 1...5 {
        try script(Self.change, [folder + "/work", String(turn)])
        try git(["push", "--quiet", origin, "HEAD:main"], in: folder + "/work")
        let before = try FileManager.default.contentsOfDirectory(atPath: folder + "/drop/to-translate").count
        samples.append(try run(in: folder).seconds)
        let after = try FileManager.default.contentsOfDirectory(atPath: folder + "/drop/to-translate").count
        guard after == before + 10 else { throw BenchmarkFailure("\(after - before) new bundles instead of 10") }
      }
      print(
        "package of 5,000 strings in 10 languages: from a commit that changes one string to 10 new bundles,"
          + " the whole process: median \(decimal(samples.sorted()[2])) s (under 0.5; Serge 8.2 s, Weblate 11.6 s)")
    }
  }

  private func run(in folder: String) throws -> Measure.Child {
    let child = try Measure.child(
      dragoman, ["run", folder + "/pipeline.yaml", "--once", "--store", "sqlite:" + folder + "/state"],
      directory: folder)
    guard child.status == 0 else { throw BenchmarkFailure("dragoman run ended with \(child.status)") }
    return child
  }

  private func pipeline(origin: String, folder: String, languages: String) -> String {
    """
    pipeline: benchmark
    repository: { url: "\(origin)" }
    languages: [\(languages)]
    vendors:
      - { vendor: folder, path: "\(folder)/drop", settle: 0s }
    """
  }

  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "dragoman-bench-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder + "/drop", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  private func write(_ text: String, to path: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

  private func git(_ arguments: [String], in folder: String) throws {
    let child = try Measure.child("git", ["-c", "safe.directory=*"] + arguments, directory: folder)
    guard child.status == 0 else { throw BenchmarkFailure("git \(arguments.joined(separator: " ")) failed") }
  }

  private func script(_ text: String, _ arguments: [String]) throws {
    let child = try Measure.child("python3", ["-c", text] + arguments)
    guard child.status == 0 else { throw BenchmarkFailure("a script of the benchmark failed") }
  }

  /// Fills every target of every bundle.
  private static let translator = """
    import os, re, sys, zipfile
    drop = sys.argv[1]
    os.makedirs(drop + '/translated', exist_ok=True)
    for name in os.listdir(drop + '/to-translate'):
        with zipfile.ZipFile(drop + '/to-translate/' + name) as old, zipfile.ZipFile(drop + '/translated/' + name, 'w') as new:
            for entry in old.namelist():
                data = old.read(entry)
                if entry.endswith('.xliff'):
                    text = re.sub(r'\\n *<target.*?</target>', '', data.decode(), flags=re.S)
                    data = re.sub(r'(\\n *)<source>(.*?)</source>', r'\\1<source>\\2</source>\\1<target state="translated">\\2</target>', text, flags=re.S).encode()
                new.writestr(entry, data)
    """

  private static let generator = """
    import json, os, subprocess, sys
    folder = sys.argv[1]
    os.makedirs(folder + '/Sources/Kit/Resources')
    languages = 'ar cs de es fr it ja pl ru uk'.split()
    open(folder + '/Package.swift', 'w').write('// swift-tools-version: 6.0\\nimport PackageDescription\\nlet package = Package(name: "Kit", defaultLocalization: "en", targets: [.target(name: "Kit", resources: [.process("Resources")])])\\n')
    strings = {}
    for file in range(100):
        lines = ['import Foundation', 'enum Texts%d {' % file]
        for line in range(50):
            key = 'Sentence number %05d of the benchmark, as people write them' % (file * 50 + line)
            lines.append('  static let text%d = String(localized: "%s", bundle: .module, comment: "Comment %d")' % (line, key, line))
            strings[key] = {'comment': 'Comment %d' % line, 'localizations': {l: {'stringUnit': {'state': 'translated', 'value': l + ' ' + key}} for l in languages}}
        open(folder + '/Sources/Kit/Texts%d.swift' % file, 'w').write('\\n'.join(lines + ['}']) + '\\n')
    text = json.dumps({'sourceLanguage': 'en', 'strings': strings, 'version': '1.0'}, indent=2, separators=(',', ' : '), sort_keys=True)
    open(folder + '/Sources/Kit/Resources/Localizable.xcstrings', 'w').write(text)
    for command in (['init', '-q', '-b', 'main'], ['add', '-A'], ['-c', 'user.name=B', '-c', 'user.email=b@example.com', 'commit', '-qm', 'Begin']):
        subprocess.run(['git', '-C', folder] + command, check=True)
    """

  private static let change = """
    import subprocess, sys
    folder, turn = sys.argv[1:3]
    path = folder + '/Sources/Kit/Texts7.swift'
    text = open(path).read()
    open(path, 'w').write(text.replace('Sentence number 0035%s of' % turn, 'Sentence number 0035%s, changed, of' % turn))
    subprocess.run(['git', '-C', folder, '-c', 'user.name=B', '-c', 'user.email=b@example.com', 'commit', '-qam', 'Change ' + turn], check=True)
    """
}
