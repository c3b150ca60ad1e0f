"""Step times on the host's clock and by events that pass later."""

import unittest

from stallscope.integrations.profiler import steps_of_window
from stallscope.step_timer import MOST_PENDING, MOST_STEPS, StepTimer
from tests.fakes import Profile, window


class Event:
    """Passes when the fake GPU has come as far."""

    gpu_ms = 0.0

    def record(self):
        self.at_ms = Event.gpu_ms + 10

    def query(self):
        return Event.gpu_ms >= self.at_ms

    def elapsed_time(self, after):
        return after.at_ms - self.at_ms


class StepTimerTest(unittest.TestCase):
    def setUp(self):
        self.now_s = 0.0
        Event.gpu_ms = 0.0

    def timer(self, make_event=lambda: None):
        return StepTimer(make_event, lambda: self.now_s)

    def run_steps(self, timer, count, step_s=0.5, gpu_ms=500.0):
        for _ in range(count):
            timer.mark()
            self.now_s += step_s
            Event.gpu_ms += gpu_ms

    def test_times_what_lies_between_marks(self):
        timer = self.timer()
        self.run_steps(timer, 4)
        self.assertEqual(timer.take(), [{"step": n, "host_s": 0.5} for n in range(3)])
        self.assertEqual(timer.take(), [])

    def test_reads_events_when_they_have_passed_and_uses_them_again(self):
        made = []

        def make():
            made.append(Event())
            return made[-1]

        timer = self.timer(make)
        self.run_steps(timer, 100)
        steps = timer.take()
        self.assertEqual({step["device_ms"] for step in steps}, {500.0})
        self.assertLess(len(made), 6)

    def test_a_gpu_that_is_behind_or_broken_costs_its_own_times_only(self):
        timer = self.timer(Event)
        self.run_steps(timer, 3 * MOST_PENDING, gpu_ms=0.0)
        steps = timer.take()
        self.assertEqual(len(steps), 3 * MOST_PENDING - 1)
        self.assertFalse(any("device_ms" in step for step in steps))

        class Broken(Event):
            def query(self):
                raise RuntimeError("CUDA error: an illegal memory access was encountered")

        timer = self.timer(Broken)
        self.run_steps(timer, 5)
        self.assertEqual(len(timer.take()), 4)

    def test_forgets_the_steps_of_the_profiler_and_bounds_what_it_keeps(self):
        timer = self.timer()
        self.run_steps(timer, 6)
        timer.forget(2)
        self.now_s += 100
        self.run_steps(timer, 3)
        self.assertEqual([step["step"] for step in timer.take()], [0, 1, 2, 6, 7])
        self.run_steps(timer, MOST_STEPS + 10)
        self.assertEqual(len(timer.take()), MOST_STEPS)


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
