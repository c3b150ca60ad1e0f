import { type NcclLog } from '../formats/nccl-log/nccl-log-record';
import { largest } from '../units/largest';
import { networkReportOf } from './network-report';

const MANY = 300_000;

test('the largest of more values than a call has room for', () => {
  expect(largest(new Array<number>(MANY).fill(-1))).toBe(-1);
  expect(largest([null, 3, null, 7])).toBe(7);
  expect(largest([null])).toBeNull();
});

test('a report over the logs of more ranks than a call has room for', () => {
  const rank: NcclLog['ranks'][number] = {
    ...{ rank: 0, rankCount: 8, host: 'a', pid: 1, cudaDevice: 0, busId: null },
    ...{ communicator: null, nodeCount: null, localRankCount: null, initialised: true },
  };
  const log: NcclLog = {
    ...{
      library: 'NCCL',
      version: '2.28.9',
      builtFor: null,
      rank: 0,
      hosts: ['a'],
      networks: [],
      adapters: [],
    },
    ...{ environment: { NCCL_DEBUG: 'INFO' }, nvlinkBandwidthBytesPerSec: 5, ringPathTypes: [] },
    ...{ connections: [], ranks: [rank], rings: [], ringPlaces: [], treePlaces: [] },
    ...{ collectives: [], obstacles: [], warnings: [] },
  };
  const ncclLogs = new Array<NcclLog>(MANY).fill(log);
  expect(networkReportOf({ ncclLogs, topologies: [] }, [])).toMatchObject({
    rankCount: 8,
    nvlinkBandwidthBytesPerSec: 5,
    environment: { NCCL_DEBUG: 'INFO' },
  });
});
