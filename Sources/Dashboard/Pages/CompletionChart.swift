internal import Foundation
internal import Localization
internal import Pipeline

/// Charts of the completion of a branch's languages and of the missing translations over time, as SVG. A table below the charts has the figures of
/// the first chart for the last 60 recorded days, for people who cannot see the chart.
struct CompletionChart {
  private struct Series {
    var language: LocaleIdentifier
    /// The recorded days, as days since 1970, with the completion in tenths of a percent.
    var points: [(day: Int, tenths: Int)]
  }

  private static let (width, height, left, bottom, top) = (720.0, 240.0, 46.0, 26.0, 12.0)
  private static let burnHeight = 150.0
  private static let most = 6

  private let series: [Series]
  private let days: ClosedRange<Int>
  private let t: PageLanguage
  private let branch: String
  /// The missing translations of all languages, by day.
  private let missing: [(day: Int, count: Int)]

  /// - Returns: `nil` if the history has no day before today.
  init?(_ history: [BranchCompletion], now: Date, t: PageLanguage) {
    let today = Int(now.timeIntervalSince1970 / 86_400)
    guard let first = history.first?.day, first < today else { return nil }
    days = first...today
    self.t = t
    branch = history.first?.branch ?? ""
    missing = history.map { ($0.day, $0.languages.reduce(0) { $0 + $1.total - $1.translated }) }
    let languages = history.last?.languages ?? []
    // At most six languages are shown: those with the lowest completion on the last recorded day.
    let shown = languages.sorted { ($0.tenths, $0.language) < ($1.tenths, $1.language) }.prefix(Self.most)
      .map(\.language).sorted()
    series = shown.map { language in
      Series(
        language: language,
        points: history.compactMap { day in
          day.languages.first { $0.language == language }.map { (day.day, $0.tenths) }
        })
    }
  }

  private func x(_ day: Int) -> String {
    let share = Double(day - days.lowerBound) / Double(days.upperBound - days.lowerBound)
    return Self.text(Self.left + share * (Self.width - Self.left - 10))
  }

  private func y(_ tenths: Int) -> String {
    Self.text(Self.top + (1 - Double(tenths) / 1000) * (Self.height - Self.top - Self.bottom))
  }

  private static func text(_ value: Double) -> String { String((value * 10).rounded() / 10) }

  private func day(_ day: Int) -> String { t.day(Date(timeIntervalSince1970: Double(day) * 86_400)) }

  private static let dashes = ["", "8 4", "2 3", "10 3 2 3", "5 5", "1 4"]

  var html: String {
    let title = t(
      message(
        "How much of %1$@ was translated from %2$@ to %3$@", Shown.line(branch), day(days.lowerBound),
        day(days.upperBound), comment: "The description of a chart: a branch and two days."))
    var svg =
      "<svg class=\"chart\" viewBox=\"0 0 \(Int(Self.width)) \(Int(Self.height))\" role=\"img\" aria-labelledby=\"chart-title\">"
      + "<title id=\"chart-title\">\(Self.escaped(title))</title>"
    for tenths in stride(from: 0, through: 1000, by: 250) {
      svg +=
        "<line class=\"grid\" x1=\"\(Self.left)\" x2=\"\(Self.width - 10)\" y1=\"\(y(tenths))\" y2=\"\(y(tenths))\"/>"
      svg += "<text x=\"\(Self.left - 6)\" y=\"\(y(tenths))\" dy=\"4\" text-anchor=\"end\">\(tenths / 10)\u{A0}%</text>"
    }
    let base = Self.height - 6
    svg += "<text x=\"\(Self.left)\" y=\"\(base)\">\(Self.escaped(day(days.lowerBound)))</text>"
    svg +=
      "<text x=\"\(Self.width - 10)\" y=\"\(base)\" text-anchor=\"end\">\(Self.escaped(day(days.upperBound)))</text>"
    for (number, series) in series.enumerated() { svg += line(series, number) }
    return svg + "</svg>" + legend + burnDown + table
  }

