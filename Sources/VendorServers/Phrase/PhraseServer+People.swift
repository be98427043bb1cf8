internal import Foundation
package import Localization

/// The actions of people in Phrase's editor.
extension PhraseServer {
  /// Keeps only one form of each translated plural text, as if a person had saved only this form. The form that is kept is reviewed if `isReviewed`
  /// is set.
  package func leaveOnly(_ form: String, in language: LocaleIdentifier, isReviewed: Bool) {
    lock.withLock {
      guard let locale = Self.locales.first(where: { $0.2 == language.rawValue })?.0 else { return }
      for (id, key) in state.keys where key.isPlural {
        guard var left = key.texts[locale]?[form] else { continue }
        left.state = isReviewed ? "reviewed" : "translated"
        state.keys[id]?.texts[locale] = [form: left]
      }
    }
  }

  /// Translates all strings into a language. The other arguments are properties of the translations.
  package func translate(
    _ language: LocaleIdentifier, unverified: Bool = false, state name: String = "reviewed", excluded: Bool = false
  ) {
    lock.withLock {
      guard let locale = Self.locales.first(where: { $0.2 == language.rawValue })?.0 else { return }
      for (id, key) in state.keys {
        let source = (key.texts["l1"] ?? [:]).mapValues(\.content)
        for form in key.isPlural ? PluralRules.categories(of: language).map(\.rawValue) : [""] {
          let text = "\(language) \(form): \(source[form] ?? source["other"] ?? "")"
          state.keys[id]?.texts[locale, default: [:]][form] = Text(
            id: number("t"), content: text, unverified: unverified, state: name, excluded: excluded)
        }
      }
    }
  }

  /// Replaces the keys that other people have added with this number of new ones, which have texts in every locale. Lists contain them before all
  /// other keys.
  package func set(foreign count: Int) {
    lock.withLock {
      state.keys = state.keys.filter { !$0.value.name.hasPrefix("foreign") }
      for number in 0..<count {
        var key = Key(name: "foreign \(number)", description: "", isPlural: false)
        for locale in Self.locales {
          key.texts[locale.0] = ["": Text(id: "t0-\(number)-\(locale.0)", content: "Foreign")]
        }
        state.keys["k0\(999 - number)"] = key
      }
    }
  }
}
