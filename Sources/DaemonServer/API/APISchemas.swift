internal import Localization
internal import Pipeline
internal import ReadModel

/// The schemas of the API's responses. Tests check every response against its schema.
enum APISchemas {
  static let all: [String: Schema] = {
    var all: [String: Schema] = [:]
    all["Problem"] = .object([
      .init(
        "error", .object([.init("code", .text, "A fixed word."), .init("message", .text, "A sentence for people.")]))
    ])
    all["Done"] = .object([.init("result", .oneOf(["done"]))])
    all["Pause"] = .object([.init("since", .time), .init("by", .text), .init("reason", .text, optional: true)])
    all["Failure"] = .object([.init("message", .text), .init("at", .time)])
    all["PipelineSummary"] = .object([
      .init("name", .text), .init("isRunning", .boolean, "Whether the pipeline runs in this process."),
      .init("pause", .named("Pause"), optional: true),
      .init(
        "fault", .named("Failure"), optional: true,
        "The reason why the repository cannot be read or the pipeline cannot start."),
      .init("outstanding", .count, "Units × languages that are outstanding at vendors."), .init("held", .count),
      .init("failedJobs", .count),
      .init("findings", .count, "Jobs whose last run has findings, such as an unreadable catalog."),
      .init("rounds", .count), .init("lastDelivery", .time, optional: true),
      .init("translated", .count, "Units × languages of the watched branches."), .init("total", .count),
      .init("branches", .count, "Watched branches whose completion is known."),
    ])
    all["Pipeline"] = .object([
      .init("summary", .named("PipelineSummary")), .init("heads", .array(.named("Head"))),
      .init("vendors", .array(.named("Vendor"))), .init("problems", .array(.named("PipelineProblem"))),
    ])
    all["Vendor"] = .object([
      .init("kind", .text), .init("name", .text, optional: true), .init("languages", .array(.text), optional: true),
    ])
    all["Head"] = .object([.init("branch", .text), .init("commit", .text), .init("since", .time)])
    all["PipelineProblem"] = .object([
      .init("pipeline", .text, "The pipeline's name, or the path of a pipeline file whose name cannot be read."),
      .init("stage", .oneOf(Stage.allCases.map(\.rawValue))),
      .init("scope", .text, "The branch or the vendor; empty if the problem concerns the whole pipeline."),
      .init("severity", .oneOf(["error", "warning", "note"]), "`note` if the pipeline is paused."),
      .init("message", .text),
      .init("since", .time, optional: true), .init("retry", .oneOf(["soon", "every 15 min", "change"])),
    ])
    all["Job"] = .object([
      .init("id", .id), .init("stage", .oneOf(Stage.allCases.map(\.rawValue))), .init("scope", .text),
      .init("state", .oneOf(JobState.Name.allCases.map(\.rawValue))), .init("attempts", .count),
      .init("due", .time, optional: true), .init("failure", .named("Failure"), optional: true),
    ])
    all["LanguageCompletion"] = .object([
      .init("language", .text), .init("total", .count), .init("translated", .count), .init("needsReview", .count),
      .init("new", .count), .init("stale", .count), .init("percent", .number, optional: true),
    ])
    all["BranchCompletion"] = .object([
      .init("branch", .text), .init("day", .string(format: "date")), .init("commit", .text),
      .init("languages", .array(.named("LanguageCompletion"))),
    ])
    all["Books"] = .object([
      .init("vendor", .text), .init("language", .text), .init("sent", .count), .init("returned", .count),
      .init("outstanding", .count), .init("withdrawn", .count), .init("superseded", .count),
    ])
    all["Round"] = .object([
      .init("id", .id), .init("pipeline", .text), .init("number", .id), .init("created", .time),
      .init("isCancelled", .boolean), .init("books", .array(.named("Books"))),
    ])
    all["RoundOrigin"] = .object([
      .init("commit", .text, optional: true), .init("author", .text, optional: true),
      .init("date", .time, optional: true), .init("strings", .count),
    ])
    all["RoundDetails"] = .object([
      .init("round", .named("Round")), .init("held", .array(.named("HeldUnit"))),
      .init("commits", .array(.named("RoundOrigin"))),
    ])
    all["Unit"] = .object([.init("catalog", .text), .init("key", .text)])
    all["RoundUnit"] = .object([
      .init("unit", .named("Unit")), .init("sentFrom", .text), .init("commit", .text, optional: true),
      .init("author", .text, optional: true), .init("added", .time, optional: true),
    ])
    all["Reason"] = .object([.init("code", .text), .init("detail", .text, optional: true)])
    all["HeldUnit"] = .object([
      .init("id", .id), .init("pipeline", .text), .init("branch", .text), .init("round", .id, optional: true),
      .init("unit", .named("Unit")), .init("language", .text), .init("vendor", .text),
      .init("bundle", .text, "SHA-256 of the bundle that contained it."), .init("received", .time),
      .init("reason", .named("Reason"), optional: true), .init("text", .text),
    ])
    all["HeldDetails"] = .object([
      .init("unit", .named("HeldUnit")),
      .init(
        "forms",
        .array(.object([.init("form", .text), .init("source", .text), .init("target", .text)]))),
      .init("mayBeTaken", .boolean, "Whether the reason for holding the unit may be overruled."),
    ])
    all["Delivery"] = .object([
      .init("id", .id), .init("pipeline", .text), .init("branch", .text), .init("source", .text),
      .init("target", .text), .init("expected", .text, optional: true), .init("base", .text),
      .init("commits", .array(.text)), .init("units", .count), .init("created", .time),
      .init("state", .oneOf(Delivery.State.allCases.map(\.rawValue))), .init("bringsCatalogs", .boolean),
    ])
    all["FoundUnit"] = .object([.init("pipeline", .text), .init("unit", .named("Unit")), .init("text", .text)])
    all["UnitHistory"] = .object([
      .init("pipeline", .text), .init("unit", .named("Unit")), .init("versions", .array(.named("UnitVersion"))),
      .init("unmatched", .array(.named("Returned")), "Translations that were returned for texts that were never sent."),
      .init("commits", .array(.named("UnitCommit")), "The commits that changed the string, oldest first."),
    ])
    all["UnitCommit"] = .object([
      .init("pipeline", .text), .init("record", .named("CommitRecord")), .init("change", .named("CommitChange")),
    ])
    all["CommitRecord"] = .object([
      .init("commit", .text), .init("parent", .text, optional: true), .init("author", .text), .init("email", .text),
      .init("seconds", .integer(nil), "The time of the commit, in seconds since 1970."), .init("subject", .text),
      .init("isOurs", .boolean), .init("fault", .text, optional: true),
      .init(
        "counts",
        .object(
          ["added", "changed", "commented", "removed", "translations"].map { .init($0, .integer(nil)) })),
      .init("changes", .array(.named("CommitChange")), "Always empty here; `change` has the change of this string."),
    ])
    all["CommitChange"] = .object([
      .init("unit", .named("Unit")), .init("kind", .oneOf(CommitRecord.Kind.allCases.map(\.rawValue))),
      .init("text", .text), .init("former", .text, optional: true), .init("path", .text, optional: true),
      .init("line", .integer(nil), optional: true),
    ])
    all["UnitVersion"] = .object([
      .init("text", .text), .init("commit", .text), .init("author", .text),
      .init(
        "provenance",
        .object([.init("commit", .text), .init("author", .text), .init("seconds", .integer(nil))]), optional: true),
      .init("sent", .array(.named("Sent"))), .init("returned", .array(.named("Returned"))),
    ])
    all["Sent"] = .object([
      .init("round", .id), .init("vendor", .text), .init("language", .text),
      .init("state", .oneOf(SentUnitState.allCases.map(\.rawValue))), .init("time", .time, optional: true),
      .init("refusal", .text, optional: true),
    ])
    all["Returned"] = .object([
      .init("vendor", .text), .init("language", .text), .init("bundle", .text), .init("received", .time),
      .init("text", .text), .init("outcomes", .array(.named("Outcome"))),
    ])
    all["Outcome"] = .object([
      .init("branch", .text), .init("state", .oneOf(BranchOutcome.State.allCases.map(\.rawValue))),
      .init("reason", .named("Reason"), optional: true),
      .init(
        "delivery",
        .object([
          .init("target", .text), .init("commit", .text),
          .init("state", .oneOf(Delivery.State.allCases.map(\.rawValue))), .init("created", .time),
        ]), optional: true),
    ])
    all["MissingStrings"] = .object([
      .init("pipeline", .text), .init("branch", .text), .init("commit", .text),
      .init("languages", .array(.named("LanguageCompletion"))), .init("strings", .array(.named("MissingString"))),
      .init("count", .count, "The number of missing strings; `strings` has the first of them."),
      .init(
        "obstacles", .array(.text),
        "The reasons why the figures may be wrong, such as a catalog that cannot be read or strings of the code that are in no catalog."
      ),
      .init(
        "isComplete", .boolean,
        "Whether a gate of 100 % would pass, because nothing is missing and there is no obstacle."),
      .init(
        "gate",
        .object([
          .init("line", .text, "The line that `dragoman status --pipeline` prints."), .init("passed", .boolean),
        ]), optional: true, "The verdict of the pipeline's requirements on the branch, if it has any."),
    ])
    all["MissingString"] = .object([
      .init("unit", .named("Unit")), .init("language", .text), .init("text", .text),
      .init("comment", .text, optional: true), .init("place", .oneOf(MissingString.Place.allCases.map(\.rawValue))),
      .init("vendor", .text, optional: true), .init("since", .time, optional: true),
      .init("detail", .text, optional: true), .init("commit", .text, optional: true),
      .init("author", .text, optional: true), .init("added", .time, optional: true),
    ])
    all["AuditEntry"] = .object([
      .init("id", .id), .init("at", .time),
      .init(
        "action",
        .object([
          .init("actor", .object([.init("name", .text), .init("way", .oneOf(Actor.Way.allCases.map(\.rawValue)))])),
          .init("action", .text), .init("pipeline", .text, optional: true), .init("subject", .text),
          .init("detail", .text, optional: true),
        ])),
      .init(
        "outcome", .text, optional: true, "`done`, or the reason of the failure; missing if the action was interrupted."
      ),
    ])
    all["Token"] = .object([
      .init("name", .text), .init("role", .oneOf(Role.allCases.map(\.rawValue))), .init("created", .time),
    ])
    all["NewToken"] = .object([
      .init("name", .text), .init("role", .oneOf(Role.allCases.map(\.rawValue))),
      .init("token", .text, "The token. It is not stored, so it cannot be shown again."),
    ])
    return all
  }()
}
