#!/usr/bin/env python3
"""Runs the program on a full disk, on a read-only store, with a database that is temporarily down, and with a clock that jumps.

    faults.py --dragoman BIN [--seconds 60] [disk readonly database clock]

The disk is a small tmpfs in a separate mount namespace. If the system does not allow this, these parts are skipped. The clock jumps for the
program and for PostgreSQL, because clock.c changes the clock of both.
"""
import argparse, os, shutil, signal, sqlite3, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from postgresql import PostgreSQL
from project import LANGUAGES, STRINGS, Project

# Swift's toolchain contains a C compiler.
COMPILER = shutil.which("cc") or shutil.which("clang")
PARTS = ["disk", "readonly", "database", "clock"]

def fail(text):
    print("FAIL " + text)
    sys.exit(1)

class Stage:
    """A repository with a drop folder, and the program with a store on a separate disk."""
    def __init__(self, dragoman, folder, name, url=None):
        self.dragoman, self.folder, self.url = dragoman, f"{folder}/{name}", url or f"sqlite:{folder}/{name}/store"
        self.project = Project(self.folder, 0, name)
        os.makedirs(self.folder + "/pipelines")
        self.file = f"{self.folder}/pipelines/one.yaml"
        with open(self.file, "w") as file:
            file.write(self.project.file())

    def once(self):
        return subprocess.run([self.dragoman, "run", self.file, "--once", "--store", self.url], capture_output=True, text=True)

    def expect(self, status, *words):
        end = self.once()
        if end.returncode != status or not all(word in end.stderr for word in words):
            fail(f"{self.folder}: expected {status} and {words}, got {end.returncode}: {end.stderr}{end.stdout}")
        return end

    def expect_rounds(self, status, words=""):
        end = subprocess.run([self.dragoman, "rounds", "--store", self.url], capture_output=True, text=True)
        if end.returncode != status or words not in end.stderr:
            fail(f"{self.folder}: expected {status} and {words}, got {end.returncode}: {end.stderr}{end.stdout}")

    def finish(self):
        """Completes the round, and checks that every text is sent once and delivered."""
        self.expect(0)
        self.project.translate()
        self.expect(0)
        if missing := self.project.missing():
            fail(f"{self.folder}: {missing} translations are missing")
        bundles = os.listdir(self.project.drop + "/done")
        if len(bundles) != len(LANGUAGES):
            fail(f"{self.folder}: sent more than once: {bundles}")

    def mount(self):
        os.makedirs(self.folder + "/store", mode=0o700)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m,mode=700", "none", self.folder + "/store"], check=True)

    def fill(self):
        with open(self.folder + "/store/filler", "wb", buffering=0) as file:
            for size in [1 << 20, 4096, 1]:
                try:
                    while True:
                        file.write(b"\0" * size)
                except OSError:
                    pass

def disk(options, folder):
    """Fills the disk before the first run, and again between sending and receiving."""
    stage = Stage(options.dragoman, folder, "disk")
    stage.mount()
    stage.fill()
    stage.expect(74, "disk")
    os.remove(stage.folder + "/store/filler")
    stage.expect(0)
    stage.project.translate()
    stage.fill()
    stage.expect(74, "disk")
    # The last user of the ledger removed the file that is needed to read the ledger.
    stage.expect_rounds(74, "even to read it")
    os.remove(stage.folder + "/store/filler")
    stage.expect_rounds(0)
    stage.finish()
    # A daemon retries, and continues when there is space again.
    stage.project.push()
    stage.fill()
    with open(stage.folder + "/log", "wb") as log:
        daemon = subprocess.Popen([stage.dragoman, "serve", "--pipelines", stage.folder + "/pipelines", "--store", stage.url], stdout=log, stderr=log)
    try:
        wait(lambda: b"disk" in open(stage.folder + "/log", "rb").read() or daemon.poll() is not None, "the daemon says nothing about the full disk")
        if daemon.poll() is not None and daemon.returncode != 74:
            fail(f"the daemon exited with {daemon.returncode}: {open(stage.folder + '/log').read()}")
        os.remove(stage.folder + "/store/filler")
        if daemon.poll() is not None:
            with open(stage.folder + "/log", "ab") as log:
                daemon = subprocess.Popen([stage.dragoman, "serve", "--pipelines", stage.folder + "/pipelines", "--store", stage.url], stdout=log, stderr=log)
        def delivered():
            stage.project.translate()
            return stage.project.missing() == 0
        wait(delivered, f"nothing is delivered after the disk has space again: {stage.folder}/log")
    finally:
        daemon.terminate()
        daemon.wait()
    print("PASS a full disk ends a run with 74; with space again, everything is sent once and delivered")

