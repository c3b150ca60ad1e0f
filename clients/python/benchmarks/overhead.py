"""
What a training step pays for the hook outside the profiled window: `python benchmarks/overhead.py [--seconds 4] [--json]`.

For steps of several lengths it runs blocks with `step()` and blocks without in turns (A B B A …), so that a machine which
warms up or is shared favours neither. It prints the median over pairs of blocks of what the hook added, and what its thread
spent in `step()`, which is the surer figure where others use the machine, too. With CUDA the step launches
kernels, one after the other, and is bound by the host as the worst case is; `--gpu-bound` makes a few large kernels of it.
Without CUDA it spins, and events are stand-ins that take `--event-us` each. Exit code 1: more than 0.5 % of a step.
"""

from __future__ import annotations

import argparse
import json
import logging
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable, Dict, List
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from stallscope.hook import Hook  # noqa: E402

STEPS_MS = (0.1, 1.0, 2.0, 30.0)
MOST_SHARE = 0.005
PAIRS = 20
now = time.perf_counter


def spin_us(us: float) -> None:
    end = now() + us * 1e-6
    while now() < end:
        pass


class StandIn:
    """An event without a GPU: it costs what one costs, and has always passed."""

    record_us = 30.0

    def record(self) -> None:
        spin_us(self.record_us)
        self.at = now()

    def query(self) -> bool:
        return True

    def elapsed_time(self, after: "StandIn") -> float:
        return (after.at - self.at) * 1e3


def cuda_step(step_ms: float, is_gpu_bound: bool) -> "tuple[Callable[[], None], Callable[[], None]]":
    """A step of about this length, and what waits for the GPU. Bound by the host: kernels that are shorter than their launch."""
    import torch

    torch.cuda.init()
    synchronize = torch.cuda.synchronize
    width = 4096 if is_gpu_bound else 32
    matrix = torch.rand(width, width, device="cuda")
    target = torch.empty_like(matrix)

    def run(count: int) -> None:
        for _ in range(count):
            torch.mm(matrix, matrix, out=target)

    def mean_s(count: int) -> float:
        synchronize()
        began = now()
        run(count)
        synchronize()
        return (now() - began) / count

    mean_s(200)
    count = max(1, round(step_ms * 1e-3 / mean_s(2_000)))
    return (lambda: run(count)), synchronize


def block_s(step: Callable[[], None], synchronize: Callable[[], None], count: int, mark: Any) -> float:
    """Seconds per step of a block."""
    synchronize()
    began = now()
    if mark is None:
        for _ in range(count):
            step()
    else:
        for _ in range(count):
            step()
            mark()
    synchronize()
    return (now() - began) / count


def cost_of_marks_us(step: Callable[[], None], count: int, mark: Callable[[], None]) -> List[float]:
    """Microseconds of this thread in each call, less what reading the clock takes."""
    own, costs, empty = time.thread_time, [], []
    for _ in range(count):
        step()
        began = own()
        mark()
        costs.append(own() - began)
    for _ in range(1_000):
        began = own()
        empty.append(own() - began)
    clock_s = statistics.median(empty)
    return [max(0.0, cost - clock_s) * 1e6 for cost in costs]


def measure(step_ms: float, args: argparse.Namespace, has_cuda: bool) -> "Dict[str, float]":
    if has_cuda:
        step, synchronize = cuda_step(step_ms, args.gpu_bound)
    else:
        step, synchronize = (lambda: spin_us(step_ms * 1e3)), (lambda: None)
    with tempfile.TemporaryDirectory() as spool:
        hook = Hook(spool=spool, model="overhead", cluster="by-hand", server="", token="")
        count = max(5, round(args.seconds / (2 * PAIRS) / (step_ms * 1e-3)))
        block_s(step, synchronize, 2 * count, hook.step)
        plain, hooked = [], []
        for n in range(PAIRS):
            for is_hooked in ((False, True), (True, False))[n % 2]:
                if is_hooked:
                    hook.pause()
                    hooked.append(block_s(step, synchronize, count, hook.step))
                else:
                    plain.append(block_s(step, synchronize, count, None))
        hook.pause()
        costs = sorted(cost_of_marks_us(step, count * PAIRS // 2, hook.step))
        taken = hook.timer.take()
        hook.close()
    step_us = statistics.median(plain) * 1e6
    return {
        "stepMs": step_us / 1e3,
        "addedShare": statistics.median(h / p - 1 for h, p in zip(hooked, plain)),
        "markUsMean": statistics.fmean(costs),
        "markUsP50": costs[len(costs) // 2],
        "markUsP99": costs[int(len(costs) * 0.99)],
        "markShare": statistics.fmean(costs) / step_us,
        "stepsTimed": len(taken.numbers),
        "stepsTimedOnDevice": len(taken.devices_ms),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=4.0, help="for each length of step, roughly")
    parser.add_argument("--event-us", type=float, default=30.0, help="what a stand-in for an event costs without CUDA")
    parser.add_argument("--gpu-bound", action="store_true")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    logging.getLogger("stallscope").setLevel(logging.ERROR)
    try:
        import torch

        has_cuda = torch.cuda.is_available()
    except ImportError:
        has_cuda = False
    StandIn.record_us = args.event_us
    stand_in = mock.patch("stallscope.step_timer.StepTimer.__init__.__defaults__", (StandIn, time.perf_counter_ns))
    results = []
    for step_ms in STEPS_MS:
        if has_cuda:
            result = measure(step_ms, args, has_cuda)
        else:
            with stand_in:
                result = measure(step_ms, args, has_cuda)
        results.append(result)
        if not args.json:
            print(
                f"step {result['stepMs']:8.3f} ms: added {100 * result['addedShare']:+6.2f} %; step() took "
                f"{result['markUsMean']:6.2f} us on average, {result['markUsP50']:5.2f} at p50, {result['markUsP99']:6.2f} at "
                f"p99: {100 * result['markShare']:.3f} %; timed {result['stepsTimed']:.0f} steps, "
                f"{result['stepsTimedOnDevice']:.0f} of them on the device",
                flush=True,
            )
    if args.json:
        print(json.dumps({"device": "cuda" if has_cuda else "stand-in", "steps": results}, indent=1))
    return 1 if any(result["markShare"] > MOST_SHARE for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
