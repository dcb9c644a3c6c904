#!/usr/bin/env python3
"""Validates files with the JSON Schemas in a folder.

check_schemas.py FOLDER check WANT SCHEMA FILE... [-- WANT SCHEMA FILE...]...
    Prints a line for each file that is not as WANTed; status 1 if there is one. A .jsonl file has a document on each
    line. WANT is "valid", or "described": valid, and the schema describes every member. SCHEMA is a name such as
    config, or a part of a schema such as config#/$defs/table.
check_schemas.py FOLDER edit SCHEMA FILE TO
    Each line of standard input is "OLD => NEW" or, to remove OLD, "OLD =>". Writes the file with this replacement as
    TO/SCHEMA-1.json, TO/SCHEMA-2.json and so on. Prints a line for each edit that changes nothing, that is not JSON or
    that the schema accepts. After a line "== SCHEMA FILE", edits are of this file.
"""
import json
import pathlib
import sys
import warnings

warnings.simplefilter("ignore", DeprecationWarning)  # RefResolver, which Debian 12 needs
import jsonschema  # noqa: E402


def close(schema):
    """Forbids members that an object with "properties" does not list. Conditions do not list all members."""
    if isinstance(schema, dict):
        for key, part in list(schema.items()):
            if key not in ("if", "then", "else", "allOf"):
                close(part)
        if isinstance(schema.get("properties"), dict):
            schema.setdefault("additionalProperties", False)
    elif isinstance(schema, list):
        for part in schema:
            close(part)


def validator(folder, name, described=False):
    name, _, part_of = name.partition("#")
    path = (pathlib.Path(folder) / f"{name}.schema.json").resolve()
    schema = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    if described:
        for part in [schema, *schema.get("$defs", {}).values()]:
            close(part.get("properties", {}))
            if "properties" in part:
                part.setdefault("additionalProperties", False)
    resolver = jsonschema.RefResolver(path.as_uri(), schema)
    wanted = {"$ref": f"#{part_of}"} if part_of else schema
    return jsonschema.Draft202012Validator(wanted, resolver=resolver)


def documents(path):
    text = pathlib.Path(path).read_text(encoding="utf-8")
    if path.endswith(".jsonl"):
        for number, line in enumerate(text.splitlines(), 1):
            yield f"{path}:{number}", json.loads(line)
    else:
        yield path, json.loads(text)


def check(folder, words):
    """Yields the faults of one group of files."""
    want, name, *paths = words
    checker = validator(folder, name, want == "described")
    if not paths:
        yield f"{name}: no files"
    for path in paths:
        for place, document in documents(path):
            error = next(checker.iter_errors(document), None)
            if error is not None:
                yield f"{place}: {error.json_path}: {error.message:.300}"


def check_all(folder, words):
    while words:
        end = words.index("--") if "--" in words else len(words)
        yield from check(folder, words[:end])
        words = words[end + 1:]


def edit(folder, name, path, to):
    """Yields the edits that are not wrong."""
    number = 0
    for line in [f"== {name} {path}", *sys.stdin]:
        if line.startswith("== "):
            name, path = line.split()[1:]
            checker = validator(folder, name)
            text = pathlib.Path(path).read_text(encoding="utf-8")
            number = 0
            continue
        number += 1
        old, _, new = line.rstrip("\n").partition(" =>")
        new = new.removeprefix(" ")
        changed = text.replace(old, new, 1)
        pathlib.Path(f"{to}/{name}-{number}.json").write_text(changed, encoding="utf-8")
        try:
            if changed == text:
                yield f"{old}: changes nothing"
            elif checker.is_valid(json.loads(changed)):
                yield f"{line.strip()}: is valid"
        except ValueError as error:
            yield f"{line.strip()}: {error}"


def main():
    folder, verb, *words = sys.argv[1:]
    faults = list(check_all(folder, words) if verb == "check" else edit(folder, *words))
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
