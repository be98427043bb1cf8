import Foundation

// Converts the parts of CLDR's data that Localization needs to a Swift file:
//   plural-rules PLURALS.JSON OUTPUT
//   plural-rules PLURALS.JSON ALIASES.JSON LIKELYSUBTAGS.JSON OUTPUT
let arguments = CommandLine.arguments
guard arguments.count == 3 || arguments.count == 5, let output = arguments.last else {
  FileHandle.standardError.write(
    Data(
      "usage: plural-rules <plurals.json of CLDR> [<aliases.json> <likelySubtags.json>] <table.generated.swift>\n".utf8)
  )
  exit(64)
}
do {
  let files = try arguments.dropFirst().dropLast().map { try Data(contentsOf: URL(filePath: $0)) }
  let source =
    files.count == 1
    ? try PluralRuleSource.generate(from: files[0])
    : try LanguageTableSource.generate(
      aliases: files[1], likely: files[2], languages: PluralRuleSource.languages(of: files[0]))
  try Data(source.utf8).write(to: URL(filePath: output), options: .atomic)
} catch {
  FileHandle.standardError.write(
    Data("plural-rules: cannot convert \(arguments[1...].dropLast().joined(separator: ", ")): \(error)\n".utf8))
  exit(65)
}
