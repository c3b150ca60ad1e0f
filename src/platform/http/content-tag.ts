import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  SetMetadata,
} from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { createHash } from 'node:crypto';
import { map, type Observable } from 'rxjs';
import { namesTag } from './if-none-match';

const contentTagKey = 'stallscope:content-tag';
const tagChars = 22;

/** Gives the answers of a route an ETag made from their content; a client that has this content is answered with 304. */
export function ContentTag(): MethodDecorator {
  return applyDecorators(
    SetMetadata(contentTagKey, true),
    ApiResponse({ status: 304, description: 'What If-None-Match names is what there is.' }),
  );
}

/** Does what `@ContentTag()` asks for. Stands outside of the serializer, so that it sees what is sent. */
export class ContentTagInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (Reflect.getMetadata(contentTagKey, context.getHandler()) !== true) return next.handle();
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      map((body: unknown) => {
        const digest = createHash('sha256').update(JSON.stringify(body)).digest('base64url');
        const etag = `"${digest.slice(0, tagChars)}"`;
        response.setHeader('ETag', etag);
        response.setHeader('Cache-Control', 'private, no-cache');
        if (!namesTag(request.header('if-none-match'), etag)) return body;
        response.status(304);
        return undefined;
      }),
    );
  }
}