  /// The heading and the SVG of the number of missing translations in all languages, by day, drawn as an area below a line; empty if no translation
  /// was missing on any day.
  private var burnDown: String {
    guard let most = missing.map(\.count).max(), most > 0, let first = missing.first else { return "" }
    let title = t(message("Missing translations in all languages", comment: "The title of a chart over days."))
    func y(_ count: Int) -> String {
      Self.text(Self.top + (1 - Double(count) / Double(most)) * (Self.burnHeight - Self.top - Self.bottom))
    }
    var path = "M\(x(first.day)) \(y(first.count))"
    for point in missing.dropFirst() { path += "H\(x(point.day))V\(y(point.count))" }
    path += "H\(x(days.upperBound))"
    let area = path + "V\(y(0))H\(x(first.day))Z"
    let base = Self.burnHeight - 6
    var svg =
      "<h3>\(Self.escaped(title))</h3><svg class=\"chart\" viewBox=\"0 0 \(Int(Self.width)) \(Int(Self.burnHeight))\" "
      + "role=\"img\" aria-label=\"\(Self.escaped(title))\">"
    for count in most == 1 ? [0, 1] : [0, most / 2, most] {
      svg +=
        "<line class=\"grid\" x1=\"\(Self.left)\" x2=\"\(Self.width - 10)\" y1=\"\(y(count))\" y2=\"\(y(count))\"/>"
      svg +=
        "<text x=\"\(Self.left - 6)\" y=\"\(y(count))\" dy=\"4\" text-anchor=\"end\">\(Self.escaped(t.number(count)))</text>"
    }
    svg += "<path class=\"area\" d=\"\(area)\"/><path class=\"line s1\" d=\"\(path)\"/>"
    svg += "<text x=\"\(Self.left)\" y=\"\(base)\">\(Self.escaped(day(days.lowerBound)))</text>"
    svg +=
      "<text x=\"\(Self.width - 10)\" y=\"\(base)\" text-anchor=\"end\">\(Self.escaped(day(days.upperBound)))</text>"
    return svg + "</svg>"
  }

  /// Returns the SVG of a language's completion as a step line; empty if there are no values. Each value is drawn until the day of the next value,
  /// and the last value until today.
  private func line(_ series: Series, _ number: Int) -> String {
    guard let first = series.points.first else { return "" }
    var path = "M\(x(first.day)) \(y(first.tenths))"
    for point in series.points.dropFirst() { path += "H\(x(point.day))V\(y(point.tenths))" }
    path += "H\(x(days.upperBound))"
    return "<path class=\"line s\(number)\" stroke-dasharray=\"\(Self.dashes[number])\" d=\"\(path)\"/>"
  }

  private var legend: String {
    "<ul class=\"legend\" aria-hidden=\"true\">"
      + series.enumerated().map { number, series in
        "<li><svg class=\"chart\" viewBox=\"0 0 28 12\"><path class=\"line s\(number)\" "
          + "stroke-dasharray=\"\(Self.dashes[number])\" d=\"M0 6H28\"/></svg>\(Self.escaped(t.name(of: series.language)))</li>"
      }.joined() + "</ul>"
  }

  private var table: String {
    let caption = t(message("The figures of the chart", comment: "Opens a table."))
    let label = t(message("Day", comment: "A column."))
    let days = Set(series.flatMap { $0.points.map(\.day) }).sorted().reversed().prefix(60)
    let heads = series.map { "<th scope=\"col\" class=\"n\">\(Self.escaped($0.language.rawValue))</th>" }.joined()
    let rows = days.map { day in
      let cells = series.map { series in
        let point = series.points.first { $0.day == day }
        return "<td class=\"n\">\(point.map { Self.escaped(t.percent($0.tenths)) } ?? "–")</td>"
      }.joined()
      return "<tr><th scope=\"row\">\(Self.escaped(self.day(day)))</th>\(cells)</tr>"
    }.joined()
    return "<details class=\"small\"><summary>\(Self.escaped(caption))</summary><div class=\"scroll\" tabindex=\"0\" "
      + "role=\"region\" aria-label=\"\(Self.escaped(caption))\"><table><thead><tr><th scope=\"col\">\(Self.escaped(label))</th>"
      + "\(heads)</tr></thead><tbody>\(rows)</tbody></table></div></details>"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
  }
}

extension PageLanguage {
  /// Returns `German (de)`, or only the tag if the name is not known.
  func name(of language: LocaleIdentifier) -> String {
    let shown = Shown.line(language.rawValue, limit: 40)
    guard let name = Locale(identifier: tag).localizedString(forIdentifier: language.rawValue),
      name != language.rawValue
    else { return shown }
    return "\(name) (\(shown))"
  }
}
