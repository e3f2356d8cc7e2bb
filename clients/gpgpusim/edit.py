#!/usr/bin/env python3
"""Puts the caches of L1Forge into a checkout of GPGPU-Sim or Accel-Sim, and takes them out again.

  python3 clients/gpgpusim/edit.py CHECKOUT            makes the edits and copies the adapter
  python3 clients/gpgpusim/edit.py CHECKOUT --check    says what would be done, and writes nothing
  python3 clients/gpgpusim/edit.py CHECKOUT --undo     restores the checkout, byte by byte

All edits fit, or nothing is written. Exit status 0 is success, 1 a check that fails, 2 a refusal.
docs/clients/accel-sim.md has the commits that the patterns were checked against.
"""
import argparse
import hashlib
import json
import os
import re
import sys
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
FOLDER = Path("src/gpgpu-sim")
MANIFEST = "l1forge/files.json"  # digests of the files that were copied


class Refused(Exception):
    """The checkout does not fit."""


class Edit(NamedTuple):
    """Text in front of the one place in a scope that fits `anchor`, behind it, or instead of it."""

    file: str
    why: str
    scope: tuple  # patterns of its first and of its last line
    anchor: str
    text: str
    where: str  # before, behind, instead
    was: str = ""  # where `instead`: what an undo puts back

    def place(self, content):
        """Whether the edit is made, and the place of the anchor or of the text."""
        start = re.search(self.scope[0], content, re.M)
        end = start and re.compile(self.scope[1], re.M).search(content, start.end())
        if not end:
            raise Refused(f"{self.file}: no part from `{self.scope[0]}` to `{self.scope[1]}`; {self.why}")
        bounds = (start.start(), end.start())
        found = list(re.compile(self.anchor).finditer(content, *bounds))
        if self.where == "instead":
            made = list(re.compile(re.escape(self.text)).finditer(content, *bounds))
            if len(made) == 1 and not found:
                return True, made[0]
        if len(found) != 1:
            raise Refused(f"{self.file}: `{self.anchor}` fits {len(found)} times in the part from "
                          f"`{self.scope[0]}`, and should once; {self.why}")
        at, text = found[0], self.text_of(content)
        made = (self.where == "before" and content.endswith(text, 0, at.start())
                or self.where == "behind" and content.startswith(text, at.end()))
        return made, at

    def text_of(self, content):
        return self.text.replace("\n", "\r\n") if "\r\n" in content else self.text

    def made(self, content):
        done, at = self.place(content)
        if done:
            return content
        text = self.text_of(content)
        if self.where == "instead":
            return content[:at.start()] + text + content[at.end():]
        cut = at.start() if self.where == "before" else at.end()
        return content[:cut] + text + content[cut:]

    def undone(self, content):
        done, at = self.place(content)
        if not done:
            return content
        text = self.text_of(content)
        if self.where == "instead":
            return content[:at.start()] + self.was + content[at.end():]
        cut = at.start() - len(text) if self.where == "before" else at.end()
        return content[:cut] + content[cut + len(text):]


def virtual(declaration):
    scope = (r"^class baseline_cache\b.*\{", r"^class read_only_cache\b")
    name = re.search(r"(\w+)\\\(", declaration).group(1)
    return Edit("gpu-cache.h", f"{name}() becomes virtual", scope, declaration, "virtual ", "before")


def in_function(file, why, function, anchor, text, where="behind"):
    return Edit(file, why, (function, r"^\}"), anchor, text, where)


INCLUDE = (r"\A", r"^[\w ]+::")  # up to the first definition of a member
LDST = r"^void ldst_unit::{}\("

