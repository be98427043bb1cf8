#!/usr/bin/env python3
"""Runs scenarios in which the program is killed with SIGKILL at random times, which a seed determines, and started again.

    kill.py --dragoman BIN [--store sqlite|postgresql|both] [--count 300] [--seed N] [--keep]

A scenario has two repositories (a local folder, and one over HTTP), each with two vendors (a drop folder and the vendor `http`). It has two
rounds: first the initial strings, then a changed text and a new one. Each of its four runs is killed up to twice. The first scenario has no
kills, and every other scenario must have the same result: the same commits on all branches, the same bundles and books, every text sent once,
and no job left. On each store, scenarios are run until `--count` kills have hit a running process.
"""
import argparse, hashlib, os, random, shutil, signal, sqlite3, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from postgresql import PostgreSQL
from project import Project, git
from servers import GitHandler, Server, VendorHandler

RUNS = 4
DATES = {"GIT_AUTHOR_DATE": "1700000000 +0000", "GIT_COMMITTER_DATE": "1700000000 +0000"}

class Repository(Project):
    """A package whose texts change in the second round."""
    def __init__(self, folder, number):
        super().__init__(folder, number, "kill")

    def push(self):
        self.round += 1
        if self.round > 1:
            git(self.work, "fetch", "-q", "origin", "main")
            git(self.work, "reset", "-q", "--hard", "origin/main")
        texts = {"first": "A text", "second": "Another text"} if self.round == 1 else {"first": "A changed text", "second": "Another text", "third": "A new text"}
        self.write("Sources/Birds/Birds.swift", "import Foundation\n" + "".join(
            f'let {key} = String(localized: "{key}", defaultValue: "{self.name}: {text}", bundle: .module)\n' for key, text in texts.items()))
        if self.round == 1:
            self.write("Sources/Birds/Resources/Localizable.xcstrings",
                       '{\n  "sourceLanguage" : "en",\n  "strings" : {\n\n  },\n  "version" : "1.0"\n}')
        git(self.work, "add", "-A")
        git(self.work, "commit", "-q", "-m", f"Texts {self.round}")
        git(self.work, "push", "-q", "origin", "HEAD:main")

    def branches(self):
        return git(self.origin, "for-each-ref", "--format=%(refname) %(objectname) %(tree)", "refs/heads")

class Story:
    def __init__(self, play, number, url):
        self.play, self.number = play, number
        self.folder = f"{play.folder}/{play.kind}/{number}"
        os.makedirs(self.folder + "/pipelines")
        self.url = url or f"sqlite:{self.folder}/store"
        self.repositories = [Repository(self.folder, index) for index in range(2)]
        self.log = open(self.folder + "/log", "wb")
        for index, repository in enumerate(self.repositories):
            remote = repository.origin if index == 0 else f"{play.git.url}/{play.kind}/{number}/origin/{index}.git"
            # One pipeline delivers to a separate branch, the other to the watched branch.
            with open(f"{self.folder}/pipelines/{repository.name}.yaml", "w") as file:
                file.write(
                    f'pipeline: {repository.name}\nrepository: {{ url: "{remote}", branches: [main] }}\nlanguages: [de, uk]\ncatalogs: commit\n'
                    f'deliver: {{ mode: {["branch", "push"][index]} }}\nvendors:\n'
                    f'  - {{ vendor: folder, name: agency, path: "{repository.drop}", languages: [de], settle: 0s }}\n'
                    f'  - {{ vendor: http, name: house, url: "{play.vendor.url}/{self.name(repository)}", languages: [uk] }}\n')

    def name(self, repository):
        return f"{self.play.kind}-{self.number}-{repository.name}"

    def start(self):
        environment = {"SOURCE_DATE_EPOCH": "1700003600", "PATH": "/usr/bin:/bin", "GIT_CONFIG_GLOBAL": "/dev/null",
                       "DRAGOMAN_FOLDER": self.folder + "/store", "SWIFT_BACKTRACE": "enable=no"}
        files = [f"{self.folder}/pipelines/{repository.name}.yaml" for repository in self.repositories]
        return subprocess.Popen([self.play.dragoman, "run", *files, "--once", "--store", self.url, "--progress", "text"], cwd=self.folder,
                                env=environment, stdout=self.log, stderr=self.log)

    def kill(self, seconds):
        """Starts the program and kills it after some seconds. Returns whether the program was still running then."""
        process = self.start()
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        self.log.write(b"--- killed\n")
        self.log.flush()
        hit = process.wait() == -signal.SIGKILL
        # Only the owner of a local remote may remove the locks of a process that was killed there.
        for folder, _, names in os.walk(self.repositories[0].origin):
            for name in names:
                if name.endswith(".lock"):
                    os.remove(f"{folder}/{name}")
        return hit

    def finish(self):
        """Runs the program until it succeeds. A server may still be processing a request of the killed process."""
        for attempt in range(3):
            process = self.start()
            try:
                status = process.wait(timeout=300)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                return "a run did not end in 300 s"
            if status == 0:
                return None
            time.sleep(2)
        return f"a run ends with {status}"

    def run(self, plan, durations):
        """Makes one of the four runs, with its kills. Returns the faults."""
        for fraction in plan:
            self.play.kills += self.kill(fraction * durations)
        return self.finish()

    def translate(self):
        for repository in self.repositories:
            repository.translate()
            self.play.vendor.translate(self.name(repository), "uk")

    def whole(self, plans, durations):
        """Makes all four runs."""
        for number in range(RUNS):
            if number == 2:
                for repository in self.repositories:
                    repository.push()
            started = time.monotonic()
            if fault := self.run(plans[number], durations[number] if durations else 0):
                return [f"run {number + 1}: {fault}"]
            self.play.durations.append(time.monotonic() - started)
            if number % 2 == 0:
                self.translate()
        return []

    def rows(self, sql):
        if self.play.server:
            return self.play.server.query(self.url.rsplit("/", 1)[1], sql)
        with sqlite3.connect(f"file:{self.folder}/store/ledger.sqlite?mode=ro", uri=True) as ledger:
            return [[str(value) for value in row] for row in ledger.execute(sql)]

    def ending(self):
        """Returns the values that must be the same in every scenario."""
        bundles = {}
        for repository in self.repositories:
            for place in ("to-translate", "translated", "done", "held"):
                if os.path.isdir(f"{repository.drop}/{place}"):
                    for name in os.listdir(f"{repository.drop}/{place}"):
                        with open(f"{repository.drop}/{place}/{name}", "rb") as file:
                            bundles[f"{repository.name}/{place}/{name}"] = hashlib.sha256(file.read()).hexdigest()
        return {
            "branches": [repository.branches() for repository in self.repositories], "bundles": bundles,
            "books": sorted(self.rows("SELECT r.pipeline, r.number, b.language, b.sent, b.returned, b.outstanding, b.withdrawn, b.superseded "
                                      "FROM books b JOIN round r ON r.id = b.round_id")),
            # The next check settles pushed deliveries, and a killed run has one more check.
            "deliveries": sorted(self.rows("SELECT pipeline, count(*) FROM delivery WHERE state IN ('pushed', 'settled') GROUP BY pipeline")),
            "sent": {repository.name: sorted(self.play.vendor.stories[self.name(repository)]["puts"]) for repository in self.repositories},
        }

    def faults(self):
        """Returns the faults that must not occur in any scenario."""
        found = []
        for what, sql in {
            "units sent twice": "SELECT pipeline, source_id, language, count(*) FROM sent_unit GROUP BY pipeline, source_id, language HAVING count(*) > 1",
            "unbalanced books": "SELECT round_id, language FROM books WHERE sent <> returned + outstanding + withdrawn + superseded",
            "units that did not come back": "SELECT pipeline, language, state FROM sent_unit WHERE state = 'outstanding'",
            "stuck jobs": "SELECT pipeline, stage, scope, state, failure FROM job WHERE state IN ('failed', 'running')",
            "deliveries that were not made": "SELECT pipeline, target FROM delivery WHERE state = 'planned'",
        }.items():
            if rows := self.rows(sql):
                found.append(f"{what}: {rows}")
        for repository in self.repositories:
            puts = self.play.vendor.stories[self.name(repository)]["puts"]
            if len(puts) != len(set(puts)):
                found.append(f"{repository.name}: sent twice to the vendor `http`: {sorted(put for put in set(puts) if puts.count(put) > 1)}")
        return found

