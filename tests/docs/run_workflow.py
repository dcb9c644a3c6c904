"""run_workflow.py WORKFLOW ACTION FOLDER [PATTERN REPLACEMENT]...: does what a runner of GitHub Actions does.

It runs the steps of all jobs in FOLDER, in order, each in a new shell; those of hullbench's action ("./", or a name
that ends in "/hullbench@...") by action.yml in the folder ACTION. Steps of other actions are left out. The patterns
change commands and variables. Prints the summary, and ends with the status of the first step that fails.
"""
import os
import re
import subprocess
import sys
import tempfile

import yaml


def load(path):
    with open(path) as file:
        return yaml.load(file, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def filled(text, values):
    """The text with ${{ NAME }} replaced; a name without a value is an error."""
    return re.sub(r"\$\{\{ *([\w.]+) *\}\}", lambda match: values[match[1]], str(text))


class Runner:
    def __init__(self, action, folder, changes):
        self.action, self.folder, self.changes = action, folder, changes
        self.temporary = tempfile.mkdtemp(dir=os.path.dirname(os.path.abspath(folder)))
        self.environment = dict(os.environ, CI="true", RUNNER_TEMP=self.temporary)
        for name in ("GITHUB_ENV", "GITHUB_PATH", "GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"):
            self.environment[name] = os.path.join(self.temporary, name)
            open(self.environment[name], "w").close()

    def take_files(self):
        """What a step has written for the later ones."""
        for name in ("GITHUB_ENV", "GITHUB_PATH"):
            with open(self.environment[name], "r+") as file:
                lines = file.read().splitlines()
                file.truncate(0)
            for line in lines:
                if name == "GITHUB_PATH":
                    self.environment["PATH"] = line + ":" + self.environment["PATH"]
                else:
                    key, value = line.split("=", 1)
                    self.environment[key] = value

    def changed(self, text, values):
        text = filled(text, values)
        for pattern, replacement in self.changes:
            text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
        return text

    def run(self, step, values, default_shell):
        environment = dict(self.environment)
        environment.update({key: self.changed(value, values) for key, value in step.get("env", {}).items()})
        command = self.changed(step["run"], values)
        shell = {"sh": ["sh", "-e", "-c"], "bash": ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"]}
        status = subprocess.run([*shell[step.get("shell", default_shell)], command], cwd=self.folder,
                                env=environment, check=False).returncode
        self.take_files()
        return status

    def steps(self, steps, values, default_shell=None):
        for step in steps:
            status, uses = 0, step.get("uses", "")
            if "run" in step:
                assert default_shell or "shell" in step, f"a step of an action needs a shell: {step}"
                status = self.run(step, values, default_shell)
            elif uses == "./" or "/hullbench@" in uses:
                status = self.use_action(step.get("with", {}), values)
            if status:
                return status
        return 0

    def use_action(self, given, outer):
        action = load(os.path.join(self.action, "action.yml"))
        assert action["runs"]["using"] == "composite"
        unknown = set(given) - set(action["inputs"])
        assert not unknown, f"action.yml has no input {unknown}"
        values = {"github.action_path": os.path.abspath(self.action), "runner.temp": self.temporary}
        for name, row in action["inputs"].items():
            assert row["description"]
            values["inputs." + name] = filled(given.get(name, row["default"]), outer)
        return self.steps(action["runs"]["steps"], values)


def main():
    workflow, action, folder, *words = sys.argv[1:]
    runner = Runner(action, folder, list(zip(words[::2], words[1::2])))
    status = 0
    for job in load(workflow)["jobs"].values():
        status = status or runner.steps(job["steps"], {"runner.temp": runner.temporary}, "bash")
    with open(runner.environment["GITHUB_STEP_SUMMARY"]) as summary:
        print(summary.read(), end="")
    sys.exit(status)


main()
