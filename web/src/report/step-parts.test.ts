import fc from 'fast-check';
import { STEP_PARTS } from './step-parts';

const ns = fc.integer({ min: 0, max: 1e9 });
const causes = fc.record({
  ...{ inputWaitNs: ns, syncWaitNs: ns, allocatorNs: ns, launchGapNs: ns },
  ...{ hostOtherNs: ns, dependencyNs: ns, unexplainedNs: ns },
});

it('the parts of a step sum to what the API says of it', () => {
  fc.assert(
    fc.property(ns, ns, ns, causes, (computeNs, exposedCommunicationNs, exposedMemcpyNs, idle) => {
      const idleNs = Object.values(idle).reduce((a, b) => a + b, 0);
      const wallNs = computeNs + exposedCommunicationNs + exposedMemcpyNs + idleNs;
      const rest = { index: 0, startNs: 0, deviceOpCount: 0, excluded: null };
      const step = { ...rest, wallNs, computeNs, exposedCommunicationNs, exposedMemcpyNs, idleNs, idle };
      expect(STEP_PARTS.reduce((sum, part) => sum + part.ns(step), 0)).toBe(wallNs);
    }),
  );
});
