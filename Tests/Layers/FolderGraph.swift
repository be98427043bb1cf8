/// The uses of types between the folders of a target. The folders must not use each other in a cycle.
struct FolderGraph {
  /// The name of a used type, and the path of a file that uses the type.
  private struct Use {
    var name: String
    var file: String
  }

  private var uses: [String: [String: Use]] = [:]
  private let folders: [String]

  init(_ files: [SourceFile]) {
    folders = Set(files.map(\.folder)).sorted()
    var homes: [String: Set<String>] = [:]
    for file in files { for name in file.declared { homes[name, default: []].insert(file.folder) } }
    for file in files {
      for name in file.used {
        // If several folders declare the name, its declaration is unknown.
        guard let home = homes[name], home.count == 1, let folder = home.first, folder != file.folder else { continue }
        if uses[file.folder]?[folder] == nil {
          uses[file.folder, default: [:]][folder] = Use(name: name, file: file.path)
        }
      }
    }
  }

  /// Returns one line for each use that is part of a cycle.
  func faults() -> [String] {
    let reached = Dictionary(uniqueKeysWithValues: folders.map { ($0, reachable(from: $0)) })
    return folders.flatMap { folder -> [String] in
      (uses[folder] ?? [:]).sorted { $0.key < $1.key }.compactMap { other, use in
        guard reached[other]?.contains(folder) == true else { return nil }
        return
          "\(use.file): error: uses \(use.name) of folder \(Self.name(other)), which uses folder \(Self.name(folder)) in turn"
      }
    }
  }

  private func reachable(from folder: String) -> Set<String> {
    var seen: Set<String> = []
    var pending = [folder]
    while let next = pending.popLast() {
      for other in (uses[next] ?? [:]).keys where seen.insert(other).inserted { pending.append(other) }
    }
    return seen
  }

  private static func name(_ folder: String) -> String { folder.isEmpty ? "(the target's own)" : folder }
}
