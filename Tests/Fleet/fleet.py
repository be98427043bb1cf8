#!/usr/bin/env python3
"""Runs several workers on one PostgreSQL database. Workers are killed, paused past their lease, resumed and added, while the database restarts.

    fleet.py --dragoman BIN [--seed N] [--repositories 12] [--workers 3] [--rounds 3] [--faults 12] [--keep]

In every round, each repository gets a commit with new strings, and a script translates the bundles in its drop folder. At the end, every
string is translated on every delivery branch, every unit was sent once, every delivery is settled or pushed, the books are balanced, and no
job is stuck. The seed determines the faults. Their time depends on the machine.
"""
import argparse, os, random, shutil, signal, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from postgresql import PostgreSQL
from project import LANGUAGES, STRINGS, Project

LEASE = 5

class Fleet:
    def __init__(self, options, folder):
        self.options, self.folder, self.count = options, folder, 0
        self.server = PostgreSQL(folder + "/pg")
        self.server.start()
        self.url = self.server.database("fleet")
        self.workers, self.paused = [], []

    def dragoman(self, *arguments):
        return subprocess.run([self.options.dragoman, *arguments], check=True, capture_output=True, text=True).stdout

    def add(self):
        self.count += 1
        log = open(f"{self.folder}/worker-{self.count}.log", "wb")
        environment = dict(os.environ, DRAGOMAN_WORKER_LEASE=f"{LEASE}s", DRAGOMAN_WORKERS="2", GIT_CONFIG_GLOBAL="/dev/null")
        self.workers.append(subprocess.Popen(
            [self.options.dragoman, "worker", "--store", self.url, "--folder", f"{self.folder}/worker-{self.count}"],
            stdout=log, stderr=log, env=environment))

    def kill(self, chance):
        if self.workers:
            worker = self.workers.pop(chance.randrange(len(self.workers)))
            worker.kill()
            worker.wait()
        self.add()

    def pause(self, chance):
        running = [worker for worker in self.workers if worker not in [paused for paused, _ in self.paused]]
        if len(running) > 1:
            worker = chance.choice(running)
            worker.send_signal(signal.SIGSTOP)
            self.paused.append((worker, time.monotonic() + LEASE * 2.5))

    def wake(self, all=False):
        for worker, until in list(self.paused):
            if all or time.monotonic() > until:
                self.paused.remove((worker, until))
                if worker.poll() is None:
                    worker.send_signal(signal.SIGCONT)

    def restart(self, chance):
        self.server.stop(chance.choice([signal.SIGINT, signal.SIGQUIT]))
        time.sleep(chance.uniform(0, 3))
        self.server.start()

    def stop(self):
        self.wake(all=True)
        for worker in self.workers:
            worker.terminate()
        for worker in self.workers:
            try:
                worker.wait(timeout=60)
            except subprocess.TimeoutExpired:
                worker.kill()
                worker.wait()

    def query(self, sql):
        return self.server.query("fleet", sql)

def check(fleet, projects):
    faults = []
    units = sum(project.round for project in projects) * STRINGS * len(LANGUAGES)
    sent = fleet.query("SELECT count(*), count(DISTINCT (source_id, language)) FROM sent_unit")[0]
    if sent != [str(units), str(units)]:
        faults.append(f"{units} units had to be sent once; sent {sent[0]}, different {sent[1]}")
    open_units = fleet.query("SELECT state, count(*) FROM sent_unit WHERE state <> 'returned' GROUP BY state")
    if open_units:
        faults.append(f"units that did not come back: {open_units}")
    unbalanced = fleet.query("SELECT round_id FROM books WHERE sent <> returned + outstanding + withdrawn + superseded")
    if unbalanced:
        faults.append(f"unbalanced books: {unbalanced}")
    stuck = fleet.query("SELECT pipeline, stage, scope, state, failure FROM job WHERE state IN ('failed', 'running')")
    if stuck:
        faults.append(f"stuck jobs: {stuck}")
    planned = fleet.query("SELECT pipeline, state FROM delivery WHERE state = 'planned'")
    if planned:
        faults.append(f"deliveries that were not made: {planned}")
    twice = fleet.query("SELECT returned_unit_id FROM branch_outcome WHERE state NOT IN ('delivered', 'settled')")
    if twice:
        faults.append(f"{len(twice)} returned units were not delivered")
    for project in projects:
        bundles = [name for place in ("to-translate", "translated", "done") if os.path.isdir(f"{project.drop}/{place}")
                   for name in os.listdir(f"{project.drop}/{place}") if name.endswith(".zip")]
        rounds = int(fleet.query(f"SELECT count(*) FROM shipment WHERE pipeline = '{project.name}'")[0][0])
        if len(set(bundles)) != rounds:
            faults.append(f"{project.name}: {len(set(bundles))} different bundles for {rounds} shipments: {sorted(set(bundles))}")
    return faults

