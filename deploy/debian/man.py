#!/usr/bin/env python3
"""Writes manual pages from the program's own help: dragoman.1, and dragoman-COMMAND.1 for each command.

    man.py PROGRAM FOLDER
"""

import json
import os
import re
import subprocess
import sys


def escape(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def bold(text):
    return "\\fB" + escape(text) + "\\fR"


def italic(text):
    return "\\fI" + escape(text) + "\\fR"


def names(argument):
    return ["--" + name["name"] if name["kind"] == "long" else "-" + name["name"] for name in argument.get("names", [])]


def shown(command):
    return [argument for argument in command.get("arguments", []) if argument.get("shouldDisplay", True)]


def synopsis(path, command):
    parts = [bold(" ".join(path))]
    if command.get("subcommands"):
        parts.append(italic("command"))
    for argument in shown(command):
        value = argument.get("valueName", "")
        if argument["kind"] == "positional":
            part = italic(value)
        elif argument["kind"] == "flag":
            part = bold(names(argument)[-1])
        else:
            part = bold(names(argument)[-1]) + " " + italic(value)
        if argument.get("isRepeating"):
            part += " ..."
        parts.append("[" + part + "]" if argument.get("isOptional") else part)
    return " ".join(parts)


def discussion(command):
    """The notes as paragraphs, and each part that stands under a heading as a section."""
    lines = []
    text = command.get("discussion") or ""
    for part in text.split("\n\n"):
        heading, _, rest = part.partition("\n")
        if re.fullmatch(r"[A-Z ]+:", heading) and rest:
            lines += [".SH " + heading.rstrip(":"), ".nf", escape(rest), ".fi"]
        elif part:
            lines += [".PP", escape(part)]
    return lines


def options(command):
    lines = []
    for argument in shown(command):
        value = argument.get("valueName", "")
        if argument["kind"] == "positional":
            term = italic(value)
        else:
            term = ", ".join(bold(name) for name in names(argument))
            if argument["kind"] == "option":
                term += " " + italic(value)
        text = argument.get("abstract", "")
        if argument.get("allValues"):
            text += " Values: " + ", ".join(argument["allValues"]) + "."
        if argument.get("defaultValue"):
            text += " Default: " + argument["defaultValue"] + "."
        lines += [".TP", term, escape(text.strip())]
    return lines


def page(path, command, version):
    name = "-".join(path)
    lines = [
        f'.TH {escape(name).upper()} 1 "" "Dragoman {version}" "User Commands"',
        ".SH NAME",
        escape(name) + " \\- " + escape(command["abstract"].rstrip(".")),
        ".SH SYNOPSIS",
        synopsis(path, command),
        ".SH DESCRIPTION",
        escape(command["abstract"]),
    ]
    notes = discussion(command)
    split = next((i for i, line in enumerate(notes) if line.startswith(".SH")), len(notes))
    lines += notes[:split]
    commands = [part for part in command.get("subcommands", []) if part["commandName"] != "help"]
    if commands:
        lines.append(".SH COMMANDS")
        for part in commands:
            lines += [".TP", bold(part["commandName"]), escape(part["abstract"])]
            if len(path) > 1:
                lines += [".RS"] + [".PP", synopsis(path + [part["commandName"]], part)] + options(part) + [".RE"]
    if shown(command):
        lines += [".SH OPTIONS"] + options(command)
    lines += notes[split:]
    if len(path) == 1:
        lines += [".SH SEE ALSO"]
        lines.append(", ".join(bold("dragoman-" + part["commandName"]) + "(1)" for part in commands))
        lines += [".PP", "The documents in /usr/share/doc/dragoman/docs."]
    else:
        lines += [".SH SEE ALSO", bold("dragoman") + "(1)"]
    return "\n".join(lines) + "\n"


def main():
    program, folder = sys.argv[1:]
    run = lambda *arguments: subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout
    version = run("--version").strip()
    root = json.loads(run("--experimental-dump-help"))["command"]
    pages = {"dragoman": page(["dragoman"], root, version)}
    for command in root["subcommands"]:
        if command["commandName"] != "help":
            pages["dragoman-" + command["commandName"]] = page(["dragoman", command["commandName"]], command, version)
    for name, text in pages.items():
        with open(os.path.join(folder, name + ".1"), "w") as file:
            file.write(text)


main()
