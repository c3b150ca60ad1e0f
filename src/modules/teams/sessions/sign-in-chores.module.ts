import { Module } from '@nestjs/common';
import { ExpireSessions } from './expire-sessions';
import { SessionsRepository } from './sessions.repository';

/** What worker processes do about sessions. */
@Module({ providers: [ExpireSessions, SessionsRepository], exports: [ExpireSessions] })
export class SignInChoresModule {}
