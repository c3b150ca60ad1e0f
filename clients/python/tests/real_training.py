"""
A small training run with real torch, to try the hook by hand: `python tests/real_training.py [--ddp] [--steps N]`.

Run it with torchrun for several ranks. It prints the mean step without the hook, and with it outside the profiled window.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile, schedule
from torch.utils.data import DataLoader

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import logging  # noqa: E402

import stallscope  # noqa: E402

WIDTH, BATCH = 1024, 256


def main() -> None:
    logging.basicConfig(level=logging.INFO)
    parser = argparse.ArgumentParser()
    parser.add_argument("--ddp", action="store_true")
    parser.add_argument("--steps", type=int, default=200)
    args = parser.parse_args()
    on_gpu = torch.cuda.is_available()
    if args.ddp:
        torch.distributed.init_process_group("nccl" if on_gpu else "gloo")
    rank = torch.distributed.get_rank() if args.ddp else 0
    device = torch.device("cuda", rank) if on_gpu else torch.device("cpu")
    if on_gpu:
        torch.cuda.set_device(device)
    layers = [layer for _ in range(6) for layer in (nn.Linear(WIDTH, WIDTH), nn.GELU())]
    net: nn.Module = nn.Sequential(*layers).to(device)
    if args.ddp:
        net = nn.parallel.DistributedDataParallel(net)
    optimizer = torch.optim.AdamW(net.parameters())
    loader = DataLoader([torch.randn(WIDTH) for _ in range(BATCH * 8)], batch_size=BATCH)

    def train_step(batch: torch.Tensor) -> None:
        loss = net(batch.to(device)).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()

    handler = stallscope.trace_handler(module=net, loader=loader, optimizer=optimizer, model="mlp", cluster="by-hand")

    def mean_step_s(steps: int, after_step: "list") -> float:
        batches = list(loader)
        train_step(batches[0])
        synchronize(on_gpu)
        handler.pause()
        started = time.perf_counter()
        for n in range(steps):
            train_step(batches[n % len(batches)])
            for call in after_step:
                call()
        synchronize(on_gpu)
        return (time.perf_counter() - started) / steps

    mean_step_s(20, [])
    activities = [ProfilerActivity.CPU] + ([ProfilerActivity.CUDA] if on_gpu else [])
    # In turns, so that a machine that warms up or slows down favours neither.
    plain, hooked = [], []
    for _ in range(5):
        plain.append(mean_step_s(args.steps, []))
        hooked.append(mean_step_s(args.steps, [handler.step]))
    with profile(activities=activities, schedule=schedule(wait=2, warmup=2, active=4), record_shapes=True,
                 on_trace_ready=handler) as prof:
        mean_step_s(20, [handler.step, prof.step])
    sending = mean_step_s(args.steps, [handler.step])
    best = min(plain)
    print(f"rank {rank}: step {best * 1e3:.4f} ms, with the hook {min(hooked) * 1e3:.4f} ms "
          f"({(min(hooked) / best - 1) * 100:+.2f} %), while it sends {sending * 1e3:.4f} ms", flush=True)
    if args.ddp:
        torch.distributed.destroy_process_group()


def synchronize(on_gpu: bool) -> None:
    if on_gpu:
        torch.cuda.synchronize()


main()