def readonly(options, folder):
    stage = Stage(options.dragoman, folder, "readonly")
    stage.mount()
    stage.expect(0)
    subprocess.run(["mount", "-o", "remount,ro", stage.folder + "/store"], check=True)
    stage.project.translate()
    stage.expect(74, "store")
    end = subprocess.run([stage.dragoman, "rounds", "--store", stage.url], capture_output=True, text=True)
    if end.returncode != 74 or "permissions" not in end.stderr:
        fail(f"rounds of a read-only store: {end}")
    subprocess.run(["mount", "-o", "remount,rw", stage.folder + "/store"], check=True)
    stage.finish()
    print("PASS a read-only store ends every command with 74; writable again, the round ends")

def database(options, folder):
    server = PostgreSQL(folder + "/pg")
    server.start()
    stage = Stage(options.dragoman, folder, "database", server.database("gone"))
    worker = None
    try:
        subprocess.run([stage.dragoman, "pipelines", "apply", stage.folder + "/pipelines", "--store", stage.url], check=True, capture_output=True)
        with open(stage.folder + "/log", "wb") as log:
            worker = subprocess.Popen([stage.dragoman, "worker", "--store", stage.url, "--folder", stage.folder + "/folder"], stdout=log, stderr=log)
        inbox = stage.project.drop + "/to-translate"
        wait(lambda: os.path.isdir(inbox) and len([name for name in os.listdir(inbox) if name.endswith(".zip")]) == len(LANGUAGES), "nothing is sent")
        server.stop(signal.SIGQUIT)
        stage.project.translate()
        stage.project.push()
        time.sleep(options.seconds)
        end = subprocess.run([stage.dragoman, "rounds", "--store", stage.url], capture_output=True, text=True)
        if end.returncode != 69:
            fail(f"rounds without its database: {end}")
        if worker.poll() is not None:
            fail(f"the worker exited with {worker.returncode}: {open(stage.folder + '/log').read()}")
        server.start()
        def delivered():
            stage.project.translate()
            return stage.project.missing() == 0
        wait(delivered, "nothing is delivered after the database is back")
        units = STRINGS * 2 * len(LANGUAGES)
        sent = server.query("gone", "SELECT count(*), count(DISTINCT (source_id, language)) FROM sent_unit")[0]
        if sent != [str(units), str(units)]:
            fail(f"each of {units} units should be sent once; sent {sent}")
        lines = open(stage.folder + "/log").read().splitlines()
        print(f"PASS a database that is gone for {options.seconds} s: the worker goes on by itself, everything is sent once; its log has {len(lines)} lines")
        if options.keep:
            print("\n".join(lines))
    finally:
        if worker:
            worker.terminate()
            worker.wait()
        server.stop(signal.SIGINT)

class Clock:
    """The clock of processes started with `environment`. It continues to run after a jump. Clocks that count from the boot do not jump."""
    def __init__(self, folder):
        self.file, library = folder + "/clock", folder + "/clock.so"
        subprocess.run([COMPILER, "-shared", "-fPIC", "-O2", "-o", library, os.path.dirname(os.path.abspath(__file__)) + "/clock.c", "-ldl"], check=True)
        self.environment = {"LD_PRELOAD": library, "CLOCK_FILE": self.file}
        with open(self.file, "wb") as file:
            file.write(bytes(8))

    def jump(self, seconds):
        with open(self.file, "r+b", buffering=0) as file:
            file.write(seconds.to_bytes(8, sys.byteorder, signed=True))

