"""Step times on the host's clock and by events that pass later, and what taking them may cost."""

import json
import unittest

from stallscope.device_times import MOST_PENDING
from stallscope.integrations.profiler import saw_no_step, steps_of_window
from stallscope.step_timer import KEPT, LONGEST_REST_NS, MOST_STEPS, PAID_BACK, StepTimer
from tests.fakes import Profile, window

US, MS, S = 1_000, 1_000_000, 1_000_000_000


class Machine:
    """A clock, on which only steps, reading it (50 ns) and events take time, and a GPU that is as far as it is let."""

    def __init__(self, event_us=0.0):
        self.now_ns, self.gpu_ns, self.event_us, self.made, self.spent_ns = 1, 0, event_us, [], 0

    def clock(self):
        self.now_ns += 50
        return self.now_ns

    def event(self):
        machine = self

        class Event:
            def record(self):
                self.at_ns = machine.now_ns
                machine.spend(machine.event_us)

            def query(self):
                return machine.gpu_ns >= self.at_ns

            def elapsed_time(self, after):
                return (after.at_ns - self.at_ns) / MS

        self.made.append(Event())
        return self.made[-1]

    def spend(self, us):
        self.now_ns += int(us * US)
        self.spent_ns += int(us * US)

    def run_steps(self, timer, count, step_ns, gpu_goes_on=True):
        for n in range(count):
            timer.mark()
            self.now_ns += step_ns(n) if callable(step_ns) else step_ns
            if gpu_goes_on:
                self.gpu_ns = self.now_ns


def lines_of(timer):
    return [json.loads(line) for line in timer.take().lines()]


