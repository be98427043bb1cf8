import CatalogFormats
import Localization
import ProjectLayout
import StringExtraction
import SwiftAdvice
package import Workspace

extension ProjectTools {
  /// The tools that read real projects.
  /// - Parameter remembersLayouts: whether the layout of one tree is kept for the next one of the same repository.
  package static func standard(remembersLayouts: Bool = false) -> ProjectTools {
    let formats = CatalogFormatRegistry.standard.reading(interfacesWith: LocalizedFileTexts())
    return ProjectTools(
      layout: RepositoryLayout(remembers: remembersLayouts), extractor: SourceStringExtractor(),
      reviewer: SwiftCodeReviewer(),
      format: { formats.format(for: $0) })
  }
}
