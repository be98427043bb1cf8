import Testing

@testable import Daemon

@Suite struct FileSystemTests {
  private let mounts = """
    overlay / overlay rw 0 0
    /dev/sda1 /srv ext4 rw 0 0
    nas:/a /srv/share nfs4 rw 0 0
    nas:/b /srv/my\\040files cifs rw 0 0
    tmpfs /srv/share/fast tmpfs rw 0 0
    /dev/sdb1 /srv/share ext4 rw 0 0

    """

  @Test(
    "the file system of a path is that of its nearest mount point, and of the newest mount there",
    arguments: [
      ("/var/lib", "overlay"), ("/srv", "ext4"), ("/srv/my files/state", "cifs"), ("/srv/shared", "ext4"),
      ("/srv/share/fast/a", "tmpfs"), ("/srv/share/a", "ext4"),
    ])
  func kinds(_ path: String, _ kind: String) {
    #expect(StoreExamination.fileSystem(of: path, in: mounts) == kind)
  }
}
