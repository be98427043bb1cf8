import Localization
import Pipeline

extension ProjectSnapshot {
  /// What a gate looks at beside the counts.
  var gate: CompletionGate {
    CompletionGate(project: project, catalogs: catalogs, unreadable: unreadable, extraction: extraction)
  }
}