class StepTimerTest(unittest.TestCase):
    def timer(self, machine, make_event=None):
        return StepTimer(make_event or machine.event, machine.clock)

    def test_times_what_lies_between_marks(self):
        machine = Machine()
        timer = self.timer(machine, lambda: None)
        machine.run_steps(timer, 4, 500 * MS)
        lines = lines_of(timer)
        self.assertEqual([line["step"] for line in lines], [0, 1, 2])
        for line in lines:
            self.assertEqual(set(line), {"step", "host_s"})
            self.assertAlmostEqual(line["host_s"], 0.5, 6)
        # The last ones are told again with the next recording.
        self.assertEqual(lines_of(timer), lines)
        machine.run_steps(timer, 2 * KEPT, 500 * MS)
        timer.take()
        self.assertEqual([line["step"] for line in lines_of(timer)], list(range(3 + KEPT, 3 + 2 * KEPT)))

    def test_reads_events_when_they_have_passed_and_uses_them_again(self):
        machine = Machine(event_us=30)
        timer = self.timer(machine)
        machine.run_steps(timer, 100, 500 * MS)
        lines = lines_of(timer)
        self.assertEqual(len(lines), 99)
        for line in lines:
            self.assertAlmostEqual(line["device_ms"], 500.03, 3)
            # What the hook did in between was no part of the step.
            self.assertAlmostEqual(line["host_s"], 0.5, 6)
        self.assertLess(len(machine.made), 6)

    def test_events_of_a_pair_span_the_step_whose_number_they_have(self):
        machine = Machine(event_us=30)
        timer = self.timer(machine)
        length_ms = lambda n: 2 + n % 7  # noqa: E731
        machine.run_steps(timer, 5_000, lambda n: length_ms(n) * MS)
        lines = lines_of(timer)
        self.assertEqual([line["step"] for line in lines], list(range(4_999)))
        timed = [line for line in lines if "device_ms" in line]
        self.assertGreater(len(timed), 300)
        for line in lines:
            self.assertAlmostEqual(line["host_s"] * 1e3, length_ms(line["step"]), 2)
        for line in timed:
            self.assertAlmostEqual(line["device_ms"], length_ms(line["step"]), 1)

    def test_what_it_does_beyond_the_clock_takes_no_more_than_its_share(self):
        for event_us in (1, 30, 200):
            for step_ns in (20 * US, 100 * US, 300 * US, 2 * MS, 30 * MS, 2 * S):
                with self.subTest(event_us=event_us, step_ns=step_ns):
                    machine = Machine(event_us)
                    timer = self.timer(machine)
                    count = max(4 * MOST_STEPS, 4 * S // step_ns) if step_ns < MS else 5_000
                    machine.run_steps(timer, count, step_ns)
                    share = machine.spent_ns / (count * step_ns)
                    self.assertLessEqual(share, 1.1 / PAID_BACK)
                    times = timer.take()
                    self.assertGreaterEqual(len(times.numbers), 4)
                    self.assertGreaterEqual(len(times.devices_ms), 4)
                    # No less, either, than it may.
                    if 1 < event_us * PAID_BACK * US / step_ns:
                        self.assertGreater(share, 0.4 / PAID_BACK)

    def test_short_steps_are_timed_at_times_with_the_numbers_that_they_have(self):
        machine = Machine(event_us=30)
        timer = self.timer(machine)
        machine.run_steps(timer, 20_000, lambda n: (100 + n % 10) * US)
        lines = lines_of(timer)
        self.assertLess(len(lines), 20_000 / 100)
        for line in lines[2:]:
            self.assertAlmostEqual(line["host_s"] * 1e6, 100 + line["step"] % 10, 0)
            self.assertAlmostEqual(line["device_ms"] * 1e3, line["host_s"] * 1e6 + 30, 0)
        # Steps that grow longer are timed each again.
        machine.run_steps(timer, 1_500, 2 * MS)
        self.assertGreater(len(lines_of(timer)), 400)

    def test_a_mark_that_was_disturbed_is_paid_back_and_forgotten(self):
        machine = Machine(event_us=30)
        timer = self.timer(machine)
        machine.run_steps(timer, 10, 30 * MS)
        machine.event_us = 3_600 * S / US
        machine.run_steps(timer, 2, 30 * MS)
        machine.event_us = 30
        timer.take()
        machine.run_steps(timer, 2 * LONGEST_REST_NS // (30 * MS) + 100, 30 * MS)
        self.assertGreater(len(timer.take().devices_ms), 50)

    def test_a_gpu_that_is_behind_or_broken_costs_its_own_times_only(self):
        machine = Machine(event_us=1)
        timer = self.timer(machine)
        machine.run_steps(timer, 3 * MOST_PENDING, 500 * MS, gpu_goes_on=False)
        lines = lines_of(timer)
        self.assertEqual(len(lines), 3 * MOST_PENDING - 1)
        self.assertFalse(any("device_ms" in line for line in lines))
        # When it comes after all, there are times of the last ones.
        machine.gpu_ns = machine.now_ns
        self.assertEqual(list(timer.take().devices_ms), list(range(3 * MOST_PENDING - 1))[-MOST_PENDING:])

        class Broken:
            def record(self):
                raise RuntimeError("CUDA error: an illegal memory access was encountered")

        timer = self.timer(machine, Broken)
        machine.run_steps(timer, 5, 500 * MS)
        self.assertEqual(len(timer.take().numbers), 4)

    def test_forgets_the_steps_of_the_profiler_and_bounds_what_it_keeps(self):
        machine = Machine(event_us=1)
        timer = self.timer(machine)
        machine.run_steps(timer, 6, 500 * MS)
        timer.forget(2)
        machine.now_ns += 100 * S
        machine.run_steps(timer, 3, 500 * MS)
        times = timer.take()
        self.assertEqual(list(times.numbers), [0, 1, 2, 6, 7])
        self.assertEqual(sorted(times.devices_ms), [0, 1, 2, 6, 7])
        self.assertLess(max(times.hosts_ns), 501 * MS)
        machine.run_steps(timer, MOST_STEPS + 10, 500 * MS)
        self.assertEqual(len(timer.take().numbers), MOST_STEPS)


class WindowTest(unittest.TestCase):
    def test_counts_the_warm_up_and_the_recorded_steps(self):
        seen = []
        profile = Profile(lambda p: seen.append((p.step_num, steps_of_window(p))), b"", window(3, 2, 4))
        for _ in range(20):
            profile.step()
        self.assertEqual(seen, [(9, 6), (18, 6)])

    def test_a_profile_without_a_schedule_saw_every_step(self):
        self.assertGreater(steps_of_window(object()), MOST_STEPS)
        profile = Profile(lambda p: None, b"", window(0, 0, 4))
        profile.step_num = 3
        self.assertEqual(steps_of_window(profile), 3)

    def test_a_window_that_was_stopped_before_its_first_step_had_ended_saw_none(self):
        profile = Profile(lambda p: None, b"", window(2, 2, 4))
        answers = {}
        for step_num in range(9):
            profile.step_num = step_num
            answers[step_num] = saw_no_step(profile)
        # 4: stopped in the first recorded step; 5: after it; 8: handed over by step().
        self.assertEqual([answers[n] for n in (0, 4, 5, 8)], [False, True, False, False])
        self.assertFalse(saw_no_step(object()))
