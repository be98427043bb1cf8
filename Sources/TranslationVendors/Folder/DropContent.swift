internal import CatalogFormats
internal import Localization
internal import ZipArchive

/// The contents of an entry of a drop folder, such as a returned bundle.
enum DropContent {
  case file([UInt8])
  case folder([TreePath: [UInt8]], links: Set<TreePath>)
  /// A link, a device, or an entry that is too large or cannot be opened, with the reason and the entry's tag. Such an entry is reported and moved,
  /// but its contents are not used.
  case unreadable(String, tag: String)

  /// The limits for one bundle.
  static let limits = BundleReader.limits
  /// The maximum number of folders in one bundle. The number is limited because listing a folder on a server takes a request.
  static let folderLimit = 1000

  /// Whether the entry is a file that is a complete zip archive with correct checksums.
  var isWholeArchive: Bool {
    guard case .file(let bytes) = self, bytes.starts(with: Array("PK".utf8)) else { return false }
    return (try? ZipArchive.read(bytes, limits: Self.limits)) != nil
  }

  /// The size of the contents in memory, in bytes.
  var size: Int {
    switch self {
    case .file(let bytes): bytes.count
    case .folder(let files, _): files.values.reduce(0) { $0 + $1.count }
    case .unreadable: 0
    }
  }

  static func load(_ entry: DropEntry, from storage: some DropStorage) async throws -> DropContent {
    do {
      switch entry.kind {
      case .file: return .file(try await storage.read(entry.path, limit: limits.archiveBytes))
      case .other:
        return .unreadable("it is a symbolic link or a device; only files and folders are read", tag: entry.tag)
      case .folder:
        var reader = FolderReader(storage: storage, root: entry.path)
        try await reader.read(entry.path, depth: 0)
        return .folder(reader.files, links: reader.links)
      }
    } catch let error as VendorError where error.kind == .tooLarge || error.kind == .refused || error.kind == .notAFile
    {
      return .unreadable(error.detail, tag: entry.tag)
    }
  }

  var digest: String {
    switch self {
    case .file(let bytes): ContentDigest.hexadecimal(of: bytes)
    case .folder(let files, let links): Self.digest(of: files, links: links)
    case .unreadable(_, let tag): ContentDigest.hexadecimal(of: "unreadable \(tag)".utf8)
    }
  }

  /// Returns the digest of a folder. The digest covers the names, lengths and contents of the files, and the names of links, so different folders
  /// have different digests.
  private static func digest(of files: [TreePath: [UInt8]], links: Set<TreePath>) -> String {
    var digest = ContentDigest()
    for (path, bytes) in files.sorted(by: { $0.key < $1.key }) {
      digest.update("\(path.text.utf8.count) \(bytes.count)\n\(path.text)".utf8)
      digest.update(bytes)
    }
    for link in links.sorted() { digest.update("link \(link.text.utf8.count)\n\(link.text)".utf8) }
    return digest.finishHexadecimal()
  }

  /// Returns the bundle with all files that can be read, and diagnostics for the other files.
  func bundle(named name: TreePath) -> ReturnedBundle {
    var reader = BundleReader(place: name)
    switch self {
    case .unreadable(let reason, _): reader.fault("cannot read it: \(reason)", hint: "put a file or a folder there")
    case .folder(let files, let links): reader.read(files, links: links)
    case .file(let bytes): reader.readFile(bytes)
    }
    return ReturnedBundle(reference: name.text, digest: digest, files: reader.files, diagnostics: reader.diagnostics)
  }
}

/// A reader of the files in a folder and its subfolders. It throws `tooLarge` if the folder exceeds the limits of a bundle.
private struct FolderReader<Storage: DropStorage> {
  let storage: Storage
  let root: TreePath
  var files: [TreePath: [UInt8]] = [:]
  var links: Set<TreePath> = []
  private var bytes = 0
  private var folders = 0

  init(storage: Storage, root: TreePath) {
    self.storage = storage
    self.root = root
  }

  mutating func read(_ folder: TreePath, depth: Int) async throws {
    let limits = DropContent.limits
    func tooLarge(_ detail: String) -> VendorError {
      VendorError(kind: .tooLarge, operation: "read \(root)", detail: detail)
    }
    guard depth < limits.depth else { throw tooLarge("it is nested more than \(limits.depth) folders deep") }
    folders += 1
    guard folders <= DropContent.folderLimit else {
      throw tooLarge("it has more than \(DropContent.folderLimit) folders")
    }
    for entry in try await storage.list(folder)?.entries ?? [] {
      guard let path = entry.path.relative(to: root), !DropNames.isLitter(path) else { continue }
      switch entry.kind {
      case .folder: try await read(entry.path, depth: depth + 1)
      case .other: links.insert(path)
      case .file:
        guard files.count < limits.entries else { throw tooLarge("it has more than \(limits.entries) files") }
        let content = try await storage.read(entry.path, limit: limits.totalBytes - bytes)
        bytes += content.count
        files[path] = content
      }
    }
  }
}