def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--repositories", type=int, default=12)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--faults", type=int, default=12)
    parser.add_argument("--seconds", type=int, default=600, help="the time limit after the last fault")
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    folder = tempfile.mkdtemp(prefix="dragoman-fleet-")
    os.chmod(folder, 0o755)
    fleet = Fleet(options, folder)
    started = time.monotonic()
    try:
        projects = [Project(folder, number) for number in range(options.repositories)]
        os.makedirs(folder + "/pipelines")
        for project in projects:
            with open(f"{folder}/pipelines/{project.name}.yaml", "w") as file:
                file.write(project.file())
        fleet.dragoman("pipelines", "apply", folder + "/pipelines", "--store", fleet.url)
        for _ in range(options.workers):
            fleet.add()
        faults = [chance.choice(["kill", "kill", "kill", "pause", "pause", "add"]) for _ in range(options.faults)]
        for place in ([] if options.faults == 0 else [options.faults // 3, options.faults * 2 // 3]):
            faults.insert(place, "restart")
        pushes = options.rounds - 1
        every = max(1, len(faults) // max(1, pushes))
        counts = {}
        for number, fault in enumerate(faults):
            end = time.monotonic() + chance.uniform(1, 4)
            while time.monotonic() < end:
                for project in projects:
                    project.translate()
                fleet.wake()
                time.sleep(0.2)
            counts[fault] = counts.get(fault, 0) + 1
            if fault == "add":
                fleet.add() if len(fleet.workers) < options.workers + 1 else fleet.kill(chance)
            else:
                {"kill": fleet.kill, "pause": fleet.pause, "restart": fleet.restart}[fault](chance)
            if pushes and number % every == every - 1:
                pushes -= 1
                for project in projects:
                    project.push()
        for _ in range(pushes):
            for project in projects:
                project.push()
        disturbed = time.monotonic()
        while sum(project.missing() for project in projects) and time.monotonic() - disturbed < options.seconds:
            for project in projects:
                project.translate()
            fleet.wake()
            time.sleep(0.5)
        # The next check settles pushed deliveries, and wakes a worker that sleeps past its lease.
        end = time.monotonic() + LEASE * 4
        while time.monotonic() < end and check(fleet, projects):
            fleet.wake()
            time.sleep(1)
        problems = check(fleet, projects)
        missing = {project.name: project.missing() for project in projects if project.missing()}
        if missing:
            problems.append(f"translations missing on delivery branches: {missing}")
        holders = fleet.query("SELECT count(*) FROM pipeline WHERE holder IS NOT NULL")[0][0]
        fleet.stop()
        print(f"seed {options.seed}: {options.repositories} repositories, {options.workers} workers ({fleet.count} started), {options.rounds} rounds, "
              f"{', '.join(f'{count} x {fault}' for fault, count in sorted(counts.items()))}; {holders} pipelines held at the end; "
              f"{time.monotonic() - started:.0f} s")
        for problem in problems:
            print("FAIL " + problem)
        if problems:
            print(f"kept: {folder}")
            options.keep = True
            sys.exit(1)
        print("PASS every translation delivered, every unit sent once, books balanced, no job stuck")
    finally:
        fleet.stop()
        fleet.server.stop(signal.SIGINT)
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)

main()