def clock(options, folder):
    """Moves the clock a day forward and then back, on SQLite for one daemon, on PostgreSQL for the database and two workers, whose leases expire."""
    if not COMPILER:
        print("skipped: clock: there is no C compiler")
        return
    for kind in ["SQLite", "PostgreSQL"]:
        place = f"{folder}/clock-{kind}"
        os.makedirs(place)
        time_of = Clock(place)
        server, processes = None, []
        if kind == "PostgreSQL":
            server = PostgreSQL(place + "/pg")
            server.start(**time_of.environment)
        stage = Stage(options.dragoman, place, "stage", server.database("clock") if server else None)
        try:
            if server:
                subprocess.run([stage.dragoman, "pipelines", "apply", stage.folder + "/pipelines", "--store", stage.url], check=True, capture_output=True)
            with open(stage.folder + "/log", "wb") as log:
                commands = ([["worker", "--folder", f"{stage.folder}/folder-{number}"] for number in range(2)] if server
                            else [["serve", "--pipelines", stage.folder + "/pipelines"]])
                for command in commands:
                    processes.append(subprocess.Popen([stage.dragoman, *command, "--store", stage.url], stdout=log, stderr=log,
                                                      env=dict(os.environ, **time_of.environment)))
            inbox = stage.project.drop + "/to-translate"
            def sent():
                return os.path.isdir(inbox) and len([name for name in os.listdir(inbox) if name.endswith(".zip")]) >= len(LANGUAGES)
            def delivered():
                stage.project.translate()
                return stage.project.missing() == 0
            wait(sent, f"nothing is sent: {stage.folder}/log")
            for days in [1, 0, -1]:
                # The jump is in the middle of a round, while strings are outstanding.
                time_of.jump(days * 86_400)
                wait(delivered, f"nothing is delivered on {kind} after the clock went to {days} days from now: {stage.folder}/log")
                stage.project.push()
            wait(delivered, f"the last round is not delivered on {kind}: {stage.folder}/log")
            if ended := [process.returncode for process in processes if process.poll() is not None]:
                fail(f"a process exited with {ended}: {stage.folder}/log")
            for process in processes:
                process.terminate()
            if any(process.wait(timeout=60) for process in processes):
                fail(f"a process did not exit with 0: {[process.returncode for process in processes]}")
            # The logs show the jumps.
            tomorrow = time.strftime("%Y-%m-%d", time.gmtime(time.time() + 86_400))
            if tomorrow not in open(stage.folder + "/log").read():
                fail(f"the log has no line of {tomorrow}: {stage.folder}/log")
            if server and abs(float(server.query("clock", "SELECT extract(epoch FROM clock_timestamp())")[0][0]) + 86_400 - time.time()) > 600:
                fail("the clock of PostgreSQL did not jump")
            units = STRINGS * stage.project.round * len(LANGUAGES)
            sql = "SELECT count(*), count(DISTINCT source_id || language) FROM sent_unit"
            if server:
                counts = [int(value) for value in server.query("clock", sql)[0]]
            else:
                with sqlite3.connect(stage.folder + "/store/ledger.sqlite") as ledger:
                    counts = list(ledger.execute(sql).fetchone())
            if counts != [units, units]:
                fail(f"each of {units} units should be sent once on {kind}; sent {counts}")
        finally:
            for process in processes:
                if process.poll() is None:
                    process.kill()
                    process.wait()
            if server:
                server.stop(signal.SIGINT)
        print(f"PASS a clock that jumps a day forward and two back, on {kind}: everything is sent once and delivered", flush=True)

def wait(condition, text, seconds=300):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            fail(text)
        time.sleep(0.2)

def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("--seconds", type=int, default=60, help="how long the database is down")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("parts", nargs="*", default=PARTS)
    options = parser.parse_args()
    options.dragoman = os.path.abspath(options.dragoman)
    if "DRAGOMAN_FAULTS_MOUNTS" not in os.environ:
        namespace = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--mount"]
        if subprocess.run([*namespace, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True).returncode == 0:
            os.environ["DRAGOMAN_FAULTS_MOUNTS"] = "1"
            os.execvp(namespace[0], [*namespace, sys.executable, "-B", *sys.argv])
        print("skipped: disk, readonly: this system does not allow mounting a tmpfs in a namespace")
        options.parts = [part for part in options.parts if part not in ("disk", "readonly")]
    folder = tempfile.mkdtemp(prefix="dragoman-faults-")
    os.chmod(folder, 0o755)
    try:
        for part in options.parts:
            globals()[part](options, folder)
            sys.stdout.flush()
    finally:
        for name in os.listdir(folder):
            if os.path.ismount(f"{folder}/{name}/store"):
                subprocess.run(["umount", f"{folder}/{name}/store"])
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)

if __name__ == "__main__":
    main()
