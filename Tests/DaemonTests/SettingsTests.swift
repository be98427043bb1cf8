import Daemon
import Foundation
import Localization
import Pipeline
import TestSupport
import Testing

struct SettingsTests {
  @Test("settings are read from the environment, and all faults are reported at once")
  func environment() throws {
    let settings = try Settings(environment: [
      "DRAGOMAN_WORKERS": "2", "DRAGOMAN_PARSE_THREADS": "3", "DRAGOMAN_SHUTDOWN_GRACE": "5s", "DRAGOMAN_ATTEMPTS": "1",
      "SOURCE_DATE_EPOCH": "1700000000", "DRAGOMAN_FETCH_LIMIT": "100",
    ])
    #expect(settings.fetchLimit == 100 << 20)
    #expect(settings.workers == 2)
    #expect(settings.parseThreads == 3)
    #expect(settings.shutdownGrace == .seconds(5))
    #expect(settings.attempts == 1)
    #expect(settings.commitSeconds == 1_700_000_000)
    #expect(try Settings(environment: [:]).commitSeconds == nil)
    let fault = #expect(throws: SettingsFault.self) {
      try Settings(environment: ["DRAGOMAN_WORKERS": "0", "DRAGOMAN_SHUTDOWN_GRACE": "soon", "SOURCE_DATE_EPOCH": "x"])
    }
    #expect(fault?.faults.count == 3)
    #expect(fault?.description.contains("'soon'") == true)
  }

  @Test("a store is a folder, or a database with a reference to its password")
  func location() throws {
    #expect(try StoreLocation("sqlite:/var/lib/d").folder == "/var/lib/d")
    #expect(try StoreLocation("state").folder == "state")
    #expect(throws: SettingsFault.self) { try StoreLocation("sqlite:") }
    let fleet = try StoreLocation(
      "postgresql://ann@db.example.com/birds?password=env:PW", environment: ["DRAGOMAN_FOLDER": "/var/lib/d"])
    #expect(fleet.folder == "/var/lib/d" && !fleet.isLocal)
    guard case .postgreSQL(let address, let password) = fleet.ledger else {
      Issue.record("the store is not a database")
      return
    }
    #expect(password == .environment("PW") && "\(address)" == "postgresql://db.example.com/birds")
    for text in ["postgresql://ann:hunter2@db/birds", "postgresql://db/birds?password=hunter2"] {
      let error = #expect(throws: SettingsFault.self) { try StoreLocation(text, environment: [:]) }
      #expect(error?.description.contains("reference") == true && error?.description.contains("hunter2") == false)
    }
  }

  @Test("a file with a secret is read at each use, and a named pipe is refused immediately")
  func rotatedSecret() throws {
    let folder = try TemporaryFolder()
    let credentials = Credentials(environment: [:])
    let reference = CredentialReference.file(folder.file("token"))
    #expect(throws: PipelineError.self) { try credentials.secret(reference, for: "x") }
    for secret in ["one", "two"] {
      try folder.write(secret + "\n", to: "token")
      #expect(try credentials.secret(reference, for: "x")?.reveal() == secret)
    }
    try run("mkfifo", [folder.file("pipe")])
    #expect(throws: PipelineError.self) { try credentials.secret(.file(folder.file("pipe")), for: "x") }
  }

  @Test(
    "a token with several lines is refused with its location but without its text; a key may have several lines")
  func severalLines() throws {
    let folder = try TemporaryFolder()
    let (file, variable) = (CredentialReference.file(folder.file("token")), CredentialReference.environment("TOKEN"))
    for (text, lines) in [("s3cret\nm0re\n", 2), ("s3cret\r\nm0re", 2), ("s3cret\r\n\r\nm0re", 3), ("s3cret\rm0re", 2)]
    {
      try folder.write(text, to: "token")
      let places = [(file, folder.file("token")), (variable, "the environment variable TOKEN")]
      for (reference, place) in places {
        let error = #expect(throws: PipelineError.self) {
          try Credentials(environment: ["TOKEN": text]).secret(reference, for: "vendor x")
        }
        let words = error?.description ?? ""
        #expect(words.contains("\(place) has \(lines) lines. ") && error?.disposition == .askPerson, "\(words)")
        #expect(!words.contains("s3cret") && !words.contains("m0re"))
      }
    }
    for text in ["s3cret", "Comment: 1\n-----BEGIN X-----\nMIIC\n-----END X-----"] {
      try folder.write(text + "\r\n\n", to: "token")
      let credentials = Credentials(environment: ["TOKEN": text + "\n"])
      for reference in [file, variable] { #expect(try credentials.secret(reference, for: "x")?.reveal() == text) }
    }
  }

  @Test("white space around a secret and at the ends of its lines, and a byte order mark, are removed")
  func whiteSpace() throws {
    let folder = try TemporaryFolder()
    let key = "-----BEGIN X-----\nMIIC\n\n-----END X-----"
    for (text, secret) in [
      ("s3 cret \t\r\n", "s3 cret"), ("\r\n s3cret", "s3cret"), ("\u{FEFF}s3cret\n", "s3cret"),
      (key.replacing("\n", with: " \r\n") + "\r\n", key),
    ] {
      try folder.write(text, to: "token")
      let credentials = Credentials(environment: ["TOKEN": text])
      for reference in [CredentialReference.file(folder.file("token")), .environment("TOKEN")] {
        #expect(try credentials.secret(reference, for: "x")?.reveal() == secret)
      }
    }
    try folder.write(" \n\t\n", to: "token")
    #expect(throws: PipelineError.self) {
      try Credentials(environment: [:]).secret(.file(folder.file("token")), for: "x")
    }
  }

  @Test("missing credentials are reported by name, and secrets are never shown")
  func credentials() throws {
    let credentials = Credentials(environment: ["TOKEN": "s3cret", "EMPTY": ""])
    let secret = try #require(try credentials.secret(.environment("TOKEN"), for: "x"))
    #expect(secret.reveal() == "s3cret")
    #expect("\(secret)" == "<redacted>")
    #expect(try credentials.secret(.none, for: "x") == nil)
    let folder = try TemporaryFolder()
    try folder.write("s3rvice\n", to: "token")
    let service = Credentials(environment: ["CREDENTIALS_DIRECTORY": folder.path])
    #expect(try service.secret(.service("token"), for: "x")?.reveal() == "s3rvice")
    #expect(throws: PipelineError.self) { try service.secret(.service("other"), for: "x") }
    let error = #expect(throws: PipelineError.self) { try credentials.secret(.service("token"), for: "x") }
    #expect(error?.description.contains("LoadCredential=token:PATH") == true)
    // ssh reads keys from its agent directly.
    #expect(try credentials.secret(.agent, for: "x") == nil)
    for reference in [CredentialReference.environment("EMPTY"), .environment("NONE"), .file("/nonexistent")] {
      let error = #expect(throws: PipelineError.self) { try credentials.secret(reference, for: "the vendor") }
      #expect(error?.disposition == .askPerson)
      #expect(error?.description.contains("the vendor") == true)
    }
  }
}
