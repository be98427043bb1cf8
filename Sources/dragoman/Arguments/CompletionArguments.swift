import ArgumentParser
import Foundation
import Localization

/// A language and its fallback languages, in order.
struct FallbackArgument {
  let language: LocaleIdentifier
  let chain: [LocaleIdentifier]

  /// Parses `es-MX=es-419,es`.
  /// - Throws: `ValidationError` with a description of the fault.
  static func parse(_ argument: String) throws -> FallbackArgument {
    let parts = argument.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw ValidationError(
        message(
          "%@ is not a language with its fallbacks, such as es-MX=es-419,es.", argument,
          comment: "Refusal of --fallback."))
    }
    let language = try wellFormed(parts[0])
    let chain = try parts[1].split(separator: ",", omittingEmptySubsequences: false).map(wellFormed)
    guard !chain.contains(language) else {
      throw ValidationError(
        message(
          "%@ cannot be its own fallback; give other languages.", language.rawValue,
          comment: "Refusal of --fallback: a language."))
    }
    return FallbackArgument(language: language, chain: chain)
  }
}

extension CompletionRequirement {
  /// Parses a requirement: `95` for all languages, `de=100` for one language, `App/**:95` or `App/**:de=100` for each matching catalog. A percent
  /// sign may follow the number.
  /// - Throws: `ValidationError` with a description of the fault.
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

/// Returns the language with a well-formed identifier. CLDR need not define the language.
private func wellFormed(_ name: Substring) throws -> LocaleIdentifier {
  let language = LocaleIdentifier(String(name))
  guard language.isWellFormed else { throw LocaleIdentifier.notALanguage(String(name)) }
  return language
}
