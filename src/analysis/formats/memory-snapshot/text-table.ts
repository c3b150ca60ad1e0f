/** Bytes of distinct texts that are kept beside `limits.maxStringBytes`, whichever is less. */
const MAX_TEXT_BYTES = 64 * 2 ** 20;
/** What a text costs beside its characters. */
const ENTRY_BYTES = 64;

/** Words that records are told by; they are known however full the table is. */
const WORDS =
  'segments device_traces allocator_settings device total_size blocks state size requested_size frames history real_size ' +
  'active_allocated active_pending_free active_awaiting_free inactive action time_us device_free name filename line ' +
  'alloc free free_requested free_completed segment_alloc segment_free segment_map segment_unmap oom snapshot ' +
  'expandable_segments max_split_size garbage_collection_threshold';

/** Texts, each kept once, up to a bound of bytes. */
export class TextTable {
  private readonly texts = new Map(WORDS.split(' ').map((word) => [word, word]));
  private freeBytes: number;
  turnedAway = 0;

  constructor(maxBytes: number) {
    this.freeBytes = Math.min(maxBytes, MAX_TEXT_BYTES);
  }

  /** The text as it is kept; null when there is no room for another. */
  keep(text: string): string | null {
    const known = this.texts.get(text);
    if (known !== undefined) return known;
    this.freeBytes -= 2 * text.length + ENTRY_BYTES;
    if (this.freeBytes < 0) {
      this.freeBytes = 0;
      this.turnedAway++;
      return null;
    }
    this.texts.set(text, text);
    return text;
  }
}
