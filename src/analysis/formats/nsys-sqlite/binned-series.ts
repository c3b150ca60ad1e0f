import { grown } from '../../timeline/typed-columns';

const FIRST_CAPACITY = 64;

/** Sums of values by bin, in the order in which bins came; a bin that comes back later is there again. */
export class BinnedSeries {
  length = 0;
  private bins = new Float64Array(FIRST_CAPACITY);
  private sums = new Float64Array(FIRST_CAPACITY);
  private counts = new Uint32Array(FIRST_CAPACITY);

  /** True when the value would take another place than the last one did. */
  needsPlace(bin: number): boolean {
    return this.length === 0 || this.bins[this.length - 1] !== bin;
  }

  add(bin: number, value: number): void {
    if (this.needsPlace(bin)) {
      if (this.length === this.bins.length) this.grow();
      this.bins[this.length++] = bin;
    }
    this.sums[this.length - 1] += value;
    this.counts[this.length - 1]++;
  }

  usedBins(): Float64Array {
    return this.bins.subarray(0, this.length);
  }

  /** Mean of each of `bins`, which rise and hold all of the series; NaN where it has no value. */
  meansAt(bins: Float64Array): Float64Array {
    const sums = new Float64Array(bins.length);
    const counts = new Uint32Array(bins.length);
    for (let i = 0; i < this.length; i++) {
      const place = placeOf(this.bins[i], bins);
      sums[place] += this.sums[i];
      counts[place] += this.counts[i];
    }
    return sums.map((sum, i) => sum / counts[i]);
  }

  private grow(): void {
    const capacity = 2 * this.bins.length;
    this.bins = grown(this.bins, capacity);
    this.sums = grown(this.sums, capacity);
    this.counts = grown(this.counts, capacity);
  }
}

function placeOf(bin: number, bins: Float64Array): number {
  let low = 0;
  let high = bins.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bins[middle] < bin) low = middle + 1;
    else high = middle;
  }
  return low;
}
