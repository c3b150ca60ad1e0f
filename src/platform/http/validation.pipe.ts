import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { createZodValidationPipe } from 'nestjs-zod';

const StrictPipe = createZodValidationPipe({ strictSchemaDeclaration: true });
const LenientPipe = createZodValidationPipe();

/**
 * Checks every body, query and set of path parameters against the zod schema of its DTO. A body or query without one is
 * a mistake of ours and fails every time, so that nothing from outside reaches a handler unchecked.
 */
@Injectable()
export class ValidationPipe implements PipeTransform {
  private readonly strict = new StrictPipe();
  private readonly lenient = new LenientPipe();

  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    const fromOutside = metadata.type === 'body' || metadata.type === 'query';
    return (fromOutside ? this.strict : this.lenient).transform(value, metadata);
  }
}
