import Foundation
import TestSupport
import Testing

/// Complete rounds with a repository behind a real OpenSSH server.
struct SSHRoundTests {
  @Test(
    "a round over ssh with a private key delivers a branch, and a wrong host key exits with 77 and the next step"
  )
  func round() async throws {
    guard let server = try await SSHServer.start() else { return }
    let folder = try TemporaryFolder()
    let repository = try TemporaryRepository()
    let catalog = """
      {
        "sourceLanguage" : "en",
        "strings" : {
          "Open" : {

          }
        },
        "version" : "1.0"
      }
      """
    try repository.commit(["App/Localizable.xcstrings": catalog])
    let origin = folder.file("app.git")
    try TemporaryRepository.git(["clone", "-q", "--bare", repository.path, origin], in: folder.path)
    try folder.write(server.key, to: "key")
    try folder.write(server.otherHostKeyLine, to: "other_hosts")
    func pipeline(_ hosts: String) -> String {
      """
      pipeline: app
      repository:
        url: "\(server.repositoryURL(origin))"
        credentials: file:\(folder.file("key"))
        known_hosts: \(hosts)
      languages: [de]
      vendors:
        - { vendor: pseudo }

      """
    }
    try folder.write(pipeline(folder.file("other_hosts")), to: "app.yaml")
    let refused = try dragoman(["run", "app.yaml", "--once", "--quiet"], in: folder.path)
    #expect(refused.status == 77, "\(refused)")
    #expect(refused.errors.contains("ssh-keygen -R '[127.0.0.1]:\(server.port)'"), "\(refused)")

    try folder.write(pipeline(server.knownHosts), to: "app.yaml")
    for _ in 1...2 {
      let end = try dragoman(["run", "app.yaml", "--once", "--quiet"], in: folder.path)
      #expect(end.status == 0, "\(end)")
    }
    let delivered = try TemporaryRepository.git(["show", "l10n/main:App/Localizable.xcstrings"], in: origin)
    #expect(delivered.contains("\"de\""))
  }
}
