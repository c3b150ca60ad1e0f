import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { type ProblemError } from '../errors';
import { sendProblem } from './send-problem';
import { toProblem } from './to-problem';

/** What the access log puts on a request. */
interface WithLog {
  log?: Record<'error' | 'warn', (fields: object, message: string) => void>;
}

/** Turns whatever is thrown while a request is served into a problem answer; logs what is our own fault. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request & WithLog>();
    const response = host.switchToHttp().getResponse<Response>();
    const problem = toProblem(error);
    if (problem.status === 500) request.log?.error({ err: problem.cause ?? error }, problem.detail);
    // Something that we depend on is away, and said so itself: how we came to ask is of no use.
    else if (problem.status > 500 && problem.cause) request.log?.warn({ err: problem.cause }, problem.detail);
    this.answer(request, response, problem);
  }

  protected answer(request: Request, response: Response, problem: ProblemError): void {
    sendProblem(request, response, problem);
  }
}
