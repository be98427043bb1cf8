private import Glibc
import Localization
import Pipeline

/// Reads the pipeline files of a folder, as `serve` does.
struct PipelineFileExamination: Sendable {
  struct Readings: Sendable {
    var findings: [DoctorFinding] = []
    /// Of the files without a fault.
    var definitions: [PipelineDefinition] = []
  }

  let folder: String

  func readings() -> Readings {
    var readings = Readings()
    let all: [PipelineReading]
    do {
      all = try PipelineSource.folder(folder).readings()
    } catch {
      readings.findings = error.diagnostics.map {
        .problem("pipeline files", $0.message, "Create \(folder), or choose another folder with --pipelines")
      }
      return readings
    }
    if all.isEmpty {
      readings.findings.append(
        .problem(
          "pipeline files", "\(folder) has no pipeline file (*.yaml, *.yml)",
          "docs/reference/pipelines.md shows one"))
    }
    add(all, to: &readings)
    return readings
  }

  /// Reads the files that a database has for its workers.
  func readings(of files: [StoredPipelineFile]) -> Readings {
    var readings = Readings()
    if files.isEmpty {
      readings.findings.append(
        .problem(
          "pipeline files", "the database has no pipeline files, and there is no folder \(folder)",
          "Store them with `dragoman pipelines apply`, or choose a folder with --pipelines"))
    }
    add(PipelineReading.all(of: files), to: &readings)
    return readings
  }

  private func add(_ all: [PipelineReading], to readings: inout Readings) {
    for reading in all {
      readings.findings += reading.diagnostics.map { .problem($0.place, $0.message, $0.hint) }
      guard let definition = reading.definition else { continue }
      readings.definitions.append(definition)
      var status = stat()
      if stat(reading.path, &status) == 0, status.st_mode & 0o002 != 0 {
        readings.findings.append(
          .warning(
            reading.path, "every account can change this file, and so where the strings go",
            "chmod o-w \(reading.path)"))
      } else {
        readings.findings.append(.ok(reading.path, "pipeline \(definition.name)"))
      }
    }
  }
}
