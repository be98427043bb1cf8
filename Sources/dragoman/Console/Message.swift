import ArgumentParser
import CatalogFormats
import Foundation
import Localization

/// Returns a message of the command line, in the language of the environment if the catalog has that language, or else in English.
///
/// Foundation on Linux has no `String(localized:)` and ignores LANG. This function is the replacement, and `pipelines/self.yaml` names the function
/// under `extract.macros`. It never traps: if a translation is missing, or its placeholders do not match the arguments, it returns the English text.
/// - Parameters:
///   - key: the English text with `%@` for texts and `%lld` for numbers.
///   - comment: information for translators.
func message(_ key: StaticString, _ arguments: any MessageArgument..., comment: StaticString) -> String {
  MessageCatalog.text(key, arguments)
}

/// Returns `one` if the number is 1, and `other` for any other number.
func counted(_ number: Int, one: String, other: String) -> String { number == 1 ? one : other }

extension ParsableArguments {
  /// Returns the same text as the global function, which ArgumentParser's `message(for:)` hides inside a command.
  static func message(_ key: StaticString, _ arguments: any MessageArgument..., comment: StaticString) -> String {
    MessageCatalog.text(key, arguments)
  }

  /// Returns the same text as the global function, which ArgumentParser's `message(for:)` hides inside a command.
  func message(_ key: StaticString, _ arguments: any MessageArgument..., comment: StaticString) -> String {
    MessageCatalog.text(key, arguments)
  }
}

/// The translations of the messages in the language of the environment.
private struct MessageCatalog {
  /// The catalog of this process; `nil` if the environment names no language or English, if the catalog does not have the language, or if the binary
  /// was copied without its resources.
  static let current: MessageCatalog? = {
    guard let language = environmentLanguage(ProcessInfo.processInfo.environment), language.language != "en" else {
      return nil
    }
    let file = "dragoman_dragoman.resources/Localizable.xcstrings"
    guard let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
      let data = FileManager.default.contents(
        atPath: URL(filePath: executable).deletingLastPathComponent().appending(path: file).path),
      let catalog = try? StringCatalogFormat().read(Array(data), at: TreePath(trusted: file))
    else { return nil }
    let exact = catalog.languages.contains(language) ? language : nil
    return (exact ?? catalog.languages.filter { $0.language == language.language }.min())
      .map { MessageCatalog(catalog: catalog, language: $0) }
  }()

  let catalog: Catalog
  let language: LocaleIdentifier

  /// Returns the message in the language of the environment, or else in English.
  static func text(_ key: StaticString, _ arguments: [any MessageArgument]) -> String {
    let english = "\(key)"
    if let current, let translated = current.catalog.message(english, in: current.language, arguments) {
      return translated
    }
    return MessageText.filled(english, with: arguments) ?? english
  }

  /// Returns the language of the first non-empty variable of LC_ALL, LC_MESSAGES and LANG: `de_AT.UTF-8` is `de-AT`. Returns `nil` for `C` and
  /// `POSIX`, and if all are empty.
  static func environmentLanguage(_ environment: [String: String]) -> LocaleIdentifier? {
    let value = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }
    guard let name = value?.prefix(while: { $0 != "." && $0 != "@" }), name != "C", name != "POSIX" else { return nil }
    return LocaleIdentifier(String(name).replacing("_", with: "-"))
  }
}