EDITS = [
    virtual(r"void cycle\(\);"),
    virtual(r"void fill\(mem_fetch \*mf, unsigned time\);"),
    virtual(r"bool waiting_for_fill\(mem_fetch \*mf\);"),
    virtual(r"bool access_ready\(\) const"),
    virtual(r"mem_fetch \*next_access\(\)"),
    virtual(r"void flush\(\)"),
    virtual(r"void invalidate\(\)"),
    virtual(r"void print\(FILE \*fp, unsigned &accesses, unsigned &misses\) const;"),
    virtual(r"void display_state\(FILE \*fp\) const;"),
    Edit("shader.cc", "the adapter is included", INCLUDE, r'#include "shader\.h"',
         '\n#include "l1forge_cache.h"', "behind"),
    Edit("shader.cc", "an SM gets its cache", (r"^ldst_unit::ldst_unit\(", r"^void ldst_unit::"),
         r"new l1_cache\(", "l1forge_sim::new_l1d(", "instead", "new l1_cache("),
    in_function("shader.cc", "a kernel starts", r"^void shader_core_ctx::issue_block2core\(",
                r"kernel\.inc_running\(\);",
                "\n  l1forge_sim::cta_enters(m_sid, kernel.get_uid(), kernel_max_cta_per_shader,"
                "\n                          kernel.threads_per_cta(), m_config->warp_size,"
                "\n                          m_config->gpgpu_num_sched_per_core);"),
    in_function("shader.cc", "lanes issue", r"^void shader_core_ctx::issue_warp\(", r"func_exec_inst\(\*\*pipe_reg\);",
                "\n  l1forge_sim::warp_issued(m_sid, (*pipe_reg)->active_count(),"
                "\n                           m_gpu->gpu_tot_sim_cycle + m_gpu->gpu_sim_cycle);"),
    in_function("shader.cc", "warps are limited", r"^void scheduler_unit::cycle\(\)",
                r"\(\*iter\) == NULL \|\| \(\*iter\)->done_exit\(\)",
                " ||\n        !l1forge_sim::may_issue(m_shader->get_sid(), *iter, m_supervised_warps, *m_warp)"),
    in_function("shader.cc", "a load enters the load-store unit", LDST.format("issue"),
                r"unsigned n_accesses = inst->accessq_count\(\);",
                "\n    l1forge_sim::load_issued(m_L1D, *inst);"),
    in_function("shader.cc", "a load is written back", LDST.format("writeback"),
                r"mem_fetch \*mf = m_L1D->next_access\(\);\s*m_next_wb = mf->get_inst\(\);",
                "\n          l1forge_sim::sectors_returned(m_L1D, m_next_wb, m_pending_writes);"),
    Edit("l2cache.cc", "the adapter is included", INCLUDE, r'#include "l2cache\.h"',
         '\n#include "l1forge_hooks.h"', "behind"),
    in_function("l2cache.cc", "a sub-partition has a buffer", r"^void memory_sub_partition::cache_cycle\(",
                r"unsigned cycle\) \{", "\n  l1forge_sim::buffer_holds(m_id, m_icnt_L2_queue->get_length());"),
]

# Without these the adapter does not compile, or does not know what to ask for.
NEEDED = [
    ("../abstract_hardware_model.h", r"const mem_access_sector_mask_t &sector_mask,\s*unsigned size,",
     "mem_fetch_allocator has no alloc() with sectors; this is a version before 4.1"),
    ("gpu-cache.h", r"\bgpgpu_sim \*m_gpu;", "the caches do not know their GPU"),
    ("shader.h", r"std::vector<shd_warp_t \*> \*m_warp;", "a scheduler does not know all warps of its SM"),
    ("mem_fetch.h", r"\bget_original_mf\(\)", "requests are not divided into sectors"),
]


def root_of(checkout):
    for root in (checkout, checkout / "gpu-simulator" / "gpgpu-sim"):
        if (root / FOLDER / "gpu-cache.h").is_file():
            return root / FOLDER
    raise Refused(f"{checkout}: is no checkout of GPGPU-Sim or Accel-Sim: it has no {FOLDER}/gpu-cache.h, nor "
                  f"gpu-simulator/gpgpu-sim/{FOLDER}/gpu-cache.h")


