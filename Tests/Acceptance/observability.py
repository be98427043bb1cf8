#!/usr/bin/env python3
"""Checks metrics, alerts, the dashboard and traces of the real program with third-party tools.

    observability.py --dragoman BIN [--keep]

The script needs a Python with opentelemetry-proto, and Debian's promtool and prometheus. A daemon runs a round with a repository over HTTP and
two vendors. Meanwhile:

- `promtool check metrics` reads /metrics before, during and after the round, and must find no faults.
- `promtool check rules` and `promtool test rules` read the alerts, which fire or stay silent as described in prometheus_rules.yml.
- A real Prometheus scrapes the daemon, evaluates the alerts and every query of the dashboard. After the round, every query must
  return data of the round.
- A collector decodes requests to /v1/traces with the messages of opentelemetry-proto. An unknown field, an id of the wrong length, a span
  without its parent, or a span that ends before it starts is a fault.
"""
import argparse, base64, glob, http.server, json, os, shutil, signal, socket, subprocess, sys, tempfile, threading, time, urllib.error, urllib.parse, urllib.request

from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(HERE, "../Fleet"))
from project import Project
from servers import GitHandler, Server, VendorHandler, sign

RULES = sorted(glob.glob(ROOT + "/deploy/**/*rules*.y*ml", recursive=True))
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))
faults = []
VENDOR_HOOK = "whsec_" + base64.b64encode(b"a secret of the vendor").decode()

def fault(text):
    faults.append(text)
    print("FAIL " + text, flush=True)

def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]

def wait(condition, what, seconds=120):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(0.2)
    raise SystemExit(f"FAIL {what}: it did not happen within {seconds} s")

def get(url):
    try:
        with OPENER.open(url, timeout=30) as response:
            return response.read().decode()
    except OSError:
        return None

def ask(url, number):
    """Calls the vendor's webhook, which makes the daemon request translations from the vendor."""
    request = urllib.request.Request(url, b"{}", {"Content-Type": "application/json", **sign(VENDOR_HOOK, number, "{}")})
    try:
        with OPENER.open(request, timeout=30) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code

class Collector(http.server.ThreadingHTTPServer):
    """A server that stores requests as messages of opentelemetry-proto."""
    daemon_threads = True

    def __init__(self):
        self.requests, self.lock = [], threading.Lock()
        super().__init__(("127.0.0.1", 0), CollectorHandler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def take(self, path, kind, header, body):
        if path != "/v1/traces" or kind != "application/json" or header != "a secret":
            return fault(f"the collector got {path}, {kind} and the header {header}")
        document = json.loads(body)
        # OTLP's JSON has hexadecimal ids, but protobuf's JSON format has Base64 for bytes.
        for resource in document["resourceSpans"]:
            for scope in resource["scopeSpans"]:
                for span in scope["spans"]:
                    for name in {"traceId", "spanId", "parentSpanId"} & set(span):
                        span[name] = base64.b64encode(bytes.fromhex(span[name])).decode()
        try:
            message = json_format.ParseDict(document, ExportTraceServiceRequest(), ignore_unknown_fields=False)
        except json_format.ParseError as error:
            return fault(f"a request is no ExportTraceServiceRequest: {error}")
        with self.lock:
            self.requests.append(message)

    def spans(self):
        with self.lock:
            return [span for request in self.requests for resource in request.resource_spans for scope in resource.scope_spans for span in scope.spans]

class CollectorHandler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.take(self.path, self.headers["Content-Type"], self.headers["X-Key"], body)
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *arguments):
        pass

def attributes(span):
    return {pair.key: getattr(pair.value, pair.value.WhichOneof("value")) for pair in span.attributes}

