package import Localization
import Pipeline
import Synchronization
import Workspace

/// The location of a picture that shows a string.
package struct FoundScreenshot: Hashable, Sendable {
  /// The index of the folder among the pipeline's folders of screenshots, from 0.
  package var folder: Int
  /// The path of the picture, relative to the folder.
  package var path: TreePath

  package init(folder: Int, path: TreePath) {
    self.folder = folder
    self.path = path
  }
}

/// An index of the pictures of pipelines, without the bytes of the pictures. It saves pages of the dashboard from reading all pictures each time.
final class ScreenshotIndex: Sendable {
  private struct Shelf {
    var commit: CommitID
    var seconds: Double
    /// The pictures of each folder, without their bytes.
    var folders: [[ScreenshotFolder.Picture]]
  }

  /// The time in seconds after which the pictures of a pipeline are read again, because a folder on this machine can change without a commit.
  private static let age: Double = 30
  private let shelves = Mutex<[String: Shelf]>([:])

  /// Returns the pictures that show a string of the files, sorted by folder and path.
  /// - Parameter seconds: the current time, in seconds since 1970.
  /// - Throws: errors from reading the screenshots.
  func screenshots(
    of files: [ExchangeFile], in context: PipelineContext, at commit: CommitID, seconds: Double
  ) async throws -> [FoundScreenshot] {
    guard let read = context.readScreenshots else { return [] }
    let known = shelves.withLock { $0[context.name] }
    let folders: [[ScreenshotFolder.Picture]]
    if let known, known.commit == commit, (0..<Self.age).contains(seconds - known.seconds) {
      folders = known.folders
    } else {
      folders = try await read(commit).map { folder in
        folder.pictures.map { picture in
          var picture = picture
          picture.bytes = []
          return picture
        }
      }
      shelves.withLock { $0[context.name] = Shelf(commit: commit, seconds: seconds, folders: folders) }
    }
    let match = ScreenshotMatch(files)
    return folders.enumerated().flatMap { number, pictures in
      pictures.filter(match.isShown).map { FoundScreenshot(folder: number, path: $0.path) }
    }
  }
}
