import Foundation
import Localization
import Pipeline

extension CompletionRendering {
  /// The JSON of `status`.
  struct Record: Encodable {
    /// A missing translation with its details.
    struct Missing: Encodable {
      let detail: MissingDetail

      private enum CodingKeys: String, CodingKey { case source, line, commit, author, date, committed, `where` }

      func encode(to encoder: any Encoder) throws {
        try detail.missing.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(detail.source, forKey: .source)
        try container.encodeIfPresent(detail.line, forKey: .line)
        if let origin = detail.origin {
          try container.encode(origin.commit != nil, forKey: .committed)
          try container.encodeIfPresent(origin.commit?.rawValue, forKey: .commit)
          try container.encodeIfPresent(origin.author, forKey: .author)
          try container.encodeIfPresent(origin.date, forKey: .date)
        }
        try container.encodeIfPresent(detail.whereabouts, forKey: .where)
      }
    }

    let rendering: CompletionRendering

    private enum CodingKeys: String, CodingKey { case sourceLanguage, languages, catalogs, missing, verdict }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(rendering.report.sourceLanguage, forKey: .sourceLanguage)
      try container.encode(rendering.report.languages, forKey: .languages)
      try container.encode(rendering.report.catalogs, forKey: .catalogs)
      if rendering.details.isEmpty {
        try container.encode(rendering.report.missing, forKey: .missing)
      } else {
        try container.encode(rendering.details.map(Missing.init), forKey: .missing)
      }
      try container.encodeIfPresent(rendering.verdict, forKey: .verdict)
    }
  }

  var json: Record { Record(rendering: self) }
}
