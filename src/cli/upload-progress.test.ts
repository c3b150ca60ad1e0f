import { onTerminalOnly, uploadProgress } from './upload-progress';

describe('progress of an upload', () => {
  const { isTTY } = process.stderr;
  let written: string[];

  beforeEach(() => {
    written = [];
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    process.stderr.isTTY = isTTY;
  });

  /** Uploads two files of 500 bytes, byte by byte. */
  function run(display: ReturnType<typeof uploadProgress>): void {
    for (let uploadedBytes = 0; uploadedBytes <= 1_000; uploadedBytes++) {
      const uploadedFiles = Math.floor(uploadedBytes / 501);
      display.show({ uploadedFiles, totalFiles: 2, uploadedBytes, totalBytes: 1_000 });
    }
    display.show({ uploadedFiles: 2, totalFiles: 2, uploadedBytes: 1_000, totalBytes: 1_000 });
    display.end();
  }

  it('is a line for each tenth in a log, the last when all files are there', () => {
    process.stderr.isTTY = false;
    run(uploadProgress(false));
    expect(written).toHaveLength(11);
    expect(written[0]).toBe('stallscope: uploaded 0 of 2 files, 0 B of 1.00 kB (0 %)\n');
    expect(written[6]).toBe('stallscope: uploaded 1 of 2 files, 600 B of 1.00 kB (60 %)\n');
    expect(written[10]).toBe('stallscope: uploaded 2 of 2 files, 1.00 kB of 1.00 kB (100 %)\n');
  });

  it('is one line on a terminal, which is written over and ended', () => {
    process.stderr.isTTY = true;
    run(uploadProgress(false));
    expect(written.slice(0, -1).every((text) => /^\r[^\n]+$/.test(text))).toBe(true);
    expect(written.at(-1)).toBe('\n');
  });

  it('is nothing when nobody wants it', () => {
    process.stderr.isTTY = true;
    run(uploadProgress(true));
    process.stderr.isTTY = false;
    run(onTerminalOnly());
    expect(written).toEqual([]);
  });
});
