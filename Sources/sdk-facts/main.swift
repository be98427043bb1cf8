import Foundation
import SDKDeclarations

// sdk-facts STUBS OUTPUT: compiles the SDK stubs to the table in SDKDeclarations.
// sdk-facts candidates CHECKOUT: lists the declarations of a package that a stub may need.
let arguments = CommandLine.arguments
if arguments.count == 3, arguments[1] == "candidates" {
  let files = FileManager.default.enumerator(at: URL(fileURLWithPath: arguments[2]), includingPropertiesForKeys: nil)
  let paths = (files?.compactMap { ($0 as? URL)?.path } ?? []).filter { $0.hasSuffix(".swift") }.sorted()
  guard !paths.isEmpty else {
    FileHandle.standardError.write(Data("sdk-facts: no .swift files in \(arguments[2])\n".utf8))
    exit(66)
  }
  for path in paths {
    guard let data = FileManager.default.contents(atPath: path) else { continue }
    let found = StubCandidates.candidates(in: [UInt8](data))
    if !found.isEmpty { print(([path] + found.map { "  " + $0 }).joined(separator: "\n")) }
  }
  exit(0)
}
guard arguments.count == 3 else {
  FileHandle.standardError.write(
    Data(
      "usage: sdk-facts <folder of stubs> <SDKFacts.generated.swift> | sdk-facts candidates <checkout of a package>\n"
        .utf8))
  exit(64)
}
do {
  let folder = URL(fileURLWithPath: arguments[1], isDirectory: true)
  let files = try [folder, folder.appendingPathComponent("Packages", isDirectory: true)].flatMap {
    try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
  }.filter { $0.lastPathComponent.hasSuffix(".swift.txt") }
  let stubs = try files.map { (name: $0.lastPathComponent, bytes: [UInt8](try Data(contentsOf: $0))) }
  let table = try SDKFacts.table(of: stubs)
  try Data(SDKFacts.generatedSource(of: table).utf8).write(to: URL(fileURLWithPath: arguments[2]), options: .atomic)
} catch {
  FileHandle.standardError.write(Data("sdk-facts: \(error)\n".utf8))
  exit(65)
}
