import { takersOf } from '../../../../test/builders/read-format';
import { plain, readMonitor } from '../../../../test/builders/read-monitor';

async function read(lines: readonly string[]) {
  const text = lines.join('\n') + '\n';
  expect(takersOf(text)).toEqual(['gpu-monitor']);
  return readMonitor(text, 'monitor.log');
}
const MIB = 2 ** 20;

describe('nvidia-smi dmon', () => {
  it.each([
    [
      '2018, one temperature',
      [
        '# gpu   pwr  temp    sm   mem   enc   dec  mclk  pclk',
        '# Idx     W     C     %     %     %     %   MHz   MHz',
      ],
      [
        '    0    88    63    50    25     0     0  3004  1252',
        '    1    43     -     0     1     0     0  3505   936',
      ],
      { powerW: [88], temperatureC: [63], smUtilisation: [0.5], memoryUtilisation: [0.25] },
    ],
    [
      'two temperatures',
      [
        '# gpu   pwr gtemp mtemp    sm   mem   enc   dec  mclk  pclk',
        '# Idx     W     C     C     %     %     %     %   MHz   MHz',
      ],
      [
        '    0    88    63    70    50    25     0     0  3004  1252',
        '    1    43    48     -     0     1     0     0  3505   936',
      ],
      {
        powerW: [88],
        temperatureC: [63],
        memoryTemperatureC: [70],
        smUtilisation: [0.5],
        memoryUtilisation: [0.25],
      },
    ],
    [
      'another order, with jpg and ofa',
      [
        '# gpu    pwr  gtemp  mtemp   mclk   pclk     sm    mem    enc    dec    jpg    ofa  rxpci  txpci ',
        '# Idx      W      C      C    MHz    MHz      %      %      %      %      %      %   MB/s   MB/s ',
      ],
      ['    0     88     63      -   3004   1252     50     25      0      0      0      0      1      2 '],
      { powerW: [88], temperatureC: [63], smUtilisation: [0.5], memoryUtilisation: [0.25] },
    ],
  ])('%s', async (_, header, rows, expected) => {
    const { monitor, problems } = await read([...header, ...rows, '', ...header]);
    expect(monitor.tool).toBe('nvidia-smi-dmon');
    expect(plain(monitor)['0']).toEqual({ ...expected, smClockMhz: [1252], memoryClockMhz: [3004] });
    expect(monitor.devices[0].timeMs).toEqual(Float64Array.of(NaN));
    expect(problems.list()).toEqual([]);
  });

  it('date and time, time alone, violations and memory', async () => {
    const dated = await read([
      '#Date       Time        gpu   pviol  tviol    fb',
      '#YYYYMMDD   HH:MM:SS    Idx       %   bool    MB',
      ' 20261129   23:05:52      1     100      1 29507',
    ]);
    const { devices } = dated.monitor;
    expect(devices[0]).toMatchObject({ id: '1', index: 1, sampleCount: 1 });
    expect(new Date(devices[0].timeMs[0]).toISOString()).toBe('2026-11-29T23:05:52.000Z');
    expect(plain(dated.monitor)['1']).toEqual({
      powerViolation: [1],
      thermalViolation: [1],
      memoryUsedBytes: [29507 * MIB],
    });
    const timed = await read(['#Time       gpu    sm', '#HH:MM:SS   Idx     %', ' 00:01:40     0    50']);
    expect(timed.monitor.devices[0].timeMs[0]).toBe(100_000);
  });
});