class Play:
    """All scenarios on one kind of store."""
    def __init__(self, options, folder, kind, git_server, vendor):
        self.dragoman, self.folder, self.kind = os.path.abspath(options.dragoman), folder, kind
        self.git, self.vendor, self.kills, self.durations = git_server, vendor, 0, []
        self.options = options
        self.server = PostgreSQL(folder + "/pg") if kind == "postgresql" else None
        if self.server:
            self.server.start()

    def story(self, number):
        return Story(self, number, self.server.database(f"story{number}") if self.server else None)

    def all(self):
        """Returns the number of failed scenarios."""
        started = time.monotonic()
        reference = self.story(0)
        problems = reference.whole([[]] * RUNS, None) or reference.faults()
        if problems:
            print(f"{self.kind}: the scenario without kills: {problems}, in {reference.folder}")
            return 1
        durations, expected = self.durations[:RUNS], reference.ending()
        failed, number = 0, 0
        while self.kills < self.options.count:
            number += 1
            chance = random.Random(f"{self.options.seed} {number}")
            plans = [[chance.random() for _ in range(chance.choice([0, 1, 1, 1, 2]))] for _ in range(RUNS)]
            story = self.story(number)
            problems = story.whole(plans, durations)
            if not problems:
                ending = story.ending()
                problems = story.faults() + [f"{key}: {ending[key]} instead of {expected[key]}" for key in expected if ending[key] != expected[key]]
            if problems:
                failed += 1
                print(f"FAIL {self.kind}, scenario {number}, in {story.folder}:")
                for problem in problems:
                    print(f"  {problem}")
            elif not self.options.keep:
                shutil.rmtree(story.folder)
            sys.stdout.flush()
        print(f"{self.kind}: {self.kills} kills in {number} scenarios, seed {self.options.seed}, {failed} failed, {time.monotonic() - started:.0f} s; "
              f"runs without kills took {', '.join(f'{seconds:.1f}' for seconds in durations)} s", flush=True)
        return failed

def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("--store", choices=["sqlite", "postgresql", "both"], default="both")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    os.environ.update(DATES)
    folder = tempfile.mkdtemp(prefix="dragoman-kill-")
    os.chmod(folder, 0o755)
    git_server, vendor = Server(GitHandler), Server(VendorHandler)
    git_server.folder = folder
    failed = 0
    for kind in ["sqlite", "postgresql"] if options.store == "both" else [options.store]:
        play = Play(options, folder, kind, git_server, vendor)
        try:
            failed += play.all()
        finally:
            if play.server:
                play.server.stop(signal.SIGINT)
    if failed:
        print(f"kept: {folder}")
    elif not options.keep:
        shutil.rmtree(folder, ignore_errors=True)
    if not failed:
        print("PASS the same commits, bundles and books after every kill; every text sent once, no job stuck")
    sys.exit(1 if failed else 0)

if __name__ == "__main__":
    main()
