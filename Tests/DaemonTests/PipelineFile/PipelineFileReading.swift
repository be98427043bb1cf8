import Localization
import Pipeline

@testable import Daemon

/// A file with only the required keys.
let leastFile = """
  pipeline: birds
  repository:
    url: /srv/birds.git
  vendors:
    - vendor: pseudo

  """

func read(_ text: String) throws(InputFault) -> PipelineDefinition {
  try PipelineFile.read(Array(text.utf8), at: "birds.yaml")
}

/// Returns the faults of a file, or no faults if the file can be read.
func faults(_ text: String) -> [Diagnostic] { faults(Array(text.utf8)) }

func faults(_ bytes: [UInt8]) -> [Diagnostic] {
  do throws(InputFault) {
    _ = try PipelineFile.read(bytes, at: "birds.yaml")
    return []
  } catch {
    return error.diagnostics
  }
}

/// Returns each fault as `line:column message`.
func places(_ text: String) -> [String] { places(Array(text.utf8)) }

func places(_ bytes: [UInt8]) -> [String] {
  faults(bytes).map { "\($0.line ?? 0):\($0.column ?? 0) \($0.message)" }
}
