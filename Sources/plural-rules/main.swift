import Foundation

// plural-rules PLURALS.JSON OUTPUT: writes CLDR's plural rules as the table that Localization carries.
let arguments = CommandLine.arguments
guard arguments.count == 3 else {
  FileHandle.standardError.write(
    Data("usage: plural-rules <plurals.json of CLDR> <PluralRuleTable.generated.swift>\n".utf8))
  exit(64)
}
do {
  let json = try Data(contentsOf: URL(filePath: arguments[1]))
  try Data(PluralRuleSource.generate(from: json).utf8).write(to: URL(filePath: arguments[2]), options: .atomic)
} catch {
  FileHandle.standardError.write(Data("plural-rules: read \(arguments[1]): \(error)\n".utf8))
  exit(65)
}
