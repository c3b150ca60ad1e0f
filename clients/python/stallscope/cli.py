"""The command ``stallscope``: what waits in the spool, and sending it."""

from __future__ import annotations

import argparse
import json
import logging
import sys
from typing import Any, List, Optional

from .client import Client
from .config import Config
from .guard import one_line
from .hook import Hook
from .spool import Recording, Spool, size_of
from .uploader import NotSent, deliver

SENT, KEPT, USAGE = 0, 1, 2


def main(argv: Optional[List[str]] = None) -> int:
    """Exit code 0: nothing is left to send; 1: something is, standard error says why; 2: usage."""
    parser = argparse.ArgumentParser(prog="stallscope", description="Recordings of training runs, and Stallscope.")
    commands = parser.add_subparsers(dest="command", required=True)
    flush = commands.add_parser("flush", help="send what waits in the spool")
    show = commands.add_parser("show", help="print what waits in the spool, and what a run started here would send")
    for command in (flush, show):
        command.add_argument("--spool", help="folder of the spool (STALLSCOPE_SPOOL)")
    flush.add_argument("--server", help="address of the server (STALLSCOPE_SERVER)")
    flush.add_argument("--token", help="token with the scope runs:write (STALLSCOPE_TOKEN)")
    args = parser.parse_args(argv)
    logging.basicConfig(format="stallscope: %(message)s", level=logging.WARNING)
    try:
        config = Config.read(vars(args))
        return flush_spool(config) if args.command == "flush" else show_spool(config)
    except ValueError as error:
        print(f"stallscope: {one_line(error)}", file=sys.stderr)
        return USAGE


def flush_spool(config: Config) -> int:
    """Sends every recording that no running job is still writing, to the server that was named here, as the token is for it."""
    spool = Spool(config.spool)
    left = 0
    for recording in spool.recordings():
        if not config.server or not config.token:
            raise ValueError("set STALLSCOPE_SERVER and STALLSCOPE_TOKEN, or give --server and --token")
        meant_for = recording.manifest.get("server")
        if meant_for and not is_same_server(meant_for, config.server):
            left += 1
            print(f"stallscope: {recording.folder.name}: left alone, it is for the server {meant_for!r:.200}", file=sys.stderr)
            continue
        if not recording.try_lock():
            print(f"stallscope: {recording.folder.name}: in use by a job that runs", file=sys.stderr)
            continue
        try:
            if recording.read():
                run_id = deliver(recording, spool, Client(config.server, config.token, config.timeout_s))
                if not run_id:
                    continue
                print(f"{config.server.rstrip('/')}/v1/runs/{run_id}/report")
        except NotSent as error:
            left += 1
            print(f"stallscope: {recording.folder.name}: {error}", file=sys.stderr)
        finally:
            recording.release()
    spool.forget_old_runs()
    return KEPT if left or spool.refused else SENT


def is_same_server(one: Any, other: str) -> bool:
    """Whether two addresses are one, but for a slash at the end."""
    return isinstance(one, str) and one.rstrip("/") == other.rstrip("/")


def show_spool(config: Config) -> int:
    """Prints, as JSON, what waits and what a run of this environment would say of itself."""
    hook = Hook(spool=config.spool, monitor=False)
    waiting = [describe(recording) for recording in Spool(config.spool).recordings()]
    print(json.dumps({"wouldSend": hook.preview(), "waiting": waiting}, indent=2))
    return SENT


def describe(recording: Recording) -> "dict[str, Any]":
    """A recording as a person reads it."""
    keys = ("server", "rank", "runId", "problem", "key", "body")
    said = {key: recording.manifest[key] for key in keys if recording.manifest.get(key) is not None}
    files = [{"name": path.name, "sizeBytes": size_of(path)} for path in recording.files()]
    return {"folder": str(recording.folder), **said, "files": files}