def check_spans(collector, secrets):
    for request in collector.requests:
        for resource in request.resource_spans:
            of = attributes(resource.resource)
            if of.get("service.name") != "dragoman" or not of.get("service.version"):
                fault(f"the resource has {of}")
    spans = collector.spans()
    places = {(span.trace_id, span.span_id): span for span in spans}
    if len(places) != len(spans):
        fault("two spans have the same id")
    now = time.time_ns()
    for span in spans:
        if len(span.trace_id) != 16 or len(span.span_id) != 8 or len(span.parent_span_id) not in (0, 8):
            fault(f"{span.name}: ids of {len(span.trace_id)}, {len(span.span_id)} and {len(span.parent_span_id)} bytes")
        if not now - 600_000_000_000 < span.start_time_unix_nano <= span.end_time_unix_nano <= now:
            fault(f"{span.name}: from {span.start_time_unix_nano} to {span.end_time_unix_nano}")
        if span.parent_span_id:
            parent = places.get((span.trace_id, span.parent_span_id))
            if parent is None:
                fault(f"{span.name}: its parent did not arrive")
            elif not parent.start_time_unix_nano <= span.start_time_unix_nano <= parent.end_time_unix_nano:
                fault(f"{span.name} starts outside of {parent.name}")
        elif span.kind != Span.SPAN_KIND_INTERNAL or "dragoman.pipeline" not in attributes(span):
            fault(f"{span.name}: a trace begins with {span}")
        if any(secret in str(span) for secret in secrets):
            fault(f"{span.name} has a path or a secret: {span}")
    stages = {span.name for span in spans if not span.parent_span_id}
    if missing := {"extract", "diff", "push", "pull", "merge", "deliver"} - stages:
        fault(f"no span for {sorted(missing)}, only {sorted(stages)}")
    requests = [span for span in spans if span.kind == Span.SPAN_KIND_CLIENT]
    if not any(span.status.code == Status.STATUS_CODE_ERROR for span in spans):
        fault("no span has the error of the vendor that returned 503")
    print(f"traces: {len(collector.requests)} requests, {len(spans)} spans, {len(stages)} stages, {len(requests)} requests and transfers in them")

def promtool(*arguments, text=None):
    end = subprocess.run(["promtool", *arguments], input=text, capture_output=True, text=True)
    if end.returncode != 0 or text is not None and (end.stdout + end.stderr).strip():
        fault(f"promtool {' '.join(arguments)} ends with {end.returncode}: {end.stdout}{end.stderr}")

def check_tested_alerts():
    """Checks that each alert has a scenario in which it fires and one in which it does not."""
    with open(HERE + "/prometheus_rules.yml") as file:
        stories = file.read()
    for path in RULES:
        with open(path) as file:
            alerts = [line.split("alert:")[1].strip() for line in file if "alert:" in line]
        if os.path.relpath(path, HERE) not in stories or not alerts:
            fault(f"prometheus_rules.yml does not load {path}")
        for alert in alerts:
            if f"alertname: {alert}, exp_alerts: []" not in stories or f"alertname: {alert}\n" not in stories:
                fault(f"prometheus_rules.yml does not test {alert}")

