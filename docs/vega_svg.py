"""Draws a Vega-Lite chart as SVG. `./forge charts` fetches what draws; VL_CONVERT_DIR names another folder with the
Python package vl_convert.
"""
import json
import os
import pathlib
import sys


class NoLibrary(Exception):
    def __str__(self):
        return "no vl-convert: ./forge charts fetches it, VL_CONVERT_DIR names another folder"


def svg_of(spec):
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    sys.path.insert(0, os.environ.get("VL_CONVERT_DIR") or str(cache / "l1forge/vl-convert-1.9.0.post1"))
    try:
        import vl_convert
    except ImportError as why:
        raise NoLibrary from why
    finally:
        sys.path.pop(0)
    return vl_convert.vegalite_to_svg(json.dumps(spec)) + "\n"
