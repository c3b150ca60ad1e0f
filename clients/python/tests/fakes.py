"""Objects that answer as those of torch do, and a server that misbehaves on demand."""

from __future__ import annotations

import gzip
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Tuple

SAMPLES = Path(__file__).resolve().parents[3] / "samples"


class Action:
    def __init__(self, name: str) -> None:
        self.name = name


def window(wait: int, warmup: int, active: int, repeat: int = 0) -> Callable[[int], Action]:
    """A schedule of torch.profiler; 0 repeats it for ever."""

    def schedule(step: int) -> Action:
        rounds, at = divmod(step, wait + warmup + active)
        if repeat and rounds >= repeat:
            return Action("NONE")
        names = ["NONE"] * wait + ["WARMUP"] * warmup + ["RECORD"] * (active - 1) + ["RECORD_AND_SAVE"]
        return Action(names[at])

    return schedule


class Profile:
    """torch.profiler.profile with a recorded trace in the place of what it saw."""

    def __init__(self, on_trace_ready: Callable[[Any], None], trace: bytes, schedule: Any = None) -> None:
        self.on_trace_ready, self.trace = on_trace_ready, trace
        self.schedule = schedule or window(2, 1, 2)
        self.step_num = 0

    def step(self) -> None:
        ended = self.schedule(self.step_num).name
        self.step_num += 1
        if ended == "RECORD_AND_SAVE":
            self.on_trace_ready(self)

    def stop(self) -> None:
        if self.schedule(self.step_num).name.startswith("RECORD"):
            self.on_trace_ready(self)

    def export_chrome_trace(self, path: str) -> None:
        Path(path).write_bytes(self.trace)


def sample_trace(run: str, rank: int = 0) -> bytes:
    return gzip.decompress((SAMPLES / run / f"rank{rank}.pt.trace.json.gz").read_bytes())


class Parameter:
    requires_grad = True

    def __init__(self, count: int, dtype: str = "torch.bfloat16") -> None:
        self.count, self.dtype = count, dtype

    def numel(self) -> int:
        return self.count


class Net:
    def parameters(self) -> List[Parameter]:
        return [Parameter(900), Parameter(100, "torch.float32")]


class DistributedDataParallel:
    def __init__(self, module: Any) -> None:
        self.module = module

    def parameters(self) -> Any:
        return self.module.parameters()


class OptimizedModule:
    def __init__(self, module: Any) -> None:
        self._orig_mod = module


class Loader:
    batch_size, num_workers, pin_memory, prefetch_factor, persistent_workers = 4, 2, True, None, False


class AdamW:
    defaults = {"fused": True, "lr": 1e-3}


class Store:
    """The key-value store of torch.distributed, one for all ranks."""

    def __init__(self) -> None:
        self.values: Dict[str, str] = {}

    def compare_set(self, key: str, expected: str, desired: str) -> bytes:
        return self.values.setdefault(key, desired).encode()


class RudeServer:
    """Answers each request as told: status, headers, body. The last answer is repeated."""

    def __init__(self, *answers: Tuple[int, Dict[str, str], Any]) -> None:
        self.answers, self.requests = list(answers), []  # type: Tuple[Any, List[Tuple[str, Dict[str, str], bytes]]]
        rude = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                rude.requests.append((f"{self.command} {self.path}", dict(self.headers), body))
                status, headers, content = rude.answers.pop(0) if len(rude.answers) > 1 else rude.answers[0]
                text = content.encode() if isinstance(content, str) else json.dumps(content).encode()
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(text))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = do_PUT = answer

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def __enter__(self) -> "RudeServer":
        return self

    def __exit__(self, *_: Any) -> None:
        self._server.shutdown()
        self._server.server_close()


def find(folder: Path, name: str) -> Optional[Path]:
    """The only file of this name below a folder; None without one."""
    found = list(folder.rglob(name))
    assert len(found) <= 1, found
    return found[0] if found else None
