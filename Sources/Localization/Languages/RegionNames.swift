extension LocaleIdentifier {
  /// A language as `.lproj` folders and `knownRegions` name it; `nil` for `Base` and `mul`, which are no languages (xcode-formats.md I),
  /// and for what is not formed like one.
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
