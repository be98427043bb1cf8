package import Localization
package import Pipeline

/// Functions that create and change pipeline files as text, so comments and layout are kept.
package enum PipelineFileText {
  /// Returns the text of a file for a new pipeline that exchanges bundles with translators in a folder.
  package static func new(
    name: String, url: String, branch: String?, languages: [LocaleIdentifier], folder: String
  ) -> String {
    var lines = [
      "# `dragoman run FILE --once` checks and runs this file. docs/reference/pipelines.md explains every key.",
      "pipeline: \(quoted(name))",
      "",
      "repository:",
      "  url: \(quoted(url))",
    ]
    if let branch { lines.append("  branches: [\(quoted(branch))]") }
    lines += [
      "",
      "languages: [\(list(languages))]",
      "",
      "vendors:",
      "  # Bundles for translators go to to-translate/ in this folder, and are taken from translated/.",
      "  - vendor: folder",
      "    path: \(quoted(folder))",
      "",
      "deliver:",
      "  mode: branch                 # pushes to l10n/BRANCH; other modes: pull-request, push",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the text of a pipeline file with an additional language.
  /// - Parameters:
  ///   - definition: the definition in the text.
  ///   - others: the languages of the project, which are used if the file lists no languages.
  /// - Returns: `nil` if the language cannot be added without changing anything else. In this case a person must edit the file.
  package static func adding(
    _ language: LocaleIdentifier, to text: String, of definition: PipelineDefinition,
    otherwise others: [LocaleIdentifier]
  ) -> String? {
    // The scalars are split, not the characters, because CR LF is one character. The CR stays at the end of its line.
    var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard definition.languages != nil else {
      guard let index = lines.firstIndex(where: { $0.hasPrefix("vendors:") }) else { return nil }
      // The list must contain the languages of all vendors, because a vendor can only have languages of the pipeline.
      let present = Set(others + definition.vendors.flatMap { $0.languages ?? [] }).subtracting([language]).sorted()
      lines.insert("languages: [\(list(present + [language]))]" + end(of: lines[index]), at: index)
      return checked(lines, definition, languages: present + [language])
    }
    guard let key = lines.firstIndex(where: { $0.hasPrefix("languages:") }) else { return nil }
    if let close = lines[key].firstIndex(of: "]") {
      let last = lines[key][..<close].lastIndex { $0 != " " }
      let end = last.map { lines[key].index(after: $0) } ?? close
      let isTrailingComma = last.map { lines[key][$0] == "," } ?? false
      lines[key].insert(contentsOf: "\(isTrailingComma ? "" : ",") \(quoted(language.rawValue))", at: end)
    } else {
      let items = lines[(key + 1)...].prefix { line in
        let content = line.drop { $0 == " " || $0 == "\r" }
        return content.isEmpty || content.hasPrefix("#") || content.hasPrefix("- ")
      }
      guard let last = items.indices.last(where: { items[$0].drop { $0 == " " }.hasPrefix("- ") }) else { return nil }
      let indentation = items[last].prefix { $0 == " " }
      let end = end(of: lines[key])
      let isUnended = end != self.end(of: lines[last])
      if isUnended { lines[last] += end }
      lines.insert("\(indentation)- \(quoted(language.rawValue))" + (isUnended ? "" : end), at: last + 1)
    }
    return checked(lines, definition, languages: (definition.languages ?? []) + [language])
  }

  /// Returns the CR before the line's LF; empty if the line ends only with LF.
  private static func end(of line: String) -> String { line.hasSuffix("\r") ? "\r" : "" }

  private static func checked(
    _ lines: [String], _ definition: PipelineDefinition, languages: [LocaleIdentifier]
  ) -> String? {
    let text = lines.joined(separator: "\n")
    var wanted = definition
    wanted.languages = languages
    return (try? PipelineFile.read(Array(text.utf8), at: "")) == wanted ? text : nil
  }

  /// Returns languages as items of a YAML list. A language such as `no` is quoted, because other YAML parsers would read `no` as a Boolean.
  private static func list(_ languages: [LocaleIdentifier]) -> String {
    languages.map { quoted($0.rawValue) }.joined(separator: ", ")
  }

  /// Returns a text as a YAML scalar, in quotes unless every YAML parser reads it correctly without quotes.
  private static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        || "/._-:@".utf8.contains($0)
    }
    let isSafe = isPlain && !text.hasSuffix(":") && text.utf8.first.map { !"-:@.".utf8.contains($0) } == true
    if isSafe, !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased()),
      Double(text) == nil
    {
      return text
    }
    return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
