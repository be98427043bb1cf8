import Foundation

// `make layers` fails if targets import targets that are not their dependencies, or if folders of a target use each other in a cycle.
// Arguments: the package's folder, and `check` or `update`, which rewrites the graph in docs/architecture.md.
// Standard input: the output of `swift package dump-package`.

let arguments = CommandLine.arguments
guard arguments.count == 3, ["check", "update"].contains(arguments[2]) else {
  print("usage: swift package dump-package | layers PACKAGE check|update")
  exit(64)
}
let root = URL(filePath: arguments[1])
let targets = try PackageTargets(json: FileHandle.standardInput.readDataToEndOfFile())
var faults: [String] = []
for target in targets.all {
  let files = try SourceFile.files(in: root.appending(path: target.path), named: target.path)
  faults += ImportCheck.faults(of: target, files, among: targets)
  if !target.isTest { faults += FolderGraph(files).faults() }
}
let document = root.appending(path: "docs/architecture.md")
let text = try String(contentsOf: document, encoding: .utf8)
let updated = try TargetGraph(targets).replacing(in: text)
if updated != text {
  if arguments[2] == "update" {
    try updated.write(to: document, atomically: true, encoding: .utf8)
  } else {
    faults.append(
      "docs/architecture.md: error: the target graph differs from Package.swift; run `make layers UPDATE=1`")
  }
}
for fault in faults { print(fault) }
if !faults.isEmpty {
  print(
    "Each line is one step of a cycle, or an import without a dependency. Remove a step: move the type that it names to another folder."
  )
}
exit(faults.isEmpty ? 0 : 1)
