import Foundation

/// The example server of docs/vendors/http.md, run for a benchmark.
enum VendorServer {
  static func run(units: Int, languages: Int) throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/vendors/http.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    guard let start = text.firstRange(of: "```python\n"), let end = text[start.upperBound...].firstRange(of: "```")
    else {
      throw BenchmarkFailure("docs/vendors/http.md has no example server")
    }
    // The page's server has only the languages of its example and logs each request.
    let codes = "[\"de\", \"uk\", \"fr\", \"ja\", \"es\", \"it\", \"nl\", \"pl\", \"sv\", \"tr\"]"
    let program = text[start.upperBound..<end.lowerBound].replacing("[\"de\", \"uk\"]", with: codes)
      .replacing("8080", with: "18089")
    try BenchmarkFolder.with { folder in
      let file = folder.file("server.py")
      try program.write(toFile: file, atomically: true, encoding: .utf8)
      let server = Process()
      server.executableURL = URL(filePath: "/usr/bin/python3")
      server.arguments = [file]
      server.standardError = FileHandle.nullDevice
      try server.run()
      defer { server.terminate() }
      Thread.sleep(forTimeInterval: 1)
      let bench = Process()
      bench.executableURL = URL(filePath: CommandLine.arguments[0])
      bench.arguments = ["vendor", "http://127.0.0.1:18089", "\(units)", "\(languages)"]
      try bench.run()
      bench.waitUntilExit()
      guard bench.terminationStatus == 0 else { throw BenchmarkFailure("the vendor benchmark failed") }
    }
  }
}
