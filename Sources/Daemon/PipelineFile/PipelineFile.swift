package import Localization
package import Pipeline

/// One pipeline's definition as a YAML file (pipelines.md).
package struct PipelineFile {
  /// Reads the bytes of a pipeline file.
  ///
  /// Relative paths stay as they were written.
  ///
  /// - Parameter path: What diagnostics call the file; nothing is read from there.
  /// - Throws: All faults of the file at once, each with its line, column and key path. What is not built yet is among them. A value that
  ///   may be a secret is never shown.
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
