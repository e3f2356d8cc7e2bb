"""L1Forge in Python: Verilog of GPU L1-cache structures, exploration of caches, cycle models of caches.

A unit is a preset's name, a TOML file or a manifest. Settings are what stands behind -s on the command line:
{"geometry.ways": 8} or ["geometry.ways=8"]. What cannot be used raises Error with one line of text.
"""

import json
import os

from . import _l1forge
from ._l1forge import Error, Lookup, Outputs, presets, version

__all__ = ["Cache", "Error", "Lookup", "Outputs", "explore", "generate", "presets", "version"]


def _toml(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(json.dumps(v) if isinstance(v, str) else _toml(v) for v in value) + "]"
    return str(value)


def _texts(settings):
    if settings is None:
        return []
    if hasattr(settings, "items"):
        return [f"{key}={_toml(value)}" for key, value in settings.items()]
    return list(settings)


def _list(names):
    if names is None:
        return []
    return [os.fspath(names)] if isinstance(names, (str, os.PathLike)) else [os.fspath(n) for n in names]


def generate(unit, settings=None, folder=None, *, force=False):
    """Writes the unit's Verilog, filelist, manifest and FuseSoC core; returns the paths, sorted.

    The folder is that of `l1forge gen -o`, by default ./TOP. Files that were edited since go by force alone.
    """
    return _l1forge.generate(os.fspath(unit), _texts(settings), os.fspath(folder or ""), force)


def explore(units, trace=None, *, requests=None, settings=None, timed=None, sms=None, scheduler=None, system=None):
    """What `l1forge explore UNITS --trace TRACE... --json -` writes, as a dictionary."""
    text = _l1forge.explore(_list(units), _texts(settings), _list(trace), os.fspath(requests or ""), timed, sms,
                            scheduler, os.fspath(system or ""))
    return json.loads(text)


class Cache(_l1forge.Cache):
    """The cycle model of an L1 data cache; its ports cycle by cycle are those of the generated Verilog.

    A cycle: outputs(...) as often as wanted, then edge(). The fields are those of l1forge/client.h. With
    data=True the model keeps bytes: data fields are bytes of a line, enables a bit a byte. One thread at a time
    uses an object.
    """

    def __init__(self, unit="l1d", settings=None, *, toml=None, data=False):
        super().__init__(os.fspath(unit), _texts(settings), toml, data)
