#!/usr/bin/env python3
"""Runs commands on mutated projects, with limits on time and memory. `make fuzz` runs this script for each command.

Each number is one project: a base project, mutations derived from the number, and the command that runs on it. A number always gives the same
project, so a finding can be repeated with `--first N --count 1`. The project of a finding is stored below `--keep`.

A finding is a signal, an exit code that cli.md does not document for user input (70 is an internal error), more time or memory than the limits,
a control or bidirectional character in the output, a raw error of a library, or a changed file outside the project.
"""
import argparse
import hashlib
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import projects

COMMANDS = ["extract", "import", "status", "check", "compile", "convert", "diff"]
EXPECTED = {0, 1, 64, 65, 66, 74, 77}
RAW_WORDS = [b"NSCocoaErrorDomain", b"NSPOSIXErrorDomain", b"Fatal error", b"Optional("]


def arguments(command, number):
    """Returns the arguments of the command. Some arguments are used for only a few numbers."""
    rare = number % 4
    return {
        "extract": [["extract"], ["extract", "--format", "json"], ["extract", "--why", "Hello"], ["extract", "--revision", "HEAD"]][rare],
        "import": [["import", "in/de.xliff"], ["import", "in/de.xcloc.zip"], ["import", "in/de.xliff", "in/de.xcloc"],
                   ["import", "--format", "json", "in/de.xcloc"]][rare],
        "status": [["status"], ["status", "--require", "95"], ["status", "--format", "junit", "--require", "0"],
                   ["status", "--revision", "HEAD", "--format", "markdown"]][rare],
        "check": [["check"], ["check", "--format", "sarif"], ["check", "--format", "github", "--require-none"],
                  ["check", "--revision", "HEAD", "--format", "json"]][rare],
        "compile": [["compile", "App/Localizable.xcstrings", "--output", "compiled"],
                    ["compile", "App/Localizable.xcstrings", "Kit/Sources/A/R/Localizable.xcstrings", "--output", "compiled", "--format", "binary"],
                    ["compile", "App/Localizable.xcstrings", "--output", "App"],
                    ["compile", "App/Localizable.xcstrings", "--output", "compiled", "--language", "de"]][rare],
        "convert": [["convert"], ["convert", "--dry-run"], ["convert", "--table", "Table"], ["convert"]][rare],
        "diff": [["diff", "HEAD~1", "HEAD"], ["diff", "HEAD~1", "HEAD", "--format", "json"],
                 ["diff", "HEAD~1", "HEAD", "--format", "markdown"], ["diff", "HEAD", "HEAD~1", "--language", "de"]][rare],
    }[command]


def limits(seconds):
    def set_limits():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.setsid()
    return set_limits


def run(program, words, folder, seconds):
    """Returns the exit code, output, errors, processor seconds and peak memory in bytes."""
    environment = {"PATH": "/usr/bin:/bin", "LANG": "C", "SWIFT_BACKTRACE": "enable=no", "HOME": folder}
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen([program] + words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=errors, preexec_fn=limits(seconds))
        deadline = time.monotonic() + 3 * seconds
        while True:
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
            if ended:
                break
            if time.monotonic() > deadline:
                os.killpg(process.pid, signal.SIGKILL)
                _, status, usage = os.wait4(process.pid, 0)
                break
            time.sleep(0.005)
        process.returncode = 0
        output.seek(0)
        errors.seek(0)
        code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        return code, output.read(1 << 24), errors.read(1 << 24), usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def controls(text):
    """Returns the first control or bidirectional character."""
    for character in text.decode("utf-8", "replace"):
        point = ord(character)
        if (point < 0x20 and character not in "\n\t") or 0x7F <= point < 0xA0 or point in range(0x202A, 0x202F) \
                or point in range(0x2066, 0x206A) or point in (0x200E, 0x200F, 0x061C, 0x2028, 0x2029):
            return "U+%04X" % point
    return None


def digest(folder):
    """Returns a digest of the names and bytes of all files in a folder outside the project."""
    found = hashlib.sha256()
    for place, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            path = os.path.join(place, name)
            found.update(path.encode("utf-8", "surrogateescape"))
            with open(path, "rb") as file:
                found.update(file.read())
    return found.hexdigest()


def holds(folder, text):
    """Returns whether a file contains the text. If so, printing the text is not a fault."""
    for place, _, files in os.walk(folder):
        for name in files:
            with open(os.path.join(place, name), "rb") as file:
                if text in file.read():
                    return True
    return False


def examine(program, command, number, root, options):
    """Returns the finding, or None if there is none."""
    randomness = random.Random(f"{command} {number}")
    project = os.path.join(root, "project")
    beside = os.path.join(root, "beside")
    os.makedirs(beside)
    with open(os.path.join(beside, "victim"), "w") as file:
        file.write("kept")
    projects.write(project, projects.mutated(randomness, command, number), beside, isRepository=True, randomness=randomness)
    before = digest(beside)
    words = arguments(command, number)
    code, output, errors, seconds, memory = run(program, words, project, options.seconds_each)
    told = " ".join(words)
    if code not in EXPECTED:
        return f"{told}: ended with {code}: {errors[-400:].decode('utf-8', 'replace')}"
    if seconds > options.seconds_each:
        return f"{told}: took {seconds:.1f} s of processor time"
    if memory > options.megabytes << 20:
        return f"{told}: took {memory >> 20} MiB"
    for stream in (output, errors):
        mark = controls(stream)
        if mark:
            return f"{told}: printed {mark}"
        for raw in RAW_WORDS:
            if raw in stream and not holds(project, raw):
                return f"{told}: printed {raw.decode()}: {stream[-400:].decode('utf-8', 'replace')}"
    if digest(beside) != before:
        return f"{told}: a file outside the project changed"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("--command", choices=COMMANDS, action="append")
    parser.add_argument("--seconds", type=int, default=60, help="seconds for each command")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=0, help="number of projects for each command, instead of --seconds")
    parser.add_argument("--seconds-each", type=int, default=10, help="processor time of one run")
    parser.add_argument("--megabytes", type=int, default=1024, help="memory of one run")
    parser.add_argument("--keep", default=".build/fuzz/commands")
    options = parser.parse_args()
    program = os.path.abspath(options.dragoman)
    failed = 0
    for command in options.command or COMMANDS:
        begun = time.monotonic()
        number, slowest, largest = options.first, 0, 0
        while (number < options.first + options.count) if options.count else (time.monotonic() < begun + options.seconds):
            root = tempfile.mkdtemp(prefix="dragoman-fuzz-")
            try:
                found = examine(program, command, number, root, options)
                if found:
                    failed += 1
                    place = os.path.join(options.keep, f"{command}-{number}")
                    shutil.rmtree(place, ignore_errors=True)
                    shutil.copytree(root, place, symlinks=True, ignore=projects.pipes)
                    print(f"found: {command} {number}: {found}\n  in {place}", flush=True)
            finally:
                shutil.rmtree(root, ignore_errors=True)
            number += 1
        print(f"fuzz {command}: {number - options.first} projects in {time.monotonic() - begun:.0f} s", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
