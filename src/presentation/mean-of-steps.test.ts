import fc from 'fast-check';
import { type StepBreakdown } from '../analysis';
import { meanOfSteps } from './mean-of-steps';

const ns = fc.integer({ min: 0, max: 1e9 });
const causes = fc.record({
  ...{ inputWaitNs: ns, syncWaitNs: ns, allocatorNs: ns, launchGapNs: ns },
  ...{ hostOtherNs: ns, dependencyNs: ns, unexplainedNs: ns },
});
const step = fc
  .record({ computeNs: ns, exposedCommunicationNs: ns, exposedMemcpyNs: ns, idle: causes })
  .map(({ idle, ...parts }): StepBreakdown => {
    const idleNs = Object.values(idle).reduce((a, b) => a + b, 0);
    const wallNs = Object.values(parts).reduce((a, b) => a + b, idleNs);
    return { ...parts, idle, idleNs, wallNs, index: 0, startNs: 0, deviceOpCount: 0, excluded: null };
  });

test('the parts of a mean step sum to it, within rounding of the mean of the steps', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (steps) => {
      const mean = meanOfSteps(steps);
      if (!mean) throw new Error('no mean');
      const { wallNs, computeNs, exposedCommunicationNs, exposedMemcpyNs, idleNs, idle, stepCount } = mean;
      expect(computeNs + exposedCommunicationNs + exposedMemcpyNs + idleNs).toBe(wallNs);
      expect(Object.values(idle).reduce((a, b) => a + b, 0)).toBe(idleNs);
      expect(stepCount).toBe(steps.length);
      const exactNs = steps.reduce((sum, s) => sum + s.wallNs, 0) / steps.length;
      expect(Math.abs(wallNs - exactNs)).toBeLessThanOrEqual(5);
    }),
  );
});

test('steps that are left out of averages are left out here', () => {
  const [counted] = fc.sample(step, 1);
  const excluded = { ...counted, computeNs: counted.computeNs + 1e6, excluded: 'first-recorded-step' };
  expect(meanOfSteps([counted, excluded])?.computeNs).toBe(counted.computeNs);
  expect(meanOfSteps([excluded])).toBeNull();
  expect(meanOfSteps([])).toBeNull();
});
