package import Localization
package import Pipeline

/// A YAML file that defines one pipeline (pipelines.md).
package struct PipelineFile {
  /// Reads the bytes of a pipeline file.
  ///
  /// Relative paths in the file stay relative.
  ///
  /// - Parameter path: the path of the file for diagnostics. The file itself is not read.
  /// - Throws: an error with all faults of the file, with their lines, columns and key paths where these are known. The messages never contain values
  ///   that may be secrets.
  package static func read(_ bytes: [UInt8], at path: String) throws(InputFault) -> PipelineDefinition {
    let faults = FaultList(path: path)
    guard let definition = draft(bytes, faults: faults).definition, faults.isEmpty else {
      throw InputFault(faults.diagnostics)
    }
    return definition
  }

  static func draft(_ bytes: [UInt8], faults: FaultList) -> PipelineDraft {
    let value = FileComposer.compose(bytes, faults: faults)
    guard let value else { return PipelineDraft() }
    guard let section = Section<RootKey>(Field(keyPath: "", value: value, faults: faults)) else {
      return PipelineDraft()
    }
    return section.pipeline()
  }
}
