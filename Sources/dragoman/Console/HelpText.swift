/// The texts of `--help` about arguments and options. They are not in the commands, because the initial value of a property cannot call the
/// command's `message`.
enum HelpText {
  // Arguments and options of several commands.
  static let directory = message(
    "The directory of the project.", comment: "Help for the argument PATH or of --project.")
  static let dryRun = message("Show what would change, without changing anything.", comment: "Help for --dry-run.")
  static let dryRunOfRun = message(
    "With --once: show what the run would fetch, send, take and push, without changing anything.",
    comment: "Help for `run --dry-run`.")
  static let format = message("The output format.", comment: "Help for --format.")
  static let listen = message(
    "Serve probes, metrics, webhooks and the API at this address, such as 127.0.0.1:8080.",
    comment: "Help for --listen."
  )
  static let logFormat = message(
    "The format of the log on standard error; json writes one object per line.", comment: "Help for --log-format.")
  static let proxyUser = message(
    "The header field in which the reverse proxy names the signed-in user, for the dashboard.",
    comment: "Help for --proxy-user.")
  static let proxyRole = message(
    "The role of the users whom the proxy names: viewer, operator or admin.", comment: "Help for --proxy-role.")
  static let behindProxy = message(
    "The public host name of a reverse proxy with TLS that forwards requests. May be repeated.",
    comment: "Help for --behind-proxy.")
  static let macros = message(
    "Also extract the first argument of this function or macro as a key. May be repeated.", comment: "Help for --macro."
  )
  static let once = message("Process the available work, then exit.", comment: "Help for --once.")
  static let path = message(
    "A directory or a git repository.", comment: "Help for the argument PATH or of --project.")
  static let pipelineFolder = message("The folder of the pipeline files.", comment: "Help for the argument DIR.")
  static let pipelinePlace = message(
    "The folder of the pipeline files, or one pipeline file.", comment: "Help for the argument DIR or of --pipelines.")
  static let progress = message(
    "How to report the stages of a run. (default: text; none with --quiet)", comment: "Help for --progress.")
  static let quiet = message("Print only results and errors.", comment: "Help for --quiet.")
  static let revision = message(
    "Read this tree from git, not the directory: a branch, a tag, a commit, HEAD:Folder.",
    comment: "Help for --revision."
  )
  static let round = message(
    "A round: PIPELINE#NUMBER as the list shows it, or its id.", comment: "Help for the argument ID.")
  static let shownLanguages = message("Only this language. May be repeated.", comment: "Help for --language.")
  static let store = message(
    "The folder with the state, sqlite:PATH, or the URL of a PostgreSQL database. (default: .dragoman)",
    comment: "Help for --store; keep sqlite:PATH.")
  static let tables = message(
    "Only this table, such as Localizable. May be repeated.", comment: "Help for --table: the name of a catalog.")
  static let targets = message(
    "Only this target, named as in the manifest or project. May be repeated.", comment: "Help for --target.")
  static let verbose = message("Also print details.", comment: "Help for --verbose.")

  static let database = message(
    "The URL of a PostgreSQL database. A password is given by reference: ?password=env:NAME or file:PATH.",
    comment: "Help for --store of commands that need a database; keep the code.")

