import Foundation
import StringExtraction

// sdk-facts STUBS OUTPUT: compiles the SDK stubs into the table that StringExtraction carries.
let arguments = CommandLine.arguments
guard arguments.count == 3 else {
  FileHandle.standardError.write(Data("usage: sdk-facts <folder of stubs> <SDKFacts.generated.swift>\n".utf8))
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
