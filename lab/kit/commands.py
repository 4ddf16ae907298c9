"""What the commands around planting have in common.

plant_main, unplant_main      one or all, for faults or decoys
list_main                     what there is, in words or as JSON
"""

import argparse
import json

from . import paths, planted, services, truth
from .lab import Lab


def _parser(program: str, description: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=program, description=description)
    parser.add_argument("--name", default=paths.DEFAULT_NAME, help="the lab's name (default %(default)s)")
    return parser


def plant_main(kind: str, program: str) -> None:
    parser = _parser(program, f"Plant a {kind} in a lab that is up.")
    parser.add_argument(
        "--all", action="store_true", help=f"every {kind} that is not planted yet and can stand beside the others"
    )
    parser.add_argument("what", nargs="?", metavar="NAME")
    parser.add_argument("node", nargs="?", metavar="NODE", help="where; its truth.yaml names a default")
    arguments = parser.parse_args()
    if arguments.all == bool(arguments.what):
        parser.error("expected a NAME or --all")
    lab = Lab.of(arguments.name)
    for name in _choose_all(lab, kind) if arguments.all else [arguments.what]:
        planted.plant(lab, name, arguments.node)
        print(f"{name} on {planted.node_of(lab.name, name)}")
    services.await_nodes(lab)


def _choose_all(lab: Lab, kind: str) -> list[str]:
    """Of two that exclude each other the first by name is taken, and the other named."""
    chosen = [truth.read(name) for name in planted.names(lab.name)]
    new = []
    for name in truth.all_of(kind):
        about = truth.read(name)
        rivals = [other.name for other in chosen if other.name in about.excludes or about.name in other.excludes]
        if rivals:
            print(f"{name} left out: it can't be planted beside {', '.join(rivals)}")
        elif name not in [other.name for other in chosen]:
            chosen.append(about)
            new.append(name)
    return new


def unplant_main() -> None:
    parser = _parser("lab/unplant", "Take back what was planted: faults and decoys alike.")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("what", nargs="*", metavar="NAME")
    arguments = parser.parse_args()
    if arguments.all == bool(arguments.what):
        parser.error("expected a NAME or --all")
    lab = Lab.of(arguments.name)
    for name in reversed(planted.in_order(lab.name)) if arguments.all else arguments.what:
        planted.unplant(lab, name)
    services.await_nodes(lab)


def list_main() -> None:
    parser = _parser("lab/list", "List what can be planted; a star marks what is.")
    parser.add_argument("--decoys", action="store_true", help="the decoys: what looks wrong and is sound")
    parser.add_argument("--planted", action="store_true", help="only what is planted now")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    now = planted.names(arguments.name)
    names = [
        name for name in truth.all_of("decoy" if arguments.decoys else "fault") if name in now or not arguments.planted
    ]
    entries = [(truth.read(name), name in now) for name in names]
    if arguments.json:
        print(
            json.dumps(
                [
                    {
                        "name": one.name,
                        "kind": one.kind,
                        "node": one.node,
                        "what": one.what,
                        "planted": is_planted,
                        "expect": [
                            {"check": claim.check, "subject": claim.subject, "status": sorted(claim.statuses)}
                            for claim in one.expect
                        ],
                    }
                    for one, is_planted in entries
                ],
                indent=2,
            )
        )
        return
    for one, is_planted in entries:
        print(f"{'*' if is_planted else ' '} {one.name:34} {one.node:5} {' '.join(one.what.split())}")
