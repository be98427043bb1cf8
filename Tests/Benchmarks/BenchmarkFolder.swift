import Foundation

/// The folder of one benchmark. `with` creates a temporary folder and removes it at the end.
struct BenchmarkFolder {
  let path: String

  static func with<Output>(_ body: (BenchmarkFolder) throws -> Output) throws -> Output {
    let path = FileManager.default.temporaryDirectory.appending(path: "dragoman-bench-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(BenchmarkFolder(path: path))
  }

  func file(_ name: String) -> String { path + "/" + name }

  func create(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: true)
  }

  func write(_ text: String, to name: String) throws { try Data(text.utf8).write(to: URL(filePath: file(name))) }

  func names(in name: String) throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: file(name)) }

  @discardableResult
  func git(_ arguments: [String], in name: String = "") throws -> String {
    let child = try Measure.child("git", ["-c", "safe.directory=*"] + arguments, directory: file(name))
    guard child.status == 0 else { throw BenchmarkFailure("git \(arguments.joined(separator: " ")) failed") }
    return child.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Runs a Python script until it exits.
  func script(_ text: String, _ arguments: [String]) throws {
    let child = try Measure.child("python3", ["-c", text] + arguments)
    guard child.status == 0 else { throw BenchmarkFailure("a script of the benchmark failed: \(child.output)") }
  }

  /// Runs `run --once` on a pipeline file in this folder, with the store in this folder.
  @discardableResult
  func run(_ dragoman: String, _ pipeline: String = "pipeline.yaml", store: String = "state") throws -> Measure.Child {
    let child = try Measure.child(
      dragoman, ["run", file(pipeline), "--once", "--store", "sqlite:" + file(store)], directory: path)
    guard child.status == 0 else { throw BenchmarkFailure("dragoman run ended with \(child.status)") }
    return child
  }
}

/// Repositories that benchmarks make with `git fast-import`.
enum MadeRepository {
  /// Creates a bare repository at `path` with a Swift package.
  /// - Parameters:
  ///   - files: the number of Swift files.
  ///   - strings: the number of strings in each file.
  ///   - languages: the languages in which the catalog has every string. If there are none, the catalog is empty.
  ///   - branches: the number of branches in addition to `main`. Each branch has a different text for one string.
  static func make(
    _ path: String, files: Int, strings: Int, languages: [String] = [], branches: Int = 0, in folder: BenchmarkFolder
  ) throws {
    try folder.script(
      generator, [path, String(files), String(strings), languages.joined(separator: " "), String(branches)])
  }

  /// Commits a different text for one string. Earlier changes of the same file are reverted.
  /// - Parameter number: the number of the string, which is not 0 and was not used before.
  static func change(
    _ path: String, string number: Int, strings: Int, on branch: String = "main", in folder: BenchmarkFolder
  )
    throws
  {
    try folder.script(change, [path, branch, String(number), String(strings)])
  }

  private static let common = """
    import json, subprocess, sys
    def key(number): return 'Sentence number %05d of the benchmark, as people write them' % number
    def source(file, each, texts={}):
        lines = ['import Foundation', 'enum Texts%d {' % file]
        for line in range(each):
            text = texts.get(line, key(file * each + line))
            lines.append('  static let text%d = String(localized: "%s", bundle: .module, comment: "Comment %d")' % (line, text, line))
        return '\\n'.join(lines + ['}']) + '\\n'
    def place(file): return 'Sources/Kit/Group%d/Texts%d.swift' % (file // 100, file)
    def commit(out, branch, mark, parent, files):
        def data(text):
            text = text.encode()
            return b'data %d\\n' % len(text) + text + b'\\n'
        out.write(b'commit refs/heads/%s\\n' % branch.encode())
        if mark: out.write(b'mark :%d\\n' % mark)
        out.write(b'committer B <b@example.com> 1700000000 +0000\\n' + data('Change'))
        if parent: out.write(b'from %s\\n' % parent.encode())
        for name, text in files: out.write(b'M 100644 inline %s\\n' % name.encode() + data(text))
        out.write(b'\\n')
    def importing(path): return subprocess.Popen(['git', '-C', path, 'fast-import', '--quiet'], stdin=subprocess.PIPE)

    """

  private static let generator =
    common + """
      path, files, each, languages, branches = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4].split(), int(sys.argv[5])
      subprocess.run(['git', 'init', '-q', '--bare', '-b', 'main', path], check=True)
      strings = {}
      if languages:
          for number in range(files * each):
              strings[key(number)] = {'comment': 'Comment %d' % (number % each), 'localizations': {l: {'stringUnit': {'state': 'translated', 'value': l + ' ' + key(number)}} for l in languages}}
      catalog = json.dumps({'sourceLanguage': 'en', 'strings': strings, 'version': '1.0'}, indent=2, separators=(',', ' : '), sort_keys=True)
      manifest = '// swift-tools-version: 6.0\\nimport PackageDescription\\nlet package = Package(name: "Kit", defaultLocalization: "en", targets: [.target(name: "Kit", resources: [.process("Resources")])])\\n'
      work = importing(path)
      contents = [('Package.swift', manifest), ('Sources/Kit/Resources/Localizable.xcstrings', catalog)]
      contents += [(place(file), source(file, each)) for file in range(files)]
      commit(work.stdin, 'main', 1, None, contents)
      for branch in range(branches):
          commit(work.stdin, 'release/%d' % branch, None, ':1', [(place(0), source(0, each, {0: 'Sentence of branch %d' % branch}))])
      work.stdin.close()
      assert work.wait() == 0
      """

  private static let change =
    common + """
      path, branch, number, each = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
      file = number // each
      head = 'refs/heads/' + branch
      work = importing(path)
      commit(work.stdin, branch, None, head + '^0', [(place(file), source(file, each, {number % each: 'Sentence number %05d, changed' % number}))])
      work.stdin.close()
      assert work.wait() == 0
      """
}
