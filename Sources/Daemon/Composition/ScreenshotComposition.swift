import Foundation
import GitSource
import Localization
import Pipeline
import Workspace

/// Functions that read the screenshots of a pipeline. The folders are read at each use.
extension Composition {
  /// The location of a folder of screenshots, and the folder's name in messages.
  private struct Place: Sendable {
    var tree: any SourceTree
    var folder: TreePath
    var name: String
  }

  func readScreenshots(
    of definition: PipelineDefinition, _ mirror: GitMirror
  ) -> (@Sendable (CommitID) async throws -> [ScreenshotFolder])? {
    guard let settings = definition.screenshots else { return nil }
    return { [readers] commit in
      let places = try await Self.places(settings, mirror, commit)
      return try await readers.run { places.map { ScreenshotFolder($0.folder, in: $0.tree, place: $0.name) } }
    }
  }

  func readPicture(of definition: PipelineDefinition, _ mirror: GitMirror) -> ReadPicture? {
    guard let settings = definition.screenshots else { return nil }
    return { [readers] commit, number, path in
      let places = try await Self.places(settings, mirror, commit)
      guard places.indices.contains(number) else { return nil }
      return try await readers.run {
        ScreenshotFolder.picture(at: path, of: places[number].folder, in: places[number].tree)
      }
    }
  }

  private static func places(
    _ settings: ScreenshotSettings, _ mirror: GitMirror, _ commit: CommitID
  ) async throws -> [Place] {
    var places: [Place] = []
    if let folder = settings.repository {
      places.append(Place(tree: try await mirror.tree(of: commit), folder: TreePath(trusted: folder), name: folder))
    }
    if let folder = settings.folder {
      places.append(Place(tree: DirectoryTree(path: folder), folder: .root, name: folder))
    }
    return places
  }
}
