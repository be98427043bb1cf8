private import Glibc
import Localization
import Pipeline

/// A check of pipeline files: those in a folder, as `serve` reads them, one file, as `run` reads it, or those that a database stores for its workers.
struct PipelineFileExamination: Sendable {
  struct Readings: Sendable {
    var findings: [DoctorFinding] = []
    /// The definitions in the files that have no faults.
    var definitions: [PipelineDefinition] = []
  }

  /// The path of a folder or a file.
  let path: String

  func readings() -> Readings {
    var readings = Readings()
    let all: [PipelineReading]
    do {
      var status = stat()
      guard stat(path, &status) == 0 || errno != ENOENT else {
        readings.findings = [
          .problem(
            "pipeline files", "\(path) does not exist",
            "Create the folder and add a pipeline file, or choose another folder or file with --pipelines")
        ]
        return readings
      }
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      all = try (isFolder ? PipelineSource.folder(path) : .files([path])).readings()
    } catch {
      readings.findings = error.diagnostics.map { .problem($0.place, $0.message, $0.hint) }
      return readings
    }
    if all.isEmpty {
      readings.findings.append(
        .problem(
          "pipeline files", "\(path) has no pipeline file (*.yaml, *.yml)",
          "Add one, as described in docs/reference/pipelines.md"))
    }
    add(all, to: &readings)
    return readings
  }

  /// Reads the files that a database stores for its workers.
  func readings(of files: [StoredPipelineFile]) -> Readings {
    var readings = Readings()
    if files.isEmpty {
      readings.findings.append(
        .problem(
          "pipeline files", "the database has no pipeline files, and \(path) does not exist",
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
            reading.path, "every account can change this file, and thus where strings are sent",
            "chmod o-w \(reading.path)"))
      } else {
        readings.findings.append(.ok(reading.path, "pipeline \(definition.name)"))
      }
    }
  }
}
