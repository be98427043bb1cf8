internal import Foundation
package import Localization
package import Pipeline

/// Functions that read a folder of pipeline files.
package enum PipelineFolder {
  /// Reads all `.yaml` and `.yml` files in the folder, sorted by name. Hidden files and subfolders are skipped.
  ///
  /// - Throws: an error with the faults of all files. Pipelines that conflict with each other, for example because they have the same name, drop
  ///   folder or delivery branch, are also a fault.
  package static func read(_ folder: String) throws(InputFault) -> [(path: String, definition: PipelineDefinition)] {
    let readings = PipelineReading.all(of: try files(in: folder))
    let diagnostics = readings.flatMap(\.diagnostics)
    guard diagnostics.isEmpty else { throw InputFault(diagnostics) }
    return readings.compactMap { reading in reading.definition.map { (reading.path, $0) } }
  }

  /// Returns the paths of the pipeline files in the folder, sorted.
  static func files(in folder: String) throws(InputFault) -> [String] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw InputFault(
        Diagnostic(
          path: folder, severity: .error, message: "the folder is unreadable",
          hint: "check that it exists and that Dragoman has permission to read it"))
    }
    return names.filter(isPipelineFile).sorted().map { folder.hasSuffix("/") ? folder + $0 : "\(folder)/\($0)" }
  }

  private static func isPipelineFile(_ name: String) -> Bool {
    !name.hasPrefix(".") && (name.hasSuffix(".yaml") || name.hasSuffix(".yml"))
  }
}

/// The result of reading one pipeline file.
package struct PipelineReading: Sendable {
  package var path: String
  /// The name of the pipeline in the file; `nil` if the name cannot be read.
  package var name: String?
  /// The definition; `nil` if the file has a fault.
  package var definition: PipelineDefinition?
  package var diagnostics: [Diagnostic]
  /// Whether the file does not exist.
  package var isMissing = false

  /// Reads files and compares them with each other.
  /// - Parameter paths: the paths of the files. If two pipelines have the same value where values must be unique, the fault is reported for the later
  ///   file.
  package static func all(of paths: [String]) -> [PipelineReading] {
    var checks = PipelineSetChecks()
    return paths.map { reading(of: $0, &checks) }
  }

  /// Reads files up to the first one that can be used.
  static func upToUsable(of paths: [String]) -> [PipelineReading] {
    var checks = PipelineSetChecks()
    var readings: [PipelineReading] = []
    for path in paths {
      readings.append(reading(of: path, &checks))
      if readings.last?.definition != nil { break }
    }
    return readings
  }

  private static func reading(of path: String, _ checks: inout PipelineSetChecks) -> PipelineReading {
    let faults = FaultList(path: path)
    guard let bytes = bytes(of: path, faults: faults) else {
      return PipelineReading(
        path: path, definition: nil, diagnostics: faults.diagnostics,
        isMissing: !FileManager.default.fileExists(atPath: path))
    }
    return reading(bytes, faults, &checks)
  }

  /// Reads files that are stored in a ledger, and compares them with each other.
  static func all(of files: [StoredPipelineFile]) -> [PipelineReading] {
    var checks = PipelineSetChecks()
    return files.map { reading(Array($0.text.utf8), FaultList(path: "\($0.path) in the database"), &checks) }
  }

  private static func reading(
    _ bytes: [UInt8], _ faults: FaultList, _ checks: inout PipelineSetChecks
  ) -> PipelineReading {
    let draft = PipelineFile.draft(bytes, faults: faults)
    checks.add(draft)
    return PipelineReading(
      path: faults.path, name: draft.name?.value, definition: faults.isEmpty ? draft.definition : nil,
      diagnostics: faults.diagnostics)
  }

  /// Reads the bytes of a file. The type and the size are checked first: reading from a pipe would block forever, and the size is limited.
  private static func bytes(of path: String, faults: FaultList) -> [UInt8]? {
    let target = (try? FileManager.default.destinationOfSymbolicLink(atPath: path)).map { link in
      link.hasPrefix("/") ? link : path.prefix(through: path.lastIndex(of: "/") ?? path.startIndex) + link
    }
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: target ?? path) else {
      faults.add(
        "no such file, or its folder cannot be read",
        hint: "check the path and the permissions; it may be a broken symbolic link")
      return nil
    }
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      faults.add("this is not a file", hint: "a pipeline must be a file or a symbolic link to a file")
      return nil
    }
    if let size = attributes[.size] as? UInt64, size > UInt64(FileLimits.bytes) {
      faults.add("the file has \(size) bytes; the limit for a pipeline file is \(FileLimits.bytes)")
      return nil
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      faults.add("the file is unreadable", hint: "check its permissions")
      return nil
    }
    return Array(data)
  }
}
