"""The workflows that test and publish the book: what they may do, and what else they agree with."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import browser
import make_pdf
import pytest
import run
import run_page
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


PUBLISH = text_of("publish.yml")


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


def test_a_fork_builds_for_its_own_address_after_the_tests():
    workflow = parsed_workflow(PUBLISH)
    ran = commands(workflow)
    assert ran.index("bash .ci/run") < ran.index(book_command())
    build = next(step for step in steps(workflow) if step.get("run") == book_command())
    values = {"github.server_url": "https://github.com", "github.repository": "ann/my-fork"}
    address = EXPRESSION.sub(lambda found: values[found[1].strip()], build["env"][VARIABLE])
    assert parsed(address).site == "https://ann.github.io/my-fork/"


def test_what_readers_run_is_fetched_before_the_build_and_tried_before_it_is_published():
    found = list(steps(parsed_workflow(PUBLISH)))
    ran = [step.get("run", step.get("uses", "")) for step in found]
    fetched = ran.index("python3 tools/fetch_runtime.py published --cdn")
    built = ran.index(book_command())
    there = "steps.runtime.outcome == 'success'"
    assert found[fetched]["id"] == "runtime" and found[fetched]["continue-on-error"]
    assert found[fetched + 1]["if"] == there.replace("success", "failure")
    assert ran[fetched + 1].startswith("rm -rf _build/runtime\n")  # else it is built with another
    assert found[built]["env"][run_page.VARIABLE] == f"${{{{ {there} && 'published' || '' }}}}"
    (tried,) = (index for index, text in enumerate(ran) if "test_browser_run_page.py" in text)
    assert "GELU_LIB_SITE=" in ran[tried] and "continue-on-error" not in found[tried]
    assert found[tried]["if"] == there
    assert found[tried]["env"][browser.RUNTIME] == "published"
    (offered,) = (index for index, text in enumerate(ran) if "upload-pages-artifact" in text)
    assert fetched < built < tried < offered


def test_the_packages_for_the_pdf_and_the_pythons_are_the_same_everywhere():
    script = (ROOT / ".ci" / "latex").read_text(encoding="utf-8")
    of_ci, of_readme = (
        set(text.partition("apt-get install ")[2].split("```")[0].split()) - {"\\"}
        for text in (script, README)
    )
    assert {*make_pdf.PROGRAMS.values(), *make_pdf.FILES.values()} <= of_readme
    assert of_ci == of_readme | {"--yes", "--quiet"}
    versions = [".".join(map(str, version)) for version in run.SUPPORTED]
    tested = parsed_workflow(text_of("test.yml"))["jobs"]["test"]["strategy"]["matrix"]["python"]
    binder = (ROOT / ".binder" / "runtime.txt").read_text(encoding="utf-8").strip()
    assert tested == versions and binder.removeprefix("python-") in versions
