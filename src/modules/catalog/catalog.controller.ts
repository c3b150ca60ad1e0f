import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { createZodDto, ZodResponse } from 'nestjs-zod';
import { z } from 'zod';
import { ANALYSIS_VERSION } from '../../analysis';
import { ContentTag } from '../../platform/http';
import {
  PRESENTED_METRICS,
  PRESENTED_RULES,
  presentedMetricSchema,
  presentedRuleSchema,
} from '../../presentation';
import { HonoursRunLimits, RequireScope } from '../teams';

const analysisVersion = z.string().describe('The release of the analysis that these belong to.');

class MetricsCatalogDto extends createZodDto(
  z.object({ analysisVersion, items: z.array(presentedMetricSchema.meta({ id: 'MetricEntry' })) }),
) {}

class RulesCatalogDto extends createZodDto(
  z.object({ analysisVersion, items: z.array(presentedRuleSchema.meta({ id: 'RuleEntry' })) }),
) {}

@ApiTags('Catalogues')
@Controller('v1')
export class CatalogController {
  @Get('metrics-catalogue')
  @RequireScope()
  @HonoursRunLimits('no-runs')
  @ContentTag()
  @ApiOperation({
    summary: 'Every metric that runs are measured by',
    description:
      'Needs a credential with any scope. Read metrics by these ids and generically: later releases add metrics.',
  })
  @ZodResponse({ status: 200, description: 'In the order of reports.', type: MetricsCatalogDto })
  listMetrics() {
    return { analysisVersion: ANALYSIS_VERSION, items: [...PRESENTED_METRICS] };
  }

  @Get('rules-catalogue')
  @RequireScope()
  @HonoursRunLimits('no-runs')
  @ContentTag()
  @ApiOperation({
    summary: 'Every rule that looks for a bottleneck',
    description:
      'Needs a credential with any scope. Later releases add rules; `none` and `not-measurable` are verdicts without a rule.',
  })
  @ZodResponse({ status: 200, description: 'Every rule.', type: RulesCatalogDto })
  listRules() {
    return { analysisVersion: ANALYSIS_VERSION, items: [...PRESENTED_RULES] };
  }
}
