package import FoundationEssentials
import Localization
import Pipeline

/// The format of a daemon's log.
package enum LogFormat: String, Hashable, Sendable, CaseIterable { case text, json }

/// One event of a daemon's log.
package struct LogEntry: Encodable, Sendable {
  package enum Level: String, Hashable, Sendable, Encodable { case debug, info, warning, error }

  package var time: Date
  package var level: Level
  package var message: String
  package var pipeline: String?
  package var stage: String?
  package var branch: String?
  package var vendor: String?
  /// The numbers of the rounds, separated by commas.
  package var round: String?
  /// The job's number in the ledger.
  package var job: Int64?
  /// The path of a pipeline file, of the folder of pipeline files, or of the file of a finding.
  package var path: String?
  package var line: Int?
  package var column: Int?
  /// The findings about the file, in the compiler's format.
  package var findings: [String]?

  package init(time: Date, level: Level, message: String) {
    self.time = time
    self.level = level
    self.message = message
  }

  /// The entry as one line of JSON. The keys are sorted; keys without a value are omitted.
  package var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    guard let data = try? encoder.encode(self) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }
}
