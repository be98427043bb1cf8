import Foundation

// The figures of the issues, measured on a release build: `make bench`. Public projects are read from git mirrors outside this repository
// (MIRRORS, default ../.mirror); where one is missing, its figures are left out, and that is said.

let mirrors = ProcessInfo.processInfo.environment["MIRRORS"] ?? "../.mirror"
let binary = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "dragoman").path

do {
  let app = mirrors + "/Dimillian+IceCubesApp/repo"
  if FileManager.default.fileExists(atPath: app) {
    try ExtractionBenchmark(repository: app, name: "IceCubesApp", dragoman: binary).run()
    try RoundBenchmark(dragoman: binary).round(on: app, name: "IceCubesApp")
  } else {
    print("left out: IceCubesApp, which is not at \(app)")
  }
  try RoundBenchmark(dragoman: binary).oneStringChanges()
} catch {
  print("benchmark failed: \(error)")
  exit(1)
}
