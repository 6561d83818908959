"""A real browser without a window: Debian's Chromium, in namespaces of its own without any network."""

import subprocess
from pathlib import Path

from devcluster.root_filesystems import BROWSER

WAITING = 120.0
"""Seconds for a page on a machine with much else to do."""
_INSIDE = """
mount -t proc proc "$1/proc" && mount -t tmpfs tmpfs "$1/dev/shm" && mount -t tmpfs tmpfs "$1/tmp" &&
mount --bind "$2" "$1/mnt" && shift 2 && exec "$@"
"""
_SCHEMES = {"dark": 0, "light": 1}
"""PreferredColorScheme in Chromium's third_party/blink/public/mojom/css/preferred_color_scheme.mojom."""


def opened(page: Path, scheme: str, *options: str) -> str:
    """Return the document of a page whose scripts have run, for somebody who prefers a scheme: light or dark.

    Options are Chromium's, for example ``--screenshot=/mnt/page.png``: the folder of the page is /mnt in there.
    """
    root = str(BROWSER.ensure())
    inside = ("unshare", "--mount", "--pid", "--net", "--fork", "--kill-child", "sh", "-c", _INSIDE, "sh")
    # Root is refused a sandbox, and the only page is ours.
    browser = ("chromium-headless-shell", "--no-sandbox", "--disable-gpu", "--dump-dom", "--window-size=900,900")
    chosen = f"--blink-settings=preferredColorScheme={_SCHEMES[scheme]}"
    command = (*inside, root, str(page.parent), "chroot", root, *browser, chosen, *options, f"file:///mnt/{page.name}")
    process = subprocess.run(command, capture_output=True, text=True, check=False, timeout=WAITING)
    assert process.returncode == 0, process.stderr[-2000:]
    return process.stdout
