"""The site of docs/: builds it, or says which links lead nowhere; ``python -m tools.docs_site [folder]``.

mkdocs takes `on_files` and `on_page_markdown` from here as hooks, for the pages and files outside docs/ that links lead
to. README.md is the first page. In the repository links lead from file to file. The site has the files of docs/ at its
top and all others at their paths, so a link is written anew from where its page is to where its target is.
"""

import logging
import posixpath
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

CHECKOUT = Path(__file__).parent.parent
DOCS = "docs/"
FIRST = {"README.md": "index.md"}
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")
_LINK = re.compile(r"(?<=\]\()([^)#\s:]+)(?=[)#])")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what is outside docs/: the pages of the top, and what they and those of docs/ link to."""
    inside = {f"{DOCS}{file.src_uri}" for file in files}
    waiting, visited = [*PAGES, *sorted(inside)], set(inside)
    while waiting:
        path = waiting.pop()
        if path not in visited and (CHECKOUT / path).is_file():
            files.append(File.generated(config, _on_site(path), abs_src_path=str(CHECKOUT / path)))
        visited.add(path)
        if path.endswith(".md") and (CHECKOUT / path).is_file():
            waiting += [target for target in _targets(path) if target not in visited]
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let links lead to where their targets are on the site."""
    del config, files
    path = _in_repository(page.file.src_uri)
    folder = posixpath.dirname(page.file.src_uri)

    def rewritten(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), link[0]))
        return posixpath.relpath(_on_site(target), folder or ".")

    return _LINK.sub(rewritten, markdown)


def _targets(path: str) -> Iterator[str]:
    for link in _LINK.findall((CHECKOUT / path).read_text()):
        yield posixpath.normpath(posixpath.join(posixpath.dirname(path), link))


def _on_site(path: str) -> str:
    return FIRST.get(path, path.removeprefix(DOCS))


def _in_repository(uri: str) -> str:
    first = {site: path for path, site in FIRST.items()}
    if uri in first:
        return first[uri]
    return f"{DOCS}{uri}" if (CHECKOUT / DOCS / uri).is_file() else uri


def main(arguments: list[str]) -> int:
    """Build the site into a folder, or only look whether it can be built; return 1 if a link leads nowhere."""
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    with TemporaryDirectory() as temporary:
        folder = arguments[0] if arguments else temporary
        try:
            build(load_config(str(CHECKOUT / "mkdocs.yml"), strict=True, site_dir=folder))
        except Abort as aborted:
            logging.error(aborted)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
