import { Injectable, Logger } from '@nestjs/common';
import { explainChange } from '../../analysis';
import { type Chore, passTime } from '../../platform/chores';
import { DatabaseUnavailable } from '../../platform/database';
import { ExplanationsRepository } from './explanations.repository';

const REGRESSIONS_PER_PASS = 20;
const INTERVAL_S = 3;

/** Says of new and moved regressions where the time went. Beside their detection, since reports are large. */
@Injectable()
export class ExplainRegressions implements Chore {
  readonly name = 'explain-regressions';
  readonly isExclusive = true;
  readonly intervalS = INTERVAL_S;
  private readonly log = new Logger(ExplainRegressions.name);

  constructor(private readonly explanations: ExplanationsRepository) {}

  /** One pass; gives the number of regressions that were looked at. */
  async pass(signal: AbortSignal): Promise<number> {
    const mayGoOn = passTime(signal);
    let looked = 0;
    for (const { id, teamId } of await this.explanations.findUnexplained(REGRESSIONS_PER_PASS)) {
      if (!mayGoOn()) break;
      await this.explain(teamId, id);
      looked++;
    }
    return looked;
  }

  private async explain(teamId: string, regressionId: string): Promise<void> {
    try {
      const sides = await this.explanations.loadSides(teamId, regressionId);
      await this.explanations.save(teamId, regressionId, sides && explainChange(sides.before, sides.after));
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      this.log.error({ regressionId, teamId, err: error }, 'a regression could not be explained');
      await this.explanations.save(teamId, regressionId, null);
    }
  }
}
