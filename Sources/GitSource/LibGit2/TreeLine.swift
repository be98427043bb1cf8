import Localization

/// One line of a tree object: `<mode> <name>\0<20 bytes of id>`.
struct TreeLine {
  var mode: UInt32
  /// The bytes of the name, which are almost always UTF-8.
  var name: [UInt8]
  var id: ObjectID

  static let file: UInt32 = 0o100644
  static let executable: UInt32 = 0o100755
  static let folder: UInt32 = 0o040000

  var kind: TreeEntry.Kind {
    switch mode & 0o170000 {
    case 0o040000: .folder
    case 0o120000: .symbolicLink
    case 0o160000: .submodule
    default: mode & 0o100 == 0 ? .file : .executable
    }
  }
}