def text_of(path):
    try:
        return path.read_bytes().decode("latin-1")  # bytes stay bytes
    except OSError as error:
        raise Refused(f"{path}: {error.strerror}") from None


def edited(folder, undo):
    """The files that change, with their new content."""
    contents = {}
    for edit in EDITS:
        path = folder / edit.file
        before = contents.get(path) or text_of(path)
        contents[path] = edit.undone(before) if undo else edit.made(before)
    return {path: new.encode("latin-1") for path, new in contents.items() if new != text_of(path)}


def adapter():
    files = {path.name: path.read_bytes() for path in sorted(HERE.glob("l1forge_*.*"))}
    files["l1forge/client.h"] = (HERE.parent / "l1forge" / "client.h").read_bytes()
    return files


def digest(content):
    return hashlib.sha256(content).hexdigest()


def copies(folder, undo):
    """The same for the files of the adapter; None removes one. A file that was changed there is kept."""
    manifest = folder / MANIFEST
    ours = json.loads(text_of(manifest)) if manifest.is_file() else {}
    wanted = {} if undo else adapter()
    changes = {}
    for name in sorted(set(ours) | set(wanted)):
        path = folder / name
        there = path.read_bytes() if path.is_file() else None
        if there is not None and there != wanted.get(name) and digest(there) != ours.get(name):
            raise Refused(f"{path}: is not the file that this script has copied; move it away first")
        if there != wanted.get(name):
            changes[path] = wanted.get(name)
    listed = json.dumps({name: digest(content) for name, content in wanted.items()}, indent=1).encode() + b"\n"
    if undo and manifest.is_file():
        changes[manifest] = None
    elif not undo and (not manifest.is_file() or manifest.read_bytes() != listed):
        changes[manifest] = listed
    return changes


def write(changes):
    """All of them, or none: each under a temporary name, then renamed; a failure puts the old ones back."""
    made, old = [], {}
    try:
        for path, content in changes.items():
            if content is None:
                continue
            path.parent.mkdir(exist_ok=True)
            draft = path.with_name(path.name + ".l1forge-draft")
            made.append(draft)
            draft.write_bytes(content)
            if path.is_file():
                draft.chmod(path.stat().st_mode)
        for path, content in changes.items():
            old[path] = path.read_bytes() if path.is_file() else None
            if content is None:
                path.unlink()
            else:
                path.with_name(path.name + ".l1forge-draft").replace(path)
    except OSError as error:
        for path, content in old.items():
            if content is None:
                path.unlink(missing_ok=True)
            else:
                path.write_bytes(content)
        for draft in made:
            draft.unlink(missing_ok=True)
        raise Refused(f"{error.filename}: {error.strerror}; nothing is changed") from None
    for folder in {path.parent for path, content in changes.items() if content is None}:
        if folder.name == "l1forge" and not os.listdir(folder):
            folder.rmdir()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path, metavar="CHECKOUT")
    do = parser.add_mutually_exclusive_group()
    do.add_argument("--check", action="store_true", help="write nothing")
    do.add_argument("--undo", action="store_true", help="restore the checkout")
    options = parser.parse_args()
    try:
        folder = root_of(options.checkout)
        for file, pattern, why in [] if options.undo else NEEDED:
            if not re.search(pattern, text_of(folder / file)):
                raise Refused(f"{folder / file}: {why}")
        changes = {**edited(folder, options.undo), **copies(folder, options.undo)}
        if not options.check:
            write(changes)
    except Refused as refused:
        print(f"edit.py: {refused}", file=sys.stderr)
        return 1 if options.check else 2
    word = "would change" if options.check else "changed"
    for path in sorted(changes):
        print(f"{word if path.is_file() or options.check else 'removed'}: {os.path.relpath(path, options.checkout)}")
    if not changes:
        print("nothing to do: " + ("no edit is there" if options.undo else "all edits are there"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
