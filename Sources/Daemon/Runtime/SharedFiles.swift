import Foundation
import Localization
import Pipeline

/// The data about a worker's pipeline files that the worker shares with the other workers of a fleet. Earlier versions of Dragoman shared only the
/// faults.
struct SharedFiles: Codable {
  var faults: [FileFault]
  /// The digests of the worker's own files, by pipeline; empty for a worker that uses the files in the database.
  var digests: [String: String]

  var isEmpty: Bool { faults.isEmpty && digests.isEmpty }

  init(faults: [FileFault], digests: [String: String]) {
    self.faults = faults
    self.digests = digests
  }

  init(_ text: String?) {
    let data = Data((text ?? "").utf8)
    let decoder = FileFaults.decoder
    self =
      (try? decoder.decode(SharedFiles.self, from: data))
      ?? SharedFiles(faults: (try? decoder.decode([FileFault].self, from: data)) ?? [], digests: [:])
  }

  static func digest(of bytes: some Sequence<UInt8>) -> String {
    ContentDigest.hexadecimal(of: Array(bytes), bytes: 8)
  }

  /// Returns one fault for each pipeline whose files differ between workers, or from the file in the database, sorted by pipeline.
  static func differences(
    of workers: [FleetMember], _ stored: [StoredPipelineFile], since: Date
  ) -> [FileFault] {
    var digests: [String: Set<String>] = [:]
    var places: [String: [String]] = [:]
    for member in workers {
      // The name without the identity of the installation: the machine and the folder.
      let place = String(member.name.prefix { $0 != "#" })
      for (pipeline, digest) in SharedFiles(member.fileFaults).digests {
        digests[pipeline, default: []].insert(digest)
        places[pipeline, default: []].append(place)
      }
    }
    for file in stored where digests[file.name] != nil {
      digests[file.name]?.insert(digest(of: file.text.utf8))
      places[file.name]?.append("the database")
    }
    return digests.filter { $0.value.count > 1 }.keys.sorted().map { pipeline in
      FileFault(
        path: pipeline, pipeline: pipeline, effect: .differs, findings: places[pipeline] ?? [], since: since)
    }
  }
}
