import CLibGit2
private import Glibc

extension GitRepository {
  /// Creates a bare repository and its parent folders. Does nothing if the repository already exists.
  static func create(at folder: String, defaultBranch: String = "main") throws(GitError) {
    LibGit2.start()
    if RepositoryLocation.looksBare(folder) && FileKind(folder + "/refs") == .folder { return }
    var options = unsafe git_repository_init_options()
    let operation = "create \(folder)"
    try makeFolders(folder, mode: 0o700)
    // Only the owner can enter this folder, so the modes of its files are not important. Hard-linked objects keep the modes of their source.
    guard unsafe chmod(folder, 0o700) == 0 else { throw GitError(.disk, operation, systemError()) }
    // libgit2 fails on double slashes and symbolic links in the path.
    guard let folder = RepositoryLocation.absolute(folder) else { throw GitError(.disk, operation, systemError()) }
    try unsafe check(
      operation, git_repository_init_options_init(&options, UInt32(GIT_REPOSITORY_INIT_OPTIONS_VERSION)))
    unsafe options.flags = GIT_REPOSITORY_INIT_BARE.rawValue
    let code = unsafe defaultBranch.withCString { name in
      unsafe options.initial_head = unsafe name
      var made: OpaquePointer?
      let code = unsafe git_repository_init_ext(&made, folder, &options)
      unsafe git_repository_free(made)
      return code
    }
    try check(operation, code)
    restrictModes(below: folder)
    try syncFolder(folder)
  }

  /// Makes the files that libgit2 created accessible only to our account.
  private static func restrictModes(below folder: String) {
    for name in folderNames(folder) ?? [] {
      let path = folder + "/" + name
      let isFolder = FileKind(path) == .folder
      _ = unsafe chmod(path, isFolder ? 0o700 : 0o600)
      if isFolder { restrictModes(below: path) }
    }
  }
}
