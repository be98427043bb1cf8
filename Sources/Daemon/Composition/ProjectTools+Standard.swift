import CatalogFormats
import Localization
package import ProjectLayout
import StringExtraction
import SwiftAdvice
package import Workspace

extension ProjectTools {
  /// Returns the tools that read real projects.
  package static func standard(_ layout: RepositoryLayout = RepositoryLayout()) -> ProjectTools {
    let formats = CatalogFormatRegistry.standard.reading(interfacesWith: LocalizedFileTexts())
    return ProjectTools(
      layout: layout, extractor: SourceStringExtractor(), reviewer: SwiftCodeReviewer(),
      format: { formats.format(for: $0) })
  }
}