class Prometheus:
    def __init__(self, folder, target):
        self.url = f"http://127.0.0.1:{free_port()}"
        os.makedirs(folder)
        with open(folder + "/prometheus.yml", "w") as file:
            json.dump({"global": {"scrape_interval": "1s", "evaluation_interval": "1s"}, "rule_files": RULES,
                       "scrape_configs": [{"job_name": "dragoman", "static_configs": [{"targets": [target]}]}]}, file)
        self.process = subprocess.Popen(["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
                                         f"--web.listen-address={self.url[7:]}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait(lambda: get(self.url + "/-/ready"), "Prometheus")

    def api(self, path, **parameters):
        try:
            with OPENER.open(f"{self.url}/api/v1/{path}?{urllib.parse.urlencode(parameters)}", timeout=30) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            return json.load(error)

    def scrapes(self):
        """Returns the number of scrapes that contain the newest series of the counters that the board uses."""
        names = "dragoman_stages_total|dragoman_polls_total|dragoman_vendor_requests_total|dragoman_vendor_errors_total"
        result = self.api("query", query=f'min(count_over_time({{__name__=~"{names}"}}[5m]))')["data"]["result"]
        return int(result[0]["value"][1]) if result else 0

    def check(self):
        targets = self.api("targets")["data"]["activeTargets"]
        if [target["health"] for target in targets] != ["up"]:
            fault(f"Prometheus cannot scrape: {targets}")
        rules = [rule for group in self.api("rules")["data"]["groups"] for rule in group["rules"]]
        bad = [rule for rule in rules if rule["health"] != "ok"]
        if bad or not rules:
            fault(f"alerts that cannot be evaluated: {bad}")
        metadata = self.api("metadata")["data"]
        with open(ROOT + "/deploy/grafana-dashboard.json") as file:
            queries = [target["expr"] for panel in json.load(file)["panels"] for target in panel.get("targets", [])]
        for query in queries:
            response = self.api("query", query=query.replace("$pipeline", ".*"))
            if response["status"] != "success" or not response["data"]["result"]:
                fault(f"the board asks for {query}: {response}")
        print(f"Prometheus: {len(rules)} alerts, {len(queries)} queries of the board, {len(metadata)} metrics")

def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    promtool("check", "rules", *RULES)
    promtool("test", "rules", HERE + "/prometheus_rules.yml")
    check_tested_alerts()
    folder = tempfile.mkdtemp(prefix="dragoman-observability-")
    project = Project(folder, 0, "seen")
    git_server, vendor, collector = Server(GitHandler), Server(VendorHandler), Collector()
    git_server.folder, port = folder, free_port()
    os.makedirs(folder + "/pipelines")
    with open(folder + "/pipelines/seen.yaml", "w") as file:
        file.write(f'pipeline: seen\nrepository: {{ url: "{git_server.url}/origin/0.git", poll: 1s, webhook: "env:HOOK" }}\nlanguages: [de, uk, ja]\n'
                   f'rounds: {{ quiet: 0s }}\nvendors:\n  - {{ vendor: folder, name: agency, path: "{project.drop}", languages: [de], settle: 0s }}\n'
                   f'  - {{ vendor: http, name: house, url: "{vendor.url}/seen-secret-path", languages: [uk], webhook: "env:VENDOR_HOOK" }}\n'
                   f'  - {{ vendor: http, name: gone, url: "{git_server.url}/no/such/vendor", languages: [ja] }}\n')
    with open(folder + "/log", "wb") as log:
        daemon = subprocess.Popen(
            [os.path.abspath(options.dragoman), "serve", "--pipelines", folder + "/pipelines", "--store", f"sqlite:{folder}/store", "--listen", f"127.0.0.1:{port}"],
            stdout=log, stderr=log, env=dict(os.environ, HOOK="a-secret-of-some-length", VENDOR_HOOK=VENDOR_HOOK, GIT_CONFIG_GLOBAL="/dev/null",
                                             OTEL_EXPORTER_OTLP_ENDPOINT=f"http://127.0.0.1:{collector.server_address[1]}", OTEL_EXPORTER_OTLP_HEADERS="x-key=a%20secret"))
    prometheus = None
    try:
        url = f"http://127.0.0.1:{port}"
        wait(lambda: get(url + "/healthz"), "the daemon")
        promtool("check", "metrics", text=get(url + "/metrics"))
        prometheus = Prometheus(folder + "/prometheus", f"127.0.0.1:{port}")
        calls = []
        def delivered():
            project.translate()
            vendor.translate("seen-secret-path", "uk")
            calls.append(ask(f"{url}/hooks/seen/house", len(calls)))
            return project.missing() == 0
        wait(delivered, f"the round is not delivered, see {folder}/log", 300)
        promtool("check", "metrics", text=get(url + "/metrics"))
        # Rates need two scrapes after a counter's first value.
        wait(lambda: prometheus.scrapes() >= 3, "three scrapes after the round")
        prometheus.check()
        promtool("check", "metrics", text=get(url + "/metrics"))
        daemon.send_signal(signal.SIGTERM)
        if status := daemon.wait(timeout=60):
            fault(f"the daemon ended with {status}")
        check_spans(collector, ["seen-secret-path", "a-secret-of-some-length", "a secret"])
    finally:
        for process in [daemon, prometheus and prometheus.process]:
            if process and process.poll() is None:
                process.kill()
                process.wait()
        if options.keep or faults:
            print(f"kept: {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    print("FAIL" if faults else "PASS metrics, alerts, board and traces are read by promtool, Prometheus and opentelemetry-proto")
    sys.exit(1 if faults else 0)

if __name__ == "__main__":
    main()
