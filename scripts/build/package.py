# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""A .run file from the folder of a vendor, for every target alike: head script, then a gzipped tar.

The tar holds install.sh, set_env.bash and packages/vendors/<vendor>. The same folder gives the same bytes.
"""

import gzip
import hashlib
import io
import platform
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

from .environment import BuildError

PACKAGE = "ascend-flash-attention"
SCRIPTS = "scripts/package"
OUTPUT = "build_out"
_RECORD = "version.info"


def run_name() -> str:
    """custom_opp_<os>_<arch>.run, as CANN's templates call it."""
    system = platform.freedesktop_os_release().get("ID", "linux")
    return f"custom_opp_{system}_{platform.machine()}.run"


def commit(root: Path) -> str:
    """Abbreviated commit of the sources, with a + when they were changed; "unknown" outside a clone."""
    git = ["git", "-C", str(root)]
    if shutil.which("git") is None:
        return "unknown"
    head = subprocess.run([*git, "rev-parse", "--short=10", "HEAD"], capture_output=True, text=True)
    if head.returncode != 0:
        return "unknown"
    changed = subprocess.run([*git, "status", "--porcelain"], capture_output=True, text=True).stdout
    return head.stdout.strip() + ("+" if changed.strip() else "")


def project_version(root: Path) -> str:
    """The version in pyproject.toml."""
    found = re.search(r'^version = "([^"]+)"', (root / "pyproject.toml").read_text(), re.MULTILINE)
    if found is None:
        raise BuildError("pyproject.toml: no version")
    return found.group(1)


def describe(root: Path, vendor: str, socs: list[str]) -> dict[str, str]:
    """What --info prints and version.info records."""
    return {
        "package": PACKAGE,
        "version": project_version(root),
        "vendor": vendor,
        "targets": ",".join(socs) + (" (emulation, not for an NPU)" if socs == ["cpu"] else ""),
        "arch": platform.machine(),
        "commit": commit(root),
    }


def _lines(record: dict[str, str]) -> str:
    return "".join(f"{key}={value}\n" for key, value in record.items())


def _normalise(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
    return member


def _payload(root: Path, vendor_folder: Path, vendor: str) -> bytes:
    scripts = root / SCRIPTS
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", mtime=0, compresslevel=6) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for name in ("install.sh", "set_env.bash"):
                archive.add(scripts / name, name, filter=_normalise)
            target = f"packages/vendors/{vendor}"
            for path in sorted(vendor_folder.rglob("*")):
                archive.add(path, f"{target}/{path.relative_to(vendor_folder)}", recursive=False, filter=_normalise)
    return buffer.getvalue()


def pack(root: Path, vendor_folder: Path, record: dict[str, str]) -> Path:
    """Complete `vendor_folder` with version.info and the uninstaller, and write build_out/<name>.run; returns it.

    A custom_opp_compiler_version line that CANN's build has put into version.info stays first.
    """
    vendor = record["vendor"]
    info = vendor_folder / _RECORD
    kept = [line for line in info.read_text().splitlines() if "compiler_version" in line] if info.exists() else []
    info.write_text("".join(f"{line}\n" for line in kept) + _lines(record))
    (vendor_folder / "scripts").mkdir(exist_ok=True)
    shutil.copy2(root / SCRIPTS / "uninstall.sh", vendor_folder / "scripts" / "uninstall.sh")
    payload = _payload(root, vendor_folder, vendor)
    head = (root / SCRIPTS / "run_header.sh").read_text()
    text = _lines(record).rstrip("\n")
    if "'" in text:
        raise BuildError(f"a quote in the package's description: {text}")
    head = head.replace("@INFO@", text).replace("@DIGEST@", hashlib.sha256(payload).hexdigest())
    head = head.replace("@LINES@", str(head.count("\n") + 1))
    output = root / OUTPUT / run_name()
    output.parent.mkdir(exist_ok=True)
    output.write_bytes(head.encode() + payload)
    output.chmod(0o755)
    return output
