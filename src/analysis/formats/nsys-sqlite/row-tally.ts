import { type ProblemLog } from '../../timeline/problem';
import { type Row } from './sqlite/row';

/** Counts the rows of an export, and everything of them that was skipped or repaired. */
export class RowTally {
  rows = 0;
  kept = 0;
  overLimit = 0;
  tooLong = 0;
  missing = 0;
  missingExample: string | undefined;
  malformed = 0;
  malformedExample: string | undefined;
  negativeDurations = 0;
  implausibleDurations = 0;
  implausibleTimes = 0;
  openRanges = 0;
  unusedRows = 0;
  otherProcesses = 0;
  duplicates = 0;
  unknownNames = 0;
  opaqueGraphs = 0;

  constructor(private readonly maxEvents: number) {}

  /** Counts a row that is kept; false when there may be no more. */
  keep(): boolean {
    if (this.kept >= this.maxEvents) {
      this.overLimit++;
      return false;
    }
    this.kept++;
    return true;
  }

  /** Counts a row without the integer that it cannot be used without: there is nothing, or something else. */
  rejects(row: Row, slot: number, column: string): false {
    if (row.isAbsent(slot)) {
      this.missing++;
      this.missingExample ??= `${column} is NULL`;
    } else {
      this.malformed++;
      this.malformedExample ??= `${column} is not an integer`;
    }
    return false;
  }

  report(problems: ProblemLog, path: string): void {
    problems.add('event-limit-reached', path, this.overLimit);
    problems.add('oversized-event', path, this.tooLong);
    problems.add('missing-field', path, this.missing, this.missingExample);
    problems.add('malformed-event', path, this.malformed, this.malformedExample);
    problems.add('negative-duration', path, this.negativeDurations);
    problems.add('implausible-duration', path, this.implausibleDurations);
    problems.add('implausible-time', path, this.implausibleTimes);
    problems.add('open-range', path, this.openRanges);
    problems.add('unused-row', path, this.unusedRows);
    problems.add('process-without-gpu', path, this.otherProcesses);
    problems.add('duplicate-event', path, this.duplicates);
    problems.add('name-unknown', path, this.unknownNames);
    problems.add('graph-opaque', path, this.opaqueGraphs);
  }
}
