#!/usr/bin/env python3
"""Runs schemathesis against the API of the real program.

    api.py --dragoman BIN --schemathesis SCHEMATHESIS [--examples 60] [--seed 1] [--keep]

The script serves an installation with two pipelines, rounds, held units and tokens, and runs schemathesis with the server's own OpenAPI
document: as an administrator with every check, then as an operator and as a viewer, to whom the server may respond with 403. The script fails
if a response has status 500 or more, does not match the document, is given without a token, or accepts a request that the document does not
allow. Event streams are skipped because they do not end. The server's own tests read them.
"""
import argparse, os, re, shutil, subprocess, sys, tempfile, urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Browser"))
from installation import Installation
from webdriver import OPENER

# Characters that need percent-encoding can make a key of allowed length too long for a request line, which ends with 431.
CONFIGURATION = """[checks]
positive_data_acceptance.expected-statuses = ["2xx", "3xx", "401", "403", "404", "409", "429", "431", "5xx"]
negative_data_rejection.expected-statuses = ["400", "401", "403", "404", "405", "406", "409", "415", "422", "428", "429", "431", "5xx"]
"""

def run(options, place, role, token):
    """Returns whether schemathesis found no faults."""
    # The document does not list the required roles, so for the lower roles only the form of the responses is checked.
    excluded = [] if role == "admin" else ["--exclude-checks", "positive_data_acceptance,negative_data_rejection,use_after_free,ensure_resource_availability"]
    with open(place.path("schemathesis.toml"), "w") as file:
        file.write(CONFIGURATION)
    end = subprocess.run(
        [options.schemathesis, "--config-file", place.path("schemathesis.toml"), "run", place.url + "/api/v1/openapi.json", "--header", f"Authorization: Bearer {token}", "--checks", "all", *excluded,
         "--exclude-path", "/events", "--max-examples", str(options.examples), "--seed", str(options.seed), "--request-timeout", "30",
         "--continue-on-failure", "--no-color", "--warnings", "off"],
        cwd=place.folder, capture_output=True, text=True, env=dict(os.environ, NO_PROXY="*", COLUMNS="160"))
    with open(place.path(f"schemathesis-{role}.log"), "w") as log:
        log.write(end.stdout + end.stderr)
    cases = re.findall(r"(\d[\d,]*) (?:test cases? )?generated.*", end.stdout)
    print(f"{role}: {'; '.join(re.findall(r'^ *((?:Test cases|Seed|API Operations|Selected|Tested):.*|.*generated.*)', end.stdout, re.M)).strip() or cases}")
    if end.returncode:
        print(end.stdout[-6000:] + end.stderr[-2000:])
        print(f"FAIL schemathesis as {role} exited with {end.returncode}")
    return end.returncode == 0

def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("--schemathesis", required=True)
    parser.add_argument("--examples", type=int, default=60, help="number of cases for each operation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    options.schemathesis = os.path.abspath(options.schemathesis)
    folder = tempfile.mkdtemp(prefix="dragoman-api-")
    place = Installation(options.dragoman, folder + "/place")
    good = False
    try:
        place.make()
        tokens = {role: place.token(role) for role in ["admin", "operator", "viewer"]}
        place.serve()
        good = all([run(options, place, role, token) for role, token in tokens.items()])
        # After all requests, the server still responds.
        with OPENER.open(urllib.request.Request(place.url + "/healthz"), timeout=30) as response:
            good = good and response.status == 200
        place.stop()
        if place.server.returncode != 0:
            good = False
            print(f"FAIL the server exited with {place.server.returncode}")
    finally:
        place.stop()
        if options.keep or not good:
            print(f"kept: {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    print("PASS" if good else "FAIL")
    sys.exit(0 if good else 1)

if __name__ == "__main__":
    main()
