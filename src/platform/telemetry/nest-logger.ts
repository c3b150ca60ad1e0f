import { Injectable } from '@nestjs/common';
import { Logger } from 'nestjs-pino';

// What the framework says while it wires itself: of use to those who look for a mistake there only.
const wiring = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** The framework's log in ours, its start-up chatter at level debug. */
@Injectable()
export class NestLogger extends Logger {
  override log(message: unknown, ...rest: unknown[]): void {
    const context = rest.at(-1);
    if (typeof context === 'string' && wiring.has(context)) this.debug(message, ...rest);
    else super.log(message, ...rest);
  }
}
