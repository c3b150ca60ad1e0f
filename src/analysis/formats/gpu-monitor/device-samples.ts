import { grown } from '../../timeline/typed-columns';
import { GPU_READINGS, type GpuReading, type MonitoredDevice } from '../../timeline/gpu-monitor';
import { type MonitorRow } from './monitor-table';

const ALL_READINGS = Object.keys(GPU_READINGS) as GpuReading[];
const FIRST_CAPACITY = 64;
const MAX_NAME_CHARS = 120;

/** Collects the samples of one device into typed columns. */
export class DeviceSamples {
  private count = 0;
  private timeMs = new Float64Array(FIRST_CAPACITY);
  private readonly readings: Partial<Record<GpuReading, Float64Array>> = {};
  private name: string | null = null;

  constructor(private readonly id: string) {}

  add(row: MonitorRow): void {
    if (this.count === this.timeMs.length) this.grow();
    this.timeMs[this.count++] = row.timeMs;
    this.name ??= row.name?.slice(0, MAX_NAME_CHARS) ?? null;
    this.fill(row);
  }

  /** Adds the readings to the last sample when it has none of them yet; false when it has. */
  addToLast(row: MonitorRow): boolean {
    const last = this.count - 1;
    const told = Object.keys(row.readings) as GpuReading[];
    const isNew = told.every((reading) => Number.isNaN(this.readings[reading]?.[last] ?? NaN));
    if (last < 0 || !isNew) return false;
    this.fill(row);
    return true;
  }

  finish(): MonitoredDevice {
    const readings: MonitoredDevice['readings'] = {};
    for (const reading of ALL_READINGS) {
      const column = this.readings[reading]?.slice(0, this.count);
      if (column?.some((value) => !Number.isNaN(value))) readings[reading] = column;
    }
    return {
      id: this.id,
      index: /^\d{1,6}$/.test(this.id) ? Number(this.id) : null,
      name: this.name,
      sampleCount: this.count,
      timeMs: this.timeMs.slice(0, this.count),
      readings,
    };
  }

  private fill({ readings }: MonitorRow): void {
    for (const reading of ALL_READINGS) {
      const value = readings[reading];
      if (value === undefined) continue;
      const column = (this.readings[reading] ??= new Float64Array(this.timeMs.length).fill(NaN));
      column[this.count - 1] = value;
    }
  }

  private grow(): void {
    const capacity = 2 * this.count;
    this.timeMs = grown(this.timeMs, capacity);
    for (const reading of ALL_READINGS) {
      const column = this.readings[reading];
      if (column) this.readings[reading] = grown(column, capacity).fill(NaN, this.count);
    }
  }
}
