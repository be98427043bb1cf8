internal import Foundation
internal import Localization
private import Synchronization

/// Functions that format numbers and times for the language.
extension PageLanguage {
  private var locale: Locale { Locale(identifier: tag) }

  func number(_ value: Int) -> String {
    FormattedTexts.text(.number(value), tag) { value.formatted(.number.locale(locale)) }
  }

  /// Returns a percentage, such as `96.8 %` for 968 tenths.
  func percent(_ tenths: Int) -> String {
    FormattedTexts.text(.percent(tenths), tag) {
      let value = Double(tenths) / 10
      return value.formatted(.number.locale(locale).precision(.fractionLength(tenths % 10 == 0 ? 0 : 1))) + "\u{A0}%"
    }
  }

  /// Returns a time as text and in its machine-readable form, ISO 8601.
  func time(_ date: Date) -> View { ["iso": date.formatted(.iso8601), "text": timeText(date)] }

  func timeText(_ date: Date) -> String {
    FormattedTexts.text(.time(date), tag) {
      let style = Date.FormatStyle(date: .abbreviated, time: .shortened, locale: locale, timeZone: .gmt)
      return date.formatted(style) + " UTC"
    }
  }

  func day(_ date: Date) -> String {
    FormattedTexts.text(.day(date), tag) {
      date.formatted(Date.FormatStyle(date: .abbreviated, time: .omitted, locale: locale, timeZone: .gmt))
    }
  }
}

/// A cache of formatted numbers and times. Lists show the same values many times, and formatting with ICU is slow.
private enum FormattedTexts {
  enum Value: Hashable, Sendable {
    case number(Int), percent(Int), time(Date), day(Date)
  }

  private struct Key: Hashable {
    var value: Value
    var language: String
  }

  private static let known = Mutex<[Key: String]>([:])
  /// The maximum number of cached texts. Before there are more, the cache is emptied.
  private static let most = 20_000

  static func text(_ value: Value, _ language: String, _ format: () -> String) -> String {
    let key = Key(value: value, language: language)
    if let text = known.withLock({ $0[key] }) { return text }
    let text = format()
    known.withLock { known in
      if known.count >= most { known.removeAll() }
      known[key] = text
    }
    return text
  }
}
