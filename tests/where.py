"""Where built programs are: under ASSAY_BUILD if that is set, else in the release build, else in any other there is."""
import os
import pathlib

SOURCE = pathlib.Path(__file__).resolve().parent.parent
BUILDS = [os.environ.get("ASSAY_BUILD"), "build/release", "build/dev", "build/sanitize"]


def built(path):
    """The newest promise first: ASSAY_BUILD, release, dev, sanitize."""
    candidates = [SOURCE / build / path for build in BUILDS if build]
    return next((candidate for candidate in candidates if candidate.exists()), candidates[0])


def build_folder():
    """The build that holds assay itself."""
    return built("src/assay").parent.parent
