import { useQuery } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import { Loading } from '../states/loading';
import { ProblemAlert } from '../states/problem-alert';
import { type ReportField, type ReportOf, type ReportPartOf, reportPartQuery } from './report-query';

interface Props<Field extends ReportField> {
  of: ReportOf;
  /** What to ask for when it is shown. */
  fields: readonly Field[];
  children: (part: ReportPartOf<Field>) => ReactNode;
}

/** Asks for a part of the report and shows it when it is there. */
export function ReportPart<Field extends ReportField>({ of, fields, children }: Props<Field>) {
  const { data, error, refetch } = useQuery(reportPartQuery(of, fields));
  if (error) return <ProblemAlert error={error} retry={refetch} />;
  return data ? children(data) : <Loading what="Loading this part of the report" />;
}
