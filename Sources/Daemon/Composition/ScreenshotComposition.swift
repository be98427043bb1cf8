import Foundation
import GitSource
import Localization
import Pipeline
import Workspace

/// The screenshots of a pipeline. Folders are read at each use.
extension Composition {
  func readScreenshots(
    of definition: PipelineDefinition, _ mirror: GitMirror
  ) -> (@Sendable (CommitID) async throws -> [ScreenshotFolder])? {
    guard let settings = definition.screenshots else { return nil }
    return { [readers] commit in
      let tree = try await settings.repository == nil ? nil : mirror.tree(of: commit)
      return try await readers.run {
        var folders: [ScreenshotFolder] = []
        if let folder = settings.repository, let tree {
          folders.append(ScreenshotFolder(TreePath(trusted: folder), in: tree, place: folder))
        }
        if let folder = settings.folder {
          folders.append(ScreenshotFolder(.root, in: DirectoryTree(path: folder), place: folder))
        }
        return folders
      }
    }
  }
}