describe('nvidia-smi --query-gpu', () => {
  const header =
    'timestamp, index, name, utilization.gpu [%], memory.used [MiB], power.draw [W], enforced.power.limit [W], clocks_event_reasons.active';

  it('units in cells, absent readings, throttle reasons', async () => {
    const { monitor, problems } = await read([
      header,
      '2026/11/29 23:01:53.896, 0, NVIDIA H200, 3 %, 11039 MiB, 259.50 W, 700.00 W, 0x0000000000000004',
      '2026/11/29 23:01:54.896, 0, NVIDIA H200, [N/A], 11039 MiB, [Not Supported], 700.00 W, 0x0000000000000000',
    ]);
    expect(monitor.devices[0]).toMatchObject({ id: '0', index: 0, name: 'NVIDIA H200', sampleCount: 2 });
    expect(plain(monitor)['0']).toEqual({
      smUtilisation: [0.03, NaN],
      memoryUsedBytes: [11039 * MIB, 11039 * MIB],
      powerW: [259.5, NaN],
      powerLimitW: [700, 700],
      throttleReasons: [4, 0],
    });
    const [first, second] = monitor.devices[0].timeMs;
    expect(second - first).toBe(1000);
    expect(problems.list()).toEqual([]);
  });

  it('no units, identity by UUID, single reasons', async () => {
    const { monitor } = await read([
      'uuid, utilization.gpu, clocks.sm, clocks_throttle_reasons.sw_power_cap, clocks_throttle_reasons.hw_thermal_slowdown',
      'GPU-b876c63f, 97, 1590, Active, Not Active',
      'GPU-b876c63f, 98, 1500, Active, Active',
      'GPU-0263142c, 98, 1500, [N/A], [N/A]',
    ]);
    expect(plain(monitor)).toEqual({
      'GPU-b876c63f': { smUtilisation: [0.97, 0.98], smClockMhz: [1590, 1500], throttleReasons: [4, 0x44] },
      'GPU-0263142c': { smUtilisation: [0.98], smClockMhz: [1500] },
    });
    expect(monitor.devices[0].index).toBeNull();
  });

  it('torn lines, output of the shell and repeated headers cost only themselves', async () => {
    const row = '2026/11/29 23:01:53.896, 0, NVIDIA H200, 3 %, 11039 MiB, 259.50 W, 700.00 W, 0x0';
    const { monitor, problems } = await read([
      'nohup: ignoring input',
      '259.50 W, 700.00 W, 0x0',
      header,
      row,
      row.slice(0, 40),
      row.replace('259.50 W', '25Q W'),
      row.replace('3 %', '30000 %'),
      row.replace('2026/', 'x026/'),
      header,
      row + row,
      row,
    ]);
    expect(monitor.devices).toHaveLength(1);
    expect(monitor.devices[0].sampleCount).toBe(2);
    expect(problems.count('malformed-event')).toBe(7);
  });
});

it('dcgmi dmon: short names, N/A, powers of ten; instances are left to their device', async () => {
  const { monitor, problems } = await read([
    '#Entity   GRACT        SMACT        TENSO        DRAMA        POWER      FBUSD   PCITX',
    'ID                                                                (W)',
    'GPU 1     N/A          N/A          N/A          N/A          241.3      18342   N/A',
    'GPU 0     0.984        0.930        2.5e-02      0.252        397.637    21618   1.2e+09',
    'GPU-I 0   0.5          0.5          0.5          0.5          397.637    21618   5',
    '#Entity   GRACT        SMACT        TENSO        DRAMA        POWER      FBUSD   PCITX',
    'ID                                                                (W)',
    'GPU 0     0.5          0.25',
  ]);
  expect(plain(monitor)).toEqual({
    '1': { powerW: [241.3], memoryUsedBytes: [18342 * MIB] },
    '0': {
      smUtilisation: [0.984],
      smActive: [0.93],
      tensorActive: [0.025],
      dramActive: [0.252],
      powerW: [397.637],
      memoryUsedBytes: [21618 * MIB],
    },
  });
  expect(problems.count('malformed-event')).toBe(1);
});

