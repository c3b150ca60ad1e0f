import { analyzeOrder } from './analyze-order';
import { type AnalysisAnswer, type AnalysisOrder } from './analysis-messages';

/**
 * One analysis in a process of its own: it may use all its time and memory, and be killed, without the worker missing a
 * beat. It gets one order and gives one answer over the channel to the worker, and does not outlive it.
 */
function answer(message: AnalysisAnswer): void {
  process.send?.(message, undefined, undefined, () => process.disconnect());
}

process.once('message', (order: AnalysisOrder) => void analyzeOrder(order).then(answer));
process.once('disconnect', () => process.exit());
