import GitSource
import Localization
import Pipeline
import TranslationVendors
import Workspace

/// Functions that check the other files and folders that a pipeline reads: translation memories, the glossary, and screenshots.
extension PipelineExamination {
  func resources() -> [DoctorFinding] { memory() + glossary() + screenshots() }

  private func memory() -> [DoctorFinding] {
    guard let settings = definition.memory else { return [] }
    let place = subject("translation memory")
    return settings.files.map { path in
      do {
        try Composition.checkMemory(at: path)
        return .ok(place, "\(path) can be read")
      } catch {
        return .problem(place, "\(error)", nil)
      }
    }
  }

  private func glossary() -> [DoctorFinding] {
    guard let settings = definition.glossary else { return [] }
    let place = subject("glossary")
    do {
      _ = try SharedGlossary.whole(at: settings.file)
      return [.ok(place, "\(settings.file) can be read")]
    } catch {
      return [.problem(place, "\(error)", "Correct the file, or glossary.file in the pipeline file")]
    }
  }

  private func screenshots() -> [DoctorFinding] {
    guard let path = definition.screenshots?.folder else { return [] }
    return Self.findings(
      of: ScreenshotFolder(.root, in: DirectoryTree(path: path), place: path), subject("screenshots"))
  }

  /// Checks the folder of screenshots in the newest known commits of the watched branches. Fetches nothing.
  func screenshots(in mirror: GitMirror) async throws -> [DoctorFinding] {
    guard let path = definition.screenshots?.repository else { return [] }
    let standard = try? await mirror.defaultBranch()
    var findings: [DoctorFinding] = []
    for branch in (try? await mirror.branches()) ?? [] {
      guard definition.watches(branch.name, defaultBranch: standard) else { continue }
      let place = subject("screenshots of \(branch.name)")
      do {
        let tree = try await mirror.tree(of: branch.commit)
        findings += try await disk.run {
          Self.findings(of: ScreenshotFolder(TreePath(trusted: path), in: tree, place: path), place)
        }
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        // The commit has probably not been fetched yet.
        continue
      }
    }
    return findings
  }

  private static func findings(of folder: ScreenshotFolder, _ place: String) -> [DoctorFinding] {
    let faults = folder.diagnostics.map { finding -> DoctorFinding in
      .warning(place, "\(finding.path): \(finding.message)", finding.hint)
    }
    let count = folder.pictures.count
    return faults.isEmpty ? [.ok(place, count == 1 ? "1 screenshot" : "\(count) screenshots")] : faults
  }
}
