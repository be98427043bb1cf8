import Daemon
import Foundation
import LedgerStore
import Localization
import Logging
import Pipeline
import SQLiteStore
import TestSupport
import Testing

/// Pipelines that run in this process, with a local bare repository and a drop folder for each pipeline.
struct PipelineBench {
  let folder: TemporaryFolder
  let repository: TemporaryRepository
  let origin: String

  init() throws {
    folder = try TemporaryFolder()
    repository = try TemporaryRepository()
    origin = folder.file("origin.git")
  }

  /// Creates the origin with the branches of the work tree.
  func publish() throws {
    try TemporaryRepository.git(["clone", "-q", "--bare", repository.path, origin], in: folder.path)
  }

  func push(_ branch: String) throws { try repository.git("push", "-q", "-f", origin, branch) }

  func definition(
    _ name: String = "app", branches: [String] = ["main"], languages: [LocaleIdentifier] = ["de"],
    deliver: DeliverSettings = DeliverSettings(), extract: ExtractSettings = ExtractSettings()
  ) -> PipelineDefinition {
    PipelineDefinition(
      name: name, repository: RepositorySettings(url: origin, branches: branches.map { BranchPattern($0) }),
      extract: extract, languages: languages,
      vendors: [VendorDefinition(kind: "folder", options: ["settle": .duration(.zero), "path": .text(drop(name))])],
      deliver: deliver)
  }

  func drop(_ name: String = "app") -> String { folder.file("drop-\(name)") }

  func translator(_ name: String = "app") -> Translator { Translator(drop: drop(name)) }

  /// Runs the pipelines once, and records an issue for each failure.
  /// - Parameter isExpected: returns whether a failure is expected.
  @discardableResult
  func run(
    _ definitions: PipelineDefinition..., except isExpected: (StageFailure) -> Bool = { _ in false }
  ) async throws -> RunReport {
    let report = try await PipelineRuntime(
      definitions: definitions, store: StoreLocation(folder: folder.file("store")), settings: Settings(),
      environment: [:], isOnce: true, observer: WorkerObserver(),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ).runOnce()
    let failures = report.failures.filter { !isExpected($0) }
    #expect(failures.isEmpty, "\(failures)")
    return report
  }

  /// Returns the keys of each round of a pipeline, oldest first.
  func rounds(_ name: String = "app") async throws -> [[String]] {
    let store = try SQLiteStore(reading: folder.file("store"))
    var all: [[String]] = []
    for round in try await store.rounds(of: name) {
      all.append(try await store.units(of: round.id).map(\.source.unit.key.text))
    }
    return all
  }

  func git(_ arguments: String...) throws -> String { try TemporaryRepository.git(arguments, in: origin) }

  /// Returns the texts of a language in a String Catalog of the origin, by key.
  func texts(_ branch: String, _ catalog: String, _ language: String = "de") throws -> [String: String] {
    let data = Data(try git("show", "\(branch):\(catalog)").utf8)
    let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    var texts: [String: String] = [:]
    for (key, entry) in object?["strings"] as? [String: [String: Any]] ?? [:] {
      let unit =
        ((entry["localizations"] as? [String: Any])?[language] as? [String: Any])?["stringUnit"] as? [String: Any]
      if let value = unit?["value"] as? String { texts[key] = value }
    }
    return texts
  }

  /// Returns a String Catalog with manual keys, each with its English text.
  static func catalog(_ texts: [String: String]) -> String {
    let entries = texts.sorted { $0.key < $1.key }.map { key, text in
      """
          "\(key)" : {
            "extractionState" : "manual",
            "localizations" : {
              "en" : {
                "stringUnit" : {
                  "state" : "translated",
                  "value" : "\(text)"
                }
              }
            }
          }
      """
    }
    return
      "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n\(entries.joined(separator: ",\n"))\n  },\n  \"version\" : \"1.0\"\n}"
  }
}
