import { formatBytes } from '../presentation';
import { type UploadProgress } from './client/upload-run';

/** Says on standard error how far an upload is. */
export interface ProgressDisplay {
  show: (progress: UploadProgress) => void;
  end: () => void;
}

/** A log gets a line for each tenth. */
const LINES_PER_UPLOAD = 10;

/** One line that is written over and over on a terminal; a line at times where a log is kept; nothing when `quiet`. */
export function uploadProgress(quiet: boolean): ProgressDisplay {
  if (quiet) return silent();
  return process.stderr.isTTY ? onTerminal() : inLog();
}

/** For commands whose standard error is read by tools. */
export function onTerminalOnly(): ProgressDisplay {
  return process.stderr.isTTY ? onTerminal() : silent();
}

function silent(): ProgressDisplay {
  return { show: () => undefined, end: () => undefined };
}

function onTerminal(): ProgressDisplay {
  let widest = 0;
  return {
    show: (progress) => {
      const text = textOf(progress);
      widest = Math.max(widest, text.length);
      process.stderr.write(`\r${text.padEnd(widest)}`);
    },
    end: () => {
      if (widest > 0) process.stderr.write('\n');
    },
  };
}

function inLog(): ProgressDisplay {
  let shown = -1;
  return {
    show: (progress) => {
      const tenth = Math.floor(shareOf(progress) * LINES_PER_UPLOAD);
      // The last one when the last file is done.
      const isUnfinished = tenth === LINES_PER_UPLOAD && progress.uploadedFiles < progress.totalFiles;
      if (tenth <= shown || isUnfinished) return;
      shown = tenth;
      process.stderr.write(`stallscope: ${textOf(progress)}\n`);
    },
    end: () => undefined,
  };
}

function textOf(progress: UploadProgress): string {
  const { uploadedFiles, totalFiles, uploadedBytes, totalBytes } = progress;
  const percent = Math.floor(100 * shareOf(progress));
  return `uploaded ${uploadedFiles} of ${totalFiles} files, ${formatBytes(uploadedBytes)} of ${formatBytes(totalBytes)} (${percent} %)`;
}

function shareOf({ uploadedBytes, totalBytes }: UploadProgress): number {
  return totalBytes === 0 ? 0 : uploadedBytes / totalBytes;
}
