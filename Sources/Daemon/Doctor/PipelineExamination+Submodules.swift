import GitSource
import Localization
import Pipeline

extension PipelineExamination {
  /// Checks the repositories of the submodules in the newest known commits of the watched branches. Fetches nothing.
  func submodules(of mirror: GitMirror) async throws -> [DoctorFinding] {
    guard !definition.submodules.isEmpty else { return [] }
    let tokens = try composition.tokens(of: definition)
    let submodules = composition.submodules(of: definition, in: mirror, tokens)
    var findings: [DoctorFinding] = []
    var found: [TreePath: Set<SubmoduleLocation>] = [:]
    do {
      let standard = try? await mirror.defaultBranch()
      for branch in try await mirror.branches() {
        guard definition.watches(branch.name, defaultBranch: standard) else { continue }
        for source in try await submodules.sources(of: branch.commit) {
          found[source.path, default: []].insert(source.location)
        }
      }
    } catch is CancellationError {
      throw CancellationError()
    } catch let error as GitError where error.kind == .noMirror {
      // The pipeline has not run yet.
    } catch {
      findings.append(.problem(subject("submodules"), "\(error)", nil))
    }
    for settings in definition.submodules {
      let place = subject("submodule \(settings.path)")
      guard let locations = found[settings.path] else {
        if findings.isEmpty {
          findings.append(
            .warning(
              place, "the newest fetched commits of the watched branches have no submodule at this path",
              "If the pipeline has run, correct the path. Otherwise run it once, and repeat the check"))
        }
        continue
      }
      for location in locations.sorted(by: { $0.url < $1.url }) {
        do {
          _ = try await submodules.mirror(at: location).lookAtRemote()
          findings.append(.ok(place, "\(location.url) can be read"))
        } catch is CancellationError {
          throw CancellationError()
        } catch {
          findings.append(
            .problem(place, "\(error)", "Give the account access, or set url and credentials in submodules"))
        }
      }
    }
    return findings
  }
}
