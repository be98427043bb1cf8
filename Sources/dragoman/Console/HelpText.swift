/// The texts of `--help`. They are outside the command types because ArgumentParser's `message(for:)` would hide `message` there.
enum HelpText {
  static let bundles = message("An .xcloc, a zip of one, or an .xliff.", comment: "Help of the argument BUNDLE.")
  static let catalogsOnly = message(
    "Export what the catalogs hold; leave code out.", comment: "Help of --catalogs-only.")
  static let check = message(
    "Change nothing; exit 1 and name the first byte that would differ.", comment: "Help of --check by reprint.")
  static let compileAbstract = message(
    "Compile String Catalogs to .strings and .stringsdict files, as a build does.",
    comment: "What the command compile does.")
  static let compileCatalogs = message("String Catalogs.", comment: "Help of the argument CATALOG.")
  static let compileExample = message(
    "Example: dragoman compile App/Localizable.xcstrings --output Build", comment: "Help of the command compile.")
  static let compileFormat = message("text (an XML property list) or binary.", comment: "Help of --format.")
  static let compileOutput = message("The folder that receives the .lproj folders.", comment: "Help of --output.")
  static let convertAbstract = message(
    "Make String Catalogs of .strings and .stringsdict files, as Xcode's migration does.",
    comment: "What the command convert does.")
  static let convertExample = message(
    "Example: dragoman convert --table Localizable --dry-run", comment: "Help of the command convert.")
  static let diffAbstract = message(
    "Show what changed for translators between two revisions.", comment: "What the command diff does.")
  static let diffExample = message(
    "Example: dragoman diff v1.0 main --format markdown", comment: "Help of the command diff.")
  static let directory = message("A folder.", comment: "Help of the argument DIR.")
  static let dragomanAbstract = message(
    "Continuous localization for Swift and Xcode projects, on Linux and without Xcode.",
    comment: "What the program does.")
  static let dryRun = message("Say what would change, and change nothing.", comment: "Help of --dry-run.")
  static let exportAbstract = message(
    "Write one .xcloc bundle a language, as xcodebuild -exportLocalizations does.",
    comment: "What the command export does.")
  static let exportExample = message(
    "Example: dragoman export --language de --language uk --output Localizations",
    comment: "Help of the command export.")
  static let extractAbstract = message(
    "Find every localizable string that the code holds.", comment: "What the command extract does.")
  static let extractExample = message(
    "Example: dragoman extract ~/Birds.git --revision main --format json", comment: "Help of the command extract.")
  static let extractFormat = message("text or json.", comment: "Help of --format.")
  static let files = message("Files.", comment: "Help of the argument FILE.")
  static let format = message("text, json or markdown.", comment: "Help of --format.")
  static let id = message(
    "A round: PIPELINE#NUMBER as the list shows it, or its id.", comment: "Help of the argument ID.")
  static let importAbstract = message(
    "Take translated bundles back into the catalogs, with a review.", comment: "What the command import does.")
  static let importExample = message(
    "Example: dragoman import de.xcloc uk.xliff --dry-run", comment: "Help of the command import.")
  static let importFormat = message("text or json.", comment: "Help of --format.")
  static let exportXcodeProject = message(
    "Export this .xcodeproj or .xcworkspace alone, with what it needs; a path in the tree.",
    comment: "Help of --xcode-project of export.")
  static let importLanguages = message(
    "What an incoming language is: pt-PT, to add it beside pt; pt-PT=pt, to take it as that. May be repeated.",
    comment: "Help of --language of import.")
  static let importProject = message("The directory of the project.", comment: "Help of --project of import.")
  static let languages = message(
    "A target language; default: those that the project has. May be repeated.", comment: "Help of --language.")
  static let macros = message(
    "A further function whose first argument is a key. May be repeated.", comment: "Help of --macro.")
  static let mergeDriverAbstract = message(
    "Merge a String Catalog, .strings or .stringsdict file by key, as a merge driver of git.",
    comment: "What the command merge-driver does.")
  static let mergeDriverBase = message(
    "The common ancestor: %O of git. An empty file: there is none.",
    comment: "Help of the argument BASE; keep the percent sign and its letter.")
  static let mergeDriverExample = message(
    "Example: git config merge.dragoman.driver \"dragoman merge-driver %O %A %B %P\"",
    comment: "Help of the command merge-driver; keep the percent signs and their letters.")
  static let mergeDriverOurs = message(
    "Our version: %A of git. Receives the result.",
    comment: "Help of the argument OURS; keep the percent sign and its letter.")
  static let mergeDriverPath = message(
    "The file's path in the repository, for its format and for messages: %P of git.",
    comment: "Help of the argument PATH of merge-driver; keep the percent sign and its letter.")
  static let mergeDriverTheirs = message(
    "Their version: %B of git.", comment: "Help of the argument THEIRS; keep the percent sign and its letter.")
  static let new = message("The newer revision.", comment: "Help of the argument NEW.")
  static let old = message("The older revision.", comment: "Help of the argument OLD.")
  static let once = message("Until nothing can be done now, then exit.", comment: "Help of --once.")
  static let output = message("The folder that receives the bundles.", comment: "Help of --output.")
  static let path = message("A directory.", comment: "Help of the argument PATH.")
  static let pipeline = message("Pipeline files.", comment: "Help of the argument PIPELINES.")
  static let pipelines = message("The folder of the pipeline files.", comment: "Help of --pipelines.")
  static let progress = message(
    "Show stages as they begin and end: text, json or none.", comment: "Help of --progress.")
  static let project = message("The git repository.", comment: "Help of --project.")
  static let quiet = message("Say only what was asked for and what went wrong.", comment: "Help of --quiet.")
  static let repository = message(
    "A path or URL. Default: the repository here, with pipelines/self.yaml.",
    comment: "Help of the argument REPOSITORY.")
  static let reprintAbstract = message(
    "Read a catalog, .strings, .stringsdict or XLIFF file and print it anew as Xcode would.",
    comment: "What the command reprint does.")
  static let reprintExample = message(
    "Example: dragoman reprint --check App/Localizable.xcstrings", comment: "Help of the command reprint.")
  static let requirements = message(
    "The percentage that all languages (95) or one (de=100) must reach. May be repeated.", comment: "Help of --require."
  )
  static let revision = message(
    "Read this tree from the object database: a branch, a commit, HEAD:Folder.", comment: "Help of --revision.")
  static let pipelinesAbstract = message(
    "Check, list or describe pipeline files.", comment: "What the command pipelines does.")
  static let pipelinesCheckAbstract = message(
    "Read the pipeline files of a folder and name every fault of every file.", comment: "What pipelines check does.")
  static let pipelinesCheckExample = message(
    "Example: dragoman pipelines check /etc/dragoman/pipelines", comment: "Help of pipelines check.")
  static let pipelinesListAbstract = message(
    "List the pipelines of a folder with repository, branches and vendors.", comment: "What pipelines list does.")
  static let pipelinesListExample = message(
    "Example: dragoman pipelines list", comment: "Help of pipelines list.")
  static let pipelinesSchemaAbstract = message(
    "Print the JSON schema of pipeline files, for editors.", comment: "What pipelines schema does.")
  static let pipelinesSchemaExample = message(
    "Example: dragoman pipelines schema > pipeline.schema.json", comment: "Help of pipelines schema.")
  static let roundsAbstract = message(
    "Show rounds and their books, and what failed; retry or cancel a round.", comment: "What the command rounds does.")
  static let roundsCancelAbstract = message(
    "Cancel a round: what is outstanding is withdrawn, and vendors are told.", comment: "What rounds cancel does.")
  static let roundsCancelExample = message(
    "Example: dragoman rounds cancel birds#3", comment: "Help of rounds cancel.")
  static let roundsListAbstract = message(
    "List rounds with what was sent, returned, withdrawn and superseded, and stages that failed.",
    comment: "What rounds list does.")
  static let roundsListExample = message(
    "Example: dragoman rounds list", comment: "Help of rounds list.")
  static let roundsRetryAbstract = message(
    "Review a round's held units again, and send again what was withdrawn when it was cancelled.",
    comment: "What rounds retry does.")
  static let roundsRetryExample = message(
    "Example: dragoman rounds retry birds#3", comment: "Help of rounds retry.")
  static let roundsShowAbstract = message(
    "Show a round: its books, the commits that brought its strings, and what is held and why.",
    comment: "What rounds show does.")
  static let roundsShowExample = message(
    "Example: dragoman rounds show birds#3 --format json", comment: "Help of rounds show.")
  static let runAbstract = message(
    "Take pipeline files through all stages: with --once until nothing can be done now, else until told to stop.",
    comment: "What the command run does.")
  static let runExample = message(
    "Example: dragoman run pipelines/birds.yaml --once", comment: "Help of the command run.")
  static let serveAbstract = message(
    "Run all pipelines of a folder until told to stop.", comment: "What the command serve does.")
  static let serveExample = message(
    "Example: dragoman serve --pipelines /etc/dragoman/pipelines", comment: "Help of the command serve.")
  static let roundsFormat = message("text or json.", comment: "Help of --format.")
  static let runFormat = message("text or json.", comment: "Help of --format.")
  static let statusAbstract = message(
    "Show completion per language and catalog.", comment: "What the command status does.")
  static let statusExample = message(
    "Example: dragoman status --require 95 --require de=100", comment: "Help of the command status.")
  static let statusPipeline = message(
    "Judge by the `require`, `languages` and `extract` of this pipeline file.", comment: "Help of --pipeline of status."
  )
  static let statusFormat = message("text, json, markdown, junit or svg.", comment: "Help of --format.")
  static let store = message("Where the state is: sqlite:PATH. Default: .dragoman here.", comment: "Help of --store.")
  static let syncAbstract = message(
    "Bring the catalogs in step with the code, as a build in Xcode does.", comment: "What the command sync does.")
  static let syncCheck = message("Change nothing; exit 1 if something would change.", comment: "Help of --check.")
  static let syncExample = message("Example: dragoman sync --check", comment: "Help of the command sync.")
  static let shownLanguages = message("Only this language. May be repeated.", comment: "Help of --language.")
  static let tables = message(
    "Only this table: the name of its catalog without the ending. May be repeated.", comment: "Help of --table.")
  static let targets = message(
    "Only what this target has: the name as in the manifest or project. May be repeated.", comment: "Help of --target.")
  static let importSkip = message(
    "Leave out the units of a key (key=Hello), of a language (language=de), or with --take those held for a reason.",
    comment: "Help of --skip by import.")
  static let importTake = message(
    "Take units that would be held: of a key (key=Hello), of a language (language=de), or for a reason (reason=sourceChanged).",
    comment: "Help of --take by import.")
  static let notes = message(
    "A folder with screenshots and a read-me for translators, which every bundle gets as Notes.",
    comment: "Help of --notes by export.")
  static let template = message(
    "Give the source language's bundle the plural forms of all languages, as the template of a service such as Weblate.",
    comment: "Help of --template by export.")
  static let demoAbstract = message(
    "Take one whole round on embedded defaults, on a copy of a repository.", comment: "What the command demo does.")
  static let demoExample = message(
    "Example: dragoman demo ~/Birds --languages de,uk --once", comment: "Help of the command demo.")
  static let demoLanguages = message("The target languages, separated by commas.", comment: "Help of --languages.")
  static let demoOnce = message("Exit after the round.", comment: "Help of --once by demo.")
  static let treeOptionsPath = message("A directory or a git repository.", comment: "Help of the argument PATH.")
  static let verbose = message("Say more about what is done.", comment: "Help of --verbose.")
  static let why = message(
    "Instead: for each literal with this text, what it resolved to and by which rule, or why it was not taken.",
    comment: "Help of --why.")
  static let xcode = message(
    "The version and build of Xcode that bundles name: 16.0/16A242d.", comment: "Help of --xcode; keep the numbers.")
  static let vendorsAbstract = message(
    "List the kinds of vendors, or test those of a pipeline.", comment: "What the command vendors does.")
  static let vendorsListAbstract = message(
    "List the kinds of vendors, or the options of one.", comment: "What the command vendors list does.")
  static let vendorsListExample = message(
    "Example: dragoman vendors list folder", comment: "Help of the command vendors list.")
  static let vendorsKind = message("A kind; shows its options.", comment: "Help of the argument KIND of vendors list.")
  static let vendorsFormat = message("text or json.", comment: "Help of --format.")
  static let vendorsTestAbstract = message(
    "Ask the vendors of a pipeline whether address, token and languages are right. Sends no strings.",
    comment: "What the command vendors test does.")
  static let vendorsTestExample = message(
    "Example: dragoman vendors test --pipeline pipelines/birds.yaml", comment: "Help of the command vendors test.")
  static let vendorsName = message(
    "A vendor's name or kind; default: all of the pipeline.", comment: "Help of the argument NAME of vendors test.")
  static let vendorsPipeline = message("A pipeline file.", comment: "Help of --pipeline.")
}
