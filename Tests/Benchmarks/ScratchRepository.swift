import Foundation

/// A temporary bare repository that uses the objects of a mirror and holds additional commits. The repository is removed when `with` returns.
struct ScratchRepository {
  let path: String
  private let index: String

  /// Creates the repository and passes it to a closure.
  /// - Parameter body: receives the repository, whose HEAD is that of the mirror.
  static func with<Output>(borrowing mirror: String, _ body: (ScratchRepository) throws -> Output) throws -> Output {
    let folder = FileManager.default.temporaryDirectory.appending(path: "dragoman-bench-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let repository = ScratchRepository(path: folder + "/repo.git", index: folder + "/index")
    try git(["init", "--quiet", "--bare", repository.path])
    let objects = URL(filePath: mirror).appending(path: "objects").standardizedFileURL.path
    try Data((objects + "\n").utf8).write(to: URL(filePath: repository.path + "/objects/info/alternates"))
    let head = try git(["--git-dir", mirror, "rev-parse", "HEAD"])
    try repository.git(["update-ref", "HEAD", head])
    try repository.git(["read-tree", "HEAD"])
    return try body(repository)
  }

  /// Commits new bytes of one file on top of HEAD without moving HEAD.
  /// - Returns: the commit.
  func commit(_ bytes: [UInt8], at file: String) throws -> String {
    let temporary = index + ".blob"
    try Data(bytes).write(to: URL(filePath: temporary))
    let blob = try git(["hash-object", "-w", temporary])
    try git(["read-tree", "HEAD"])
    try git(["update-index", "--add", "--cacheinfo", "100644,\(blob),\(file)"])
    return try git(["commit-tree", "-p", "HEAD", "-m", "Change \(file)", git(["write-tree"])])
  }

  @discardableResult
  private func git(_ arguments: [String]) throws -> String {
    try Self.git(["--git-dir", path] + arguments, index: index)
  }

  /// Runs git until it exits.
  /// - Returns: the output.
  @discardableResult
  static func git(_ arguments: [String], index: String? = nil) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      ["git", "-c", "safe.directory=*", "-c", "user.name=Benchmark", "-c", "user.email=benchmark@example.com"]
      + arguments
    var environment = ProcessInfo.processInfo.environment
    if let index { environment["GIT_INDEX_FILE"] = index }
    process.environment = environment
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw BenchmarkFailure("git \(arguments.joined(separator: " ")) failed")
    }
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