  // Arguments and options of one command.
  static let applyPrune = message(
    "Also remove the files of all other pipelines. Their ledger entries are kept.",
    comment: "Help for `pipelines apply --prune`.")
  static let applyEmpty = message(
    "With --prune: accept a folder without pipeline files, which removes all pipelines.",
    comment: "Help for `pipelines apply --allow-empty`.")
  static let migrateSource = message(
    "The store to move: sqlite:PATH. (default: .dragoman)", comment: "Help for `store migrate-to --store`.")
  static let workerFolder = message(
    "The folder of the mirrors and the cache. (default: DRAGOMAN_FOLDER, or .dragoman)",
    comment: "Help for `worker --folder`.")
  static let backupTarget = message("The file that receives the copy.", comment: "Help for the argument FILE.")
  static let backupToCheck = message(
    "A backup. (default: the ledger of the store)", comment: "Help for the argument FILE.")
  static let backupToRestore = message("The backup.", comment: "Help for the argument FILE.")
  static let checkBaseline = message(
    "Report only findings that this file does not list.", comment: "Help for `check --baseline`.")
  static let checkFix = message(
    "Repair findings that have only one sensible repair.", comment: "Help for `check --fix`.")
  static let checkGlossary = message(
    "Terms that translations must use: a TBX or CSV file.", comment: "Help for `check --glossary`.")
  static let checkList = message(
    "List the rules with their severities, and check nothing.", comment: "Help for `check --list`.")
  static let checkRequireNone = message(
    "Exit with 1 on any finding, including notes.", comment: "Help for `check --require-none`.")
  static let checkRules = message(
    "Only this rule, such as plural-missing. May be repeated.", comment: "Help for `check --rule`.")
  static let checkWriteBaseline = message(
    "Write the findings to this file, and report nothing.", comment: "Help for `check --write-baseline`.")
  static let compileCatalogs = message("String Catalogs.", comment: "Help for the argument CATALOG.")
  static let compileFormat = message(
    "The format of the files; text is an XML property list.", comment: "Help for `compile --format`.")
  static let compileOutput = message("The folder that receives the .lproj folders.", comment: "Help for --output.")
  static let demoLanguages = message(
    "The target languages, separated by commas. (default: those of the project)", comment: "Help for --languages.")
  static let demoOnce = message("Exit after the round.", comment: "Help for `demo --once`.")
  static let demoRepository = message(
    "A path or URL. (default: the current directory, with its pipelines/self.yaml)",
    comment: "Help for the argument REPOSITORY.")
  static let diffNew = message("The newer revision.", comment: "Help for the argument NEW.")
  static let diffOld = message("The older revision.", comment: "Help for the argument OLD.")
  static let diffPipeline = message(
    "Name the commit and the author of each change, from the history of this pipeline in the store.",
    comment: "Help for `diff --pipeline`.")
  static let exportCatalogsOnly = message(
    "Export only the contents of the catalogs; do not read the code.", comment: "Help for --catalogs-only.")
  static let exportLanguages = message(
    "A language to export. May be repeated. (default: all languages of the project)",
    comment: "Help for `export --language`.")
  static let exportNotes = message(
    "A folder with screenshots and a read-me for translators; each bundle gets a copy as Notes.",
    comment: "Help for `export --notes`.")
  static let exportOutput = message("The folder that receives the bundles.", comment: "Help for --output.")
  static let exportTemplate = message(
    "Add the plural forms of all languages to the bundle of the source language, as a template for Weblate and others.",
    comment: "Help for `export --template`.")
  static let exportXcode = message(
    "The version of Xcode whose format the bundles follow and name, such as 16.0/16A242d. (default: the newest known)",
    comment: "Help for --xcode; keep the numbers.")
  static let exportXcodeProject = message(
    "Export only the .xcodeproj or .xcworkspace at this path in the repository, with its dependencies.",
    comment: "Help for `export --xcode-project`.")
  static let extractWhy = message(
    """
    Explain each literal with this text, key or default value. Interpolations and escapes may be copied from Swift code.
    """, comment: "Help for `extract --why`.")
  static let importBundles = message(".xcloc, zipped .xcloc or .xliff files.", comment: "Help for the argument BUNDLE.")
  static let importLanguages = message(
    """
    How to import a language that the project has with another region: pt-PT adds it in addition to pt, pt-PT=pt imports it as pt. \
    May be repeated.
    """, comment: "Help for `import --language`.")
  static let importSkip = message(
    """
    Leave out the units of a key (key=Hello) or a language (language=de), or units that --take would take for a reason \
    (reason=sourceChanged). May be repeated.
    """, comment: "Help for `import --skip`.")
  static let importTake = message(
    """
    Take units that would be held: of a key (key=Hello), of a language (language=de), or for a reason \
    (reason=sourceChanged). A text whose placeholders could crash the app is never taken. May be repeated.
    """, comment: "Help for `import --take`.")
  static let mergeDriverBase = message(
    "The common ancestor (%O in git's driver command); empty if there is none.",
    comment: "Help for the argument BASE; keep the percent sign and its letter.")
  static let mergeDriverOurs = message(
    "Our version (%A in git's driver command). The merged file replaces it.",
    comment: "Help for the argument OURS; keep the percent sign and its letter.")
  static let mergeDriverPath = message(
    "The path in the repository (%P in git's driver command), which determines the format. (default: the path of OURS)",
    comment: "Help for the argument PATH of merge-driver; keep the percent sign and its letter.")
  static let mergeDriverTheirs = message(
    "Their version (%B in git's driver command).",
    comment: "Help for the argument THEIRS; keep the percent sign and its letter.")
  static let memoryFile = message("The TMX file to write.", comment: "Help for `memory export --output`.")
  static let memoryFrom = message("A TMX file. May be repeated.", comment: "Help for `memory fill --from`.")
  static let memoryOutput = message(
    "The folder that receives the XLIFF files.", comment: "Help for `memory fill --output`.")
  static let memoryState = message(
    "The state of the filled translations. (default: needs_review)", comment: "Help for `memory fill --state`.")
  static let pruneDays = message(
    "Keep data that is newer than this number of days.", comment: "Help for `store prune --days`.")
  static let reconcileVendor = message(
    "Only this vendor, by its name or kind.", comment: "Help for `reconcile --vendor`.")
  static let pauseReason = message(
    "The reason, shown to other people.", comment: "Help for `pipelines pause --reason`.")
  static let pipelineName = message("The name of the pipeline.", comment: "Help for an argument.")
  static let auditPipeline = message("Only decisions about this pipeline.", comment: "Help for `audit --pipeline`.")
  static let auditLimit = message("The number of entries to show. (default: 50)", comment: "Help for `audit --limit`.")
  static let heldID = message(
    "The id of a held unit, as the list shows it.", comment: "Help for the argument ID of held.")
  static let heldBranch = message(
    "The branch on which it is held. (default: the only one)", comment: "Help for `held --branch`.")
  static let heldText = message(
    "The text of a form. Repeat it for each form, in the order of held show.", comment: "Help for `held edit --text`.")
  static let heldPipeline = message("Only this pipeline.", comment: "Help for `held --pipeline`.")
  static let tokenName = message(
    "A name that identifies the user of the token.", comment: "Help for the argument NAME of tokens.")
  static let tokenRole = message(
    "The role: viewer reads, operator also decides, admin also manages tokens.",
    comment: "Help for --role of tokens add; keep the names of the roles.")
  static let reprintCheck = message(
    "Change nothing; exit with 1 and print the first byte that would differ.", comment: "Help for `reprint --check`.")
  static let reprintFiles = message("The files to rewrite.", comment: "Help for the argument FILE of reprint.")
  static let runPipelines = message("Pipeline files.", comment: "Help for the argument PIPELINE.")
  static let explainKey = message("The key of the string.", comment: "Help for the argument of explain.")
  static let explainPipeline = message("Only this pipeline.", comment: "Help for `explain --pipeline`.")
  static let explainLanguages = message(
    "Only this language. May be repeated.", comment: "Help for `explain --language`.")
  static let historyAll = message(
    "Also show commits that changed no string.", comment: "Help for `history --all`.")
  static let historyBranch = message("Only this branch.", comment: "Help for `history --branch`.")
  static let historyLimit = message(
    "The number of commits to read from each branch, 1 to 10000.", comment: "Help for `history --limit`.")
  static let historyPipeline = message("Only this pipeline.", comment: "Help for `history --pipeline`.")
  static let initLanguages = message(
    "A target language in Xcode's spelling, such as de or pt-BR. May be repeated.",
    comment: "Help for `init --language`.")
  static let initPipeline = message("Write a pipeline file to this path.", comment: "Help for `init --pipeline`.")
  static let newLanguage = message(
    "The language in Xcode's spelling, such as de or pt-BR.", comment: "Help for the argument of add-language.")
  static let addLanguagePipeline = message(
    "Also add the language to this pipeline file.", comment: "Help for `add-language --pipeline`.")
  static let statusPipeline = message(
    "Take the requirements, the languages and the excluded files from this pipeline file.",
    comment: "Help for `status --pipeline`.")
  static let statusSince = message(
    "Count only the strings that are new or changed since this revision, or since its merge base with HEAD.",
    comment: "Help for `status --since`.")
  static let statusBranch = message(
    "The branch whose requirements apply. (default: the branch given with --revision)",
    comment: "Help for `status --branch`.")
  static let statusRequirements = message(
    """
    The percentage from 0 to 100 that all languages (95 or 95%) or one language (de=100) must reach. After a path pattern and \
    a colon, it applies to each matching catalog (App/**:95). May be repeated.
    """, comment: "Help for --require.")
  static let statusFallbacks = message(
    "The fallback languages for missing texts of a language: es-MX=es-419,es. May be repeated.",
    comment: "Help for --fallback.")
  static let statusDetails = message(
    "Also show who added each missing string and when, and where its translation is.", comment: "Help for --details.")
  static let submodules = message(
    "Also read the code of submodules that are checked out.", comment: "Help for --submodules.")
  static let statusStore = message(
    "The store with the pipeline's ledger, for --details. (default: .dragoman, if there is one)",
    comment: "Help for `status --store`.")
  static let syncCheck = message(
    "Change nothing; print a verdict first, and exit with 1 if something would change.",
    comment: "Help for `sync --check`.")
  static let vendorsKind = message(
    "The kind of vendor whose options are shown.", comment: "Help for the argument KIND of vendors list.")
  static let vendorsName = message(
    "The name or kind of a vendor. (default: all vendors of the pipeline)",
    comment: "Help for the argument NAME of vendors test.")
  static let vendorsPipeline = message("The pipeline file.", comment: "Help for `vendors test --pipeline`.")
}
