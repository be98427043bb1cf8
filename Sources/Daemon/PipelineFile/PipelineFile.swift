package import Localization
package import Pipeline

/// The definition of one pipeline as a YAML file (pipelines.md).
package struct PipelineFile {
  /// Reads the bytes of a pipeline file.
  ///
  /// Relative paths stay as written.
  ///
  /// - Parameter path: the name of the file in diagnostics. The file is not read.
  /// - Throws: all faults of the file at once, each with its line, column and key path. Features that are not implemented yet are faults too.
  ///   Values that may be secrets are never shown.
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
