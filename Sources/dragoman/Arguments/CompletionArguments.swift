import ArgumentParser
import Foundation
import Localization

/// A language and its fallback languages, in order.
struct FallbackArgument {
  let language: LocaleIdentifier
  let chain: [LocaleIdentifier]

  /// Parses `es-MX=es-419,es`.
  /// - Throws: `ValidationError` that says what is wrong.
  static func parse(_ argument: String) throws -> FallbackArgument {
    let parts = argument.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw ValidationError(
        message(
          "%@ is not a language and its fallbacks such as es-MX=es-419,es.", argument,
          comment: "Refusal of --fallback."))
    }
    let language = try wellFormed(parts[0])
    let chain = try parts[1].split(separator: ",", omittingEmptySubsequences: false).map(wellFormed)
    guard !chain.contains(language) else {
      throw ValidationError(
        message(
          "%@ is a fallback of itself; give other languages.", language.rawValue,
          comment: "Refusal of --fallback: a language."))
    }
    return FallbackArgument(language: language, chain: chain)
  }
}

extension CompletionRequirement {
  /// Parses `95` (all languages) or `de=100` (one language), and `App/**:95` or `App/**:de=100` for each catalog that matches. A percent
  /// sign may follow the number.
  /// - Throws: `ValidationError` that says what is wrong.
  static func parse(_ argument: String) throws -> CompletionRequirement {
    var rest = Substring(argument)
    var catalogs: PathPattern?
    if let colon = argument.lastIndex(of: ":") {
      let text = String(argument[..<colon])
      guard let pattern = PathPattern(text) else {
        throw ValidationError(
          message(
            "“%@” is not a pattern of paths such as App/**.", text, comment: "Refusal of --require: what was given."))
      }
      catalogs = pattern
      rest = argument[argument.index(after: colon)...]
    }
    let parts = rest.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let language = parts.count == 2 ? try wellFormed(parts[0]) : nil
    let number = parts.last ?? ""
    guard let needed = Percentage(number.hasSuffix("%") ? number.dropLast() : number) else {
      throw ValidationError(
        message(
          "“%@” is not a percentage: a number from 0 to 100 with at most six decimals.", String(number),
          comment: "Refusal of --require: what was given."))
    }
    return CompletionRequirement(language: language, needed: needed, catalogs: catalogs)
  }
}

/// Returns a language of any spelling that is allowed in catalogs, whether CLDR knows it or not.
private func wellFormed(_ name: Substring) throws -> LocaleIdentifier {
  let language = LocaleIdentifier(String(name))
  guard language.isWellFormed else { throw LocaleIdentifier.notALanguage(String(name)) }
  return language
}
