import ArgumentParser
import Foundation
import Localization

/// Parses `es-MX=es-419,es`: a language and its fallback languages, in order.
struct FallbackArgument: ExpressibleByArgument {
  let language: LocaleIdentifier
  let chain: [LocaleIdentifier]

  init?(argument: String) {
    let parts = argument.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    language = LocaleIdentifier(String(parts[0]))
    chain = parts[1].split(separator: ",", omittingEmptySubsequences: false).map { LocaleIdentifier(String($0)) }
    guard language.isWellFormed, chain.allSatisfy({ $0.isWellFormed && $0 != language }) else { return nil }
  }
}

/// Parses `95` (all languages) or `de=100` (one language), and `App/**:95` or `App/**:de=100` for each catalog that matches.
extension CompletionRequirement: ExpressibleByArgument {
  package init?(argument: String) {
    var rest = Substring(argument)
    var catalogs: PathPattern?
    if let colon = argument.lastIndex(of: ":") {
      guard let pattern = PathPattern(String(argument[..<colon])) else { return nil }
      catalogs = pattern
      rest = argument[argument.index(after: colon)...]
    }
    let parts = rest.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let last = parts.last, let needed = Percentage(last) else { return nil }
    var language: LocaleIdentifier?
    if parts.count == 2 {
      let name = LocaleIdentifier(String(parts[0]))
      guard name.isWellFormed else { return nil }
      language = name
    }
    self.init(language: language, needed: needed, catalogs: catalogs)
  }
}
