internal import Foundation
internal import Localization

/// How values of repositories, vendors and people appear in a page. Templates escape HTML; this makes visible what no escape shows: control
/// characters and marks of direction, with which a text could make a page read as another. Long texts are cut.
enum Shown {
  /// A key, a path or a name, on one line.
  static func line(_ text: String, limit: Int = 300) -> String { cut(text, limit).withVisibleControls }

  /// A text of several lines.
  static func text(_ text: String, limit: Int = 2000) -> String { cut(text, limit).withVisibleControlsInLines }

  private static func cut(_ text: String, _ limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    let start = String(text.unicodeScalars.prefix(limit))
    return start.utf8.count == text.utf8.count ? text : start + " … (\(text.utf8.count) bytes)"
  }

  /// A part of a path or a value of a query, as a URL writes it.
  static func url(_ text: String) -> String {
    var allowed = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "\0"..."\u{7F}"))
    allowed.insert(charactersIn: "-._~")
    return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
  }
}

extension PageLanguage {
  private var locale: Locale { Locale(identifier: tag) }

  func number(_ value: Int) -> String { value.formatted(.number.locale(locale)) }

  /// `96.8 %` of 968 tenths.
  func percent(_ tenths: Int) -> String {
    let value = Double(tenths) / 10
    return value.formatted(.number.locale(locale).precision(.fractionLength(tenths % 10 == 0 ? 0 : 1))) + "\u{A0}%"
  }

  /// A time with its machine-readable form.
  func time(_ date: Date) -> View {
    let style = Date.FormatStyle(date: .abbreviated, time: .shortened, locale: locale, timeZone: .gmt)
    return ["iso": date.formatted(.iso8601), "text": date.formatted(style) + " UTC"]
  }

  func day(_ date: Date) -> String {
    date.formatted(Date.FormatStyle(date: .abbreviated, time: .omitted, locale: locale, timeZone: .gmt))
  }
}

/// The values of a template. It must have every name that the template uses: a missing name would be looked up in the enclosing values.
typealias View = [String: Any]
