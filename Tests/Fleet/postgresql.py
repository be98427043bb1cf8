"""A temporary PostgreSQL cluster on a Unix socket in a folder. For root, it runs as the user postgres, because PostgreSQL refuses to run as root."""
import glob, os, subprocess, time
from urllib.parse import quote

class PostgreSQL:
    def __init__(self, folder):
        versions = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))
        if not versions:
            raise SystemExit("PostgreSQL is not installed; `make test` installs it")
        self.bin, self.folder, self.process = versions[-1], folder, None
        self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] if os.geteuid() == 0 else []
        os.makedirs(folder, exist_ok=True)
        if self.user:
            subprocess.run(["chown", "postgres:", folder], check=True)
        self.run("initdb", "-D", folder + "/data", "-U", "dragoman", "-E", "UTF8", "--locale=C.UTF-8", "--auth=trust", "--no-sync")

    def run(self, name, *arguments):
        return subprocess.run([*self.user, f"{self.bin}/{name}", *arguments], check=True, capture_output=True, text=True).stdout

    def start(self, **environment):
        settings = ["listen_addresses=", f"unix_socket_directories={self.folder}", "max_connections=200", "shared_buffers=64MB"]
        log = open(self.folder + ".log", "ab")
        self.process = subprocess.Popen(
            [*self.user, f"{self.bin}/postgres", "-D", self.folder + "/data", *(word for setting in settings for word in ("-c", setting))],
            stdout=log, stderr=log, env=dict(os.environ, **environment))
        for _ in range(600):
            if subprocess.run([f"{self.bin}/pg_isready", "-q", "-h", self.folder]).returncode == 0:
                return
            time.sleep(0.05)
        raise SystemExit("PostgreSQL does not start: " + open(self.folder + ".log").read()[-2000:])

    def stop(self, signal=2):
        """Stops the server. SIGINT ends all connections. SIGQUIT is like a crash, after which the server recovers."""
        self.process.send_signal(signal)
        self.process.wait()

    def database(self, name):
        self.run("createdb", "-h", self.folder, "-U", "dragoman", name)
        return f"postgresql://dragoman@{quote(self.folder, safe='')}/{name}"

    def query(self, database, sql):
        """Returns the rows, each as a list of texts."""
        out = self.run("psql", "-qXAt", "-F", "\t", "-h", self.folder, "-U", "dragoman", "-d", database, "-c", sql)
        return [line.split("\t") for line in out.splitlines()]

if __name__ == "__main__":
    # Prints the URL of an empty database, and keeps the server running until standard input ends.
    import shutil, sys, tempfile
    folder = tempfile.mkdtemp(prefix="dragoman-pg-")
    os.chmod(folder, 0o755)
    server = PostgreSQL(folder + "/pg")
    server.start()
    try:
        print(server.database("bench"), flush=True)
        sys.stdin.read()
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
