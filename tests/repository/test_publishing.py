"""The workflows that test and publish the book: what they run, and what they may do."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import make_pdf
import pytest
import run
import yaml
from public_address import VARIABLE, parsed

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = ROOT / ".github" / "workflows"
README = (ROOT / "README.md").read_text(encoding="utf-8")
PINNED = re.compile(r"uses: [\w-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")
EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}")
READ = {"contents": "read"}


def text_of(name: str) -> str:
    return (WORKFLOWS / name).read_text(encoding="utf-8")


PUBLISH, TEST = text_of("publish.yml"), text_of("test.yml")


def parsed_workflow(text: str) -> dict[str, Any]:
    """A workflow; its key `on` is read as true by YAML 1.1."""
    workflow = yaml.safe_load(text)
    workflow["on"] = workflow.pop(True)
    return workflow


def steps(workflow: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for job in workflow["jobs"].values():
        yield from job["steps"]


def commands(workflow: dict[str, Any]) -> list[str]:
    return [step["run"] for step in steps(workflow) if "run" in step]


def book_command() -> str:
    """The command of the README that builds the book."""
    return re.search(r"<!-- book command -->\n```sh\n(.*)\n```", README)[1]


def dangers(text: str) -> list[str]:
    """What gives a workflow more than it needs, or lets others decide what it runs."""
    workflow = parsed_workflow(text)
    used = re.findall(r"uses: .*", text)
    found = [f"not pinned to a commit: {line}" for line in used if not PINNED.fullmatch(line)]
    if "secrets" in text:
        found.append("uses a secret")
    if "pull_request_target" in workflow["on"]:
        found.append("runs the code of a pull request with the rights of the repository")
    if workflow.get("permissions") != READ:
        found.append("may do more than read, in every job")
    for name, job in workflow["jobs"].items():
        writes = {what for what, how in job.get("permissions", {}).items() if how == "write"}
        if writes and (name != "deploy" or any("run" in step for step in job["steps"])):
            found.append(f"the job {name} runs commands and may write: {sorted(writes)}")
    found += [
        f"an expression in a command: {c}" for c in commands(workflow) if EXPRESSION.search(c)
    ]
    checkouts = [step for step in steps(workflow) if "actions/checkout@" in step.get("uses", "")]
    kept = (step.get("with", {}).get("persist-credentials", True) for step in checkouts)
    return found + ["the checkout keeps its token"] * sum(map(bool, kept))


@pytest.mark.parametrize("path", sorted(WORKFLOWS.iterdir()), ids=lambda path: path.name)
def test_a_workflow_has_the_least_rights(path):
    assert dangers(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("old", "new", "danger"),
    [
        (re.search("@[0-9a-f]{40}", PUBLISH)[0], "@v6", "not pinned"),
        ("persist-credentials: false", "persist-credentials: true", "keeps its token"),
        ("permissions:\n  contents: read\n", "permissions: write-all\n", "more than read"),
        ("      pages: read", "      pages: write", "the job build"),
        ("  push:\n    branches: [main]", "  pull_request_target:", "pull request"),
        ("run: bash .ci/run", "run: bash .ci/run ${{ github.head_ref }}", "an expression"),
        ("${{ github.repository }}", "${{ secrets.TOKEN }}", "a secret"),
    ],
)
def test_a_right_too_many_is_found(old, new, danger):
    assert old in PUBLISH
    assert any(danger in found for found in dangers(PUBLISH.replace(old, new, 1)))


def test_publishing_tests_first_and_then_builds_by_the_command_of_the_readme():
    ran = commands(parsed_workflow(PUBLISH))
    assert ran.index("bash .ci/run") < ran.index(book_command())
    assert (ROOT / ".ci" / "run").exists()


def test_the_pdf_is_made_before_the_site_with_what_it_needs_and_may_fail():
    ran = commands(parsed_workflow(PUBLISH))
    (made,) = (command for command in ran if "run.py pdf" in command)
    assert ran.index(made) < ran.index(book_command())
    (step,) = (step for step in steps(parsed_workflow(PUBLISH)) if step.get("run") == made)
    assert step["continue-on-error"] is True
    script = (ROOT / ".ci" / "latex").read_text(encoding="utf-8")
    of_ci, of_readme = (
        t.partition("apt-get install ")[2].split("```")[0] for t in (script, README)
    )
    words = of_readme.replace("\\", " ").split()
    assert of_ci.replace("\\", " ").split() == ["--yes", "--quiet", *words]
    assert {*make_pdf.PROGRAMS.values(), *make_pdf.FILES.values()} <= set(words)
    assert made.startswith("bash .ci/latex\n")
    failed = [s["run"] for s in steps(parsed_workflow(PUBLISH)) if "steps.pdf" in s.get("if", "")]
    assert step["id"] == "pdf" and len(failed) == 1 and "GITHUB_STEP_SUMMARY" in failed[0]
    assert any(made in command for command in commands(parsed_workflow(text_of("nightly.yml"))))


def test_what_is_published_is_what_the_command_builds_and_where_the_links_lead():
    uploaded = [s for s in steps(parsed_workflow(PUBLISH)) if "upload-pages" in s.get("uses", "")]
    assert [step["with"]["path"] for step in uploaded] == ["_build/html"]
    command = 'program("jupyter-book"), "build", ".", *options'  # which builds into _build/html
    source = (ROOT / "tools" / "run.py").read_text(encoding="utf-8")
    assert command in source and '"-W", "-n", "--keep-going"' in source
    stated = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["repository"]
    # without it jupyter-book would take a branch of its own choice
    assert stated["branch"] == "main" and (not stated["url"] or parsed(stated["url"]))


def test_a_fork_builds_for_its_own_address():
    workflow = parsed_workflow(PUBLISH)
    build = next(step for step in steps(workflow) if step.get("run") == book_command())
    assert set(build["env"]) == {VARIABLE}
    values = {"github.server_url": "https://github.com", "github.repository": "ann/my-fork"}
    address = EXPRESSION.sub(lambda found: values[found[1].strip()], build["env"][VARIABLE])
    assert parsed(address).site == "https://ann.github.io/my-fork/"


def test_only_main_is_deployed_and_only_after_the_build():
    workflow = parsed_workflow(PUBLISH)
    assert workflow["on"] == {"push": {"branches": ["main"]}, "workflow_dispatch": None}
    deploy = workflow["jobs"]["deploy"]
    assert deploy["needs"] == "build"
    assert deploy["if"] == "github.ref == 'refs/heads/main'"
    assert deploy["permissions"] == {"pages": "write", "id-token": "write"}
    assert workflow["concurrency"] == {"group": "pages", "cancel-in-progress": False}


def test_a_pull_request_is_tested_with_every_supported_python_and_not_published():
    workflow = parsed_workflow(TEST)
    assert workflow["on"] == {"pull_request": None}
    assert "bash .ci/run" in commands(workflow)
    pythons = workflow["jobs"]["test"]["strategy"]["matrix"]["python"]
    assert pythons == [".".join(map(str, version)) for version in run.SUPPORTED]
    assert "pages" not in TEST and "environment:" not in TEST


def test_binder_installs_the_library_and_the_pinned_environment():
    stated = (ROOT / ".binder" / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in stated if not line.startswith("#")] == ["-r ../requirements.txt"]
    python = (ROOT / ".binder" / "runtime.txt").read_text(encoding="utf-8")
    versions = [".".join(map(str, version)) for version in run.SUPPORTED]
    assert python.removeprefix("python-").strip() in versions
