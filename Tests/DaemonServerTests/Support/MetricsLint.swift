/// The rules of `promtool check metrics` that apply to Dragoman's metrics: names, help, type, suffixes, labels, and one group of lines per metric.
enum MetricsLint {
  static func faults(in text: String) -> [String] {
    var faults: [String] = []
    var kinds: [String: String] = [:]
    var helped: Set<String> = []
    var current = ""
    var seen: Set<Substring> = []
    guard text.hasSuffix("\n") else { return ["the last line has no line break"] }
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 3)
      if line.hasPrefix("# HELP ") {
        if words.count < 4 { faults.append("no help: \(line)") }
        if !helped.insert(String(words[2])).inserted { faults.append("help twice: \(line)") }
        continue
      }
      if line.hasPrefix("# TYPE ") {
        let (name, kind) = (String(words[2]), String(words[3]))
        current = name
        kinds[name] = kind
        if !helped.contains(name) { faults.append("no help before \(line)") }
        if (kind == "counter") != name.hasSuffix("_total") { faults.append("suffix: \(line)") }
        if ["milliseconds", "minutes", "kilobytes"].contains(where: { name.contains($0) }) {
          faults.append("unit: \(line)")
        }
        continue
      }
      guard
        let match = line.wholeMatch(of: #/([a-z_]+)(\{(?:[a-z]+="(?:[^"\\\n]|\\[\\"n])*",?)+\})? (-?[0-9.e+-]+|\+Inf)/#)
      else {
        faults.append("form: \(line)")
        continue
      }
      let name = match.1
      let isPart = kinds[current] == "histogram" && ["_bucket", "_sum", "_count"].contains { name == current + $0 }
      if name != current, !isPart { faults.append("not after its type: \(line)") }
      if !seen.insert(match.1 + (match.2 ?? "")).inserted { faults.append("twice: \(line)") }
    }
    return faults
  }
}
