import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ZodResponse } from 'nestjs-zod';
import { estimate } from '../../analysis';
import { RequireScope } from '../teams';
import { EstimateDto, EstimateRequestDto } from './schemas';

@ApiTags('Estimates')
@Controller('v1/estimates')
export class EstimatesController {
  @Post()
  @HttpCode(200)
  @RequireScope('runs:read')
  @ApiOperation({
    summary: 'What a training run must communicate, hold in memory and compute at least',
    description:
      'Needs scope runs:read. Floors from first principles, without any trace; nothing is stored. Every figure carries ' +
      'its formula; what the request does not allow to say is notMeasurable, with what is missing.',
  })
  @ZodResponse({ status: 200, description: 'The estimate.', type: EstimateDto })
  createEstimate(@Body() request: EstimateRequestDto) {
    return estimate(request);
  }
}
