import { type analyzeRun } from '../../src/analysis';
import {
  type presentReport,
  type renderMarkdown,
  type renderTerminal,
  type reportSchema,
} from '../../src/presentation';
import { type FuzzCase } from './fuzz-cases';

/** What a case goes through, handed in so that sources and build can both be checked. */
export interface Product {
  analyzeRun: typeof analyzeRun;
  presentReport: typeof presentReport;
  reportSchema: typeof reportSchema;
  renderTerminal: typeof renderTerminal;
  renderMarkdown: typeof renderMarkdown;
}

/** Problems that stand for a defect of the product, whatever the input. */
const DEFECTS = new Set(['roofline-failed', 'advice-failed', 'rule-failed']);
const LIMITS = { maxEvents: 2_000_000, maxEventBytes: 1 << 22, maxStringBytes: 1 << 26 };
const CHUNK_BYTES = 40_009;

/** Analyses a case as the command line does. Null when all is well; else what is wrong, in words. */
export async function checkCase({ artifacts }: FuzzCase, product: Product): Promise<string | null> {
  const inputs = artifacts.map(({ path, bytes }) => ({
    path,
    open: async function* () {
      for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
    },
  }));
  try {
    const report = product.presentReport(await product.analyzeRun(inputs, { limits: LIMITS }));
    const defect = report.problems.find((p) => DEFECTS.has(p.kind));
    if (defect) return `${defect.kind}: ${defect.example}`;
    const { error } = product.reportSchema.safeParse(report);
    if (error) return `report against its schema: ${error.message}`;
    product.renderTerminal(report, { color: false, full: true });
    product.renderMarkdown(report);
    return null;
  } catch (error) {
    if (!(error instanceof Error)) return `thrown: ${String(error)}`;
    if (error.name !== 'InputRefused') return error.stack ?? error.message;
    // eslint-disable-next-line no-control-regex
    return /[\u0000-\u001f]/.test(error.message)
      ? `refusal with control characters: ${JSON.stringify(error.message)}`
      : null;
  }
}
