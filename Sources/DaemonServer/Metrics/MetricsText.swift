internal import Foundation

/// A text with metrics in the Prometheus text format 0.0.4.
struct MetricsText {
  enum Kind: String { case counter, gauge, histogram }

  private(set) var text = ""

  /// Adds a metric with its samples. A metric without samples is omitted, because scrapers expect at least one sample.
  mutating func metric(_ name: String, _ kind: Kind, _ help: String, _ samples: [(labels: [Label], value: Double)]) {
    guard !samples.isEmpty else { return }
    begin(name, kind, help)
    for sample in samples { line(name, sample.labels, sample.value) }
  }

  /// Adds a histogram. A histogram without series is omitted.
  /// - Parameters:
  ///   - limits: the upper limits of the buckets, ascending.
  ///   - series: for each series, the labels, the number of values in each bucket, and the sum of all values. The last bucket contains the values
  ///     above all limits.
  mutating func histogram(
    _ name: String, _ help: String, limits: [Double], _ series: [(labels: [Label], counts: [Int], sum: Double)]
  ) {
    guard !series.isEmpty else { return }
    begin(name, .histogram, help)
    for one in series {
      var total = 0
      for (limit, count) in zip(limits.map(Self.number) + ["+Inf"], one.counts) {
        total += count
        line(name + "_bucket", one.labels + [Label("le", limit)], Double(total))
      }
      line(name + "_sum", one.labels, one.sum)
      line(name + "_count", one.labels, Double(total))
    }
  }

  struct Label: Hashable {
    var name: String
    var value: String

    init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  private mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
  }

  private mutating func line(_ name: String, _ labels: [Label], _ value: Double) {
    let list = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
    text += "\(name)\(list.isEmpty ? "" : "{\(list)}") \(Self.number(value))\n"
  }

  /// Escapes the value of a label. Some values, such as names of vendors and hosts, are text from pipeline files.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func number(_ value: Double) -> String {
    if let whole = Int(exactly: value) { return String(whole) }
    return "\(value)"
  }
}
