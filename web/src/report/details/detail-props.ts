import { type Schemas } from '../../api/client';
import { type ReportOf, type ShownReport } from '../report-query';

/** What every tab of a report is given. */
export interface DetailProps {
  of: ReportOf;
  /** What the page has already. */
  shown: ShownReport;
  run: Schemas['Run'];
}
