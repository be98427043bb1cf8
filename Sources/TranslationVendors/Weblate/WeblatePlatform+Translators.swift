internal import Foundation
internal import Localization

extension WeblatePlatform {
  /// The maximum number of pages of changes that are read for a component in a language. Strings whose last change is on a later page have
  /// no translator.
  private static let pagesOfChanges = 10
  /// The maximum number of people whose accounts are requested in one call.
  private static let mostPeople = 200

  /// Weblate's numbers for the actions that enter a text: changed, added, suggestion accepted, reverted, uploaded, replaced.
  private static let writing: Set<Int> = [2, 5, 7, 8, 9, 27]

  /// Reads translators from the changes of components, because Weblate does not return translators with the strings.
  func translators(of translations: [PlatformTranslation], code: String) async throws -> [PlatformID: Translator] {
    var found: [PlatformID: Translator] = [:]
    var people: [String: Translator?] = [:]
    for (catalog, translations) in Dictionary(grouping: translations, by: \.id.catalog).sorted(by: { $0.key < $1.key })
    {
      let wanted = Set(translations.compactMap { $0.reference })
      let accounts = try await accounts(wanted, WeblateComponent(of: catalog).slug, code)
      for translation in translations {
        guard let account = translation.reference.flatMap({ accounts[$0] }) else { continue }
        if people[account] == nil {
          guard people.count < Self.mostPeople else { continue }
          try Task.checkCancellation()
          people[account] = .some(try await person(account))
        }
        found[translation.id] = people[account] ?? nil
      }
    }
    return found
  }

  /// Returns the accounts that entered the current texts of these strings, by the id of the string.
  private func accounts(_ units: Set<String>, _ slug: String, _ code: String) async throws -> [String: String] {
    var found: [String: (account: String, time: Date)] = [:]
    for number in 1...Self.pagesOfChanges {
      try Task.checkCancellation()
      guard let changes = try await client.changes(slug, code, page: number) else { break }
      for change in changes where Self.writing.contains(change.action) {
        guard let unit = Self.last(of: change.unit), units.contains(unit), let time = Self.time(change.timestamp),
          let account = Self.last(of: change.author ?? change.user)
        else { continue }
        if let known = found[unit], known.time >= time { continue }
        found[unit] = (account, time)
      }
      let times = [changes.first, changes.last].compactMap { $0.flatMap { Self.time($0.timestamp) } }
      // The changes are sorted from newest to oldest, so all further changes are older.
      if found.count == units.count, times.count == 2, times[0] >= times[1] { break }
    }
    return found.mapValues(\.account)
  }

  /// Returns the person who has an account; `nil` if the account does not belong to a person, or if the token may not see the account.
  private func person(_ account: String) async throws -> Translator? {
    guard account != "anonymous", let user = try await client.user(account), user.is_bot != true else { return nil }
    return Translator(name: user.full_name, account: account, address: user.email)
  }

  /// Returns the last part of the path of an address: `ada` for `https://weblate.example.com/api/users/ada/`.
  private static func last(of address: String?) -> String? {
    guard let part = address?.split(separator: "/").last, let text = String(part).removingPercentEncoding,
      !["", ".", ".."].contains(text), text.utf8.count <= 200, !text.contains("/")
    else { return nil }
    return text
  }

  private static func time(_ text: String) -> Date? {
    (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
      ?? (try? Date.ISO8601FormatStyle().parse(text))
  }
}
