extension LocaleIdentifier {
  /// Creates an identifier from the name of a `.lproj` folder or an entry of `knownRegions`. Returns `nil` for `Base` and `mul`, which are
  /// not languages (xcode-formats.md I), for malformed names, and for names with a language code of more than three letters.
  package init?(regionName name: String) {
    let spelled =
      LanguageAliases.folderNames[name]
      ?? name.split(separator: "_", omittingEmptySubsequences: false).joined(separator: "-")
    let identifier = LocaleIdentifier(spelled)
    guard identifier.isWellFormed, name != "Base", name != "mul", identifier.language.utf8.count <= 3 else {
      return nil
    }
    self = identifier
  }
}