describe('AMD', () => {
  it('amd-smi metric and monitor call different things `mem`', async () => {
    const metric = await read([
      'timestamp,gpu,gfx_activity,umc_activity,vcn_activity,socket_power,gfx_0_clk,mem_0_clk,edge,hotspot,mem',
      `1789515525,0,95,80,"['N/A', 'N/A']",1180,2100,2000,N/A,78,60`,
    ]);
    expect(metric.monitor.tool).toBe('amd-smi');
    expect(metric.monitor.devices[0].timeMs[0]).toBe(1789515525000);
    expect(plain(metric.monitor)['0']).toEqual({
      smUtilisation: [0.95],
      memoryUtilisation: [0.8],
      powerW: [1180],
      smClockMhz: [2100],
      memoryClockMhz: [2000],
      temperatureC: [78],
      memoryTemperatureC: [60],
    });
    const watch = await read([
      'gpu,power_usage,hotspot_temperature,memory_temperature,gfx_clk,gfx,mem,vram_used,vram_total',
      '3,700,78,60,2100,95,80,1024,196592',
    ]);
    expect(plain(watch.monitor)['3']).toMatchObject({ memoryUtilisation: [0.8], memoryTemperatureC: [60] });
  });

  it('rocm-smi: tables that follow each other make one sample, then the next', async () => {
    const round = (use: number) => [
      'device,GPU use (%)',
      `card0,${use}`,
      'card1,17',
      '',
      'device,Average Graphics Package Power (W),sclk clock speed:',
      'card0,210.0,(1300Mhz)',
      'card1,N/A,(1200Mhz)',
      '',
    ];
    const { monitor, problems } = await read([...round(42), ...round(43)]);
    expect(plain(monitor)).toEqual({
      '0': { smUtilisation: [0.42, 0.43], powerW: [210, 210], smClockMhz: [1300, 1300] },
      '1': { smUtilisation: [0.17, 0.17], smClockMhz: [1200, 1200] },
    });
    expect(problems.list()).toEqual([]);
  });
});

it('gpustat', async () => {
  const { monitor } = await read([
    'node-1                    Thu Mar 10 19:21:17 2022  470.57.02',
    "[0] NVIDIA A100-SXM4-80GB | 45'C,  12 %,   60 / 400 W |  1024 / 81920 MB | ada(500M)",
    "[1] NVIDIA A100-SXM4-80GB | 46'C, 100 % |  1024 / 81920 MB |",
  ]);
  expect(monitor).toMatchObject({
    tool: 'gpustat',
    devices: [{ name: 'NVIDIA A100-SXM4-80GB' }, { id: '1' }],
  });
  expect(plain(monitor)['0']).toMatchObject({ smUtilisation: [0.12], powerW: [60], powerLimitW: [400] });
});

describe('hostile monitors', () => {
  it('refuses a header without samples', async () => {
    await expect(readMonitor('# gpu   pwr  temp\n# Idx     W     C\n')).rejects.toMatchObject({
      code: 'nothing-to-read',
    });
  });

  it('bounds devices, and says so', async () => {
    const rows = Array.from({ length: 3000 }, (_, i) => `GPU-${i}, 5 %`);
    const { monitor, problems } = await readMonitor(['uuid, utilization.gpu [%]', ...rows].join('\n'));
    expect(monitor.devices).toHaveLength(1024);
    expect(problems.count('event-limit-reached')).toBe(3000 - 1024);
  });

  it('lives with endless lines, control bytes and invalid UTF-8', async () => {
    const bytes = Buffer.concat([
      Buffer.from('# gpu   pwr  temp\n'),
      Buffer.alloc(300_000, ' '),
      Buffer.from('\n    0    88    63\n'),
      Buffer.from([0xff, 0xfe, 0x07, 0x0a]),
      Buffer.from('    0    -99    63\n    0    1e999    63\n    0    NaN    63\n    0    89    64'),
    ]);
    const { monitor, problems } = await readMonitor(bytes);
    expect(plain(monitor)).toEqual({ '0': { powerW: [88, 89], temperatureC: [63, 64] } });
    expect(problems.count('oversized-event')).toBe(1);
    expect(problems.count('malformed-event')).toBe(4);
    expect(problems.count('invalid-text')).toBe(1);
  });
});
