package import Localization

/// An event about the pipelines or their files while the daemon runs.
package enum SupervisorEvent: Sendable {
  /// A file cannot be used. `keeps` is the pipeline that keeps running with its earlier definition; `nil` if there is none.
  case faults(path: String, [Diagnostic], keeps: String?)
  /// The folder of pipeline files cannot be read. All pipelines stay unchanged.
  case folderFaults([Diagnostic])
  /// The folder has no pipeline files.
  case empty(folder: String)
  /// The database has no pipeline files for its workers.
  case emptyDatabase
  /// A file can be used again after a fault.
  case mended(path: String)
  case folderMended(String)
  case started(String)
  case changed(String)
  case stopped(String)
  /// All files are about to be read again because the operator requested it. Remaining faults are reported again.
  case rereading
  /// All files were read again. `pipelines` is the current number of pipelines.
  case reread(pipelines: Int)
}
