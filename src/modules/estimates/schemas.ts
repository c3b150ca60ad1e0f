import { createZodDto } from 'nestjs-zod';
import { estimateRequestSchema, estimateSchema } from '../../analysis';

export class EstimateRequestDto extends createZodDto(estimateRequestSchema) {}

export class EstimateDto extends createZodDto(estimateSchema) {}
