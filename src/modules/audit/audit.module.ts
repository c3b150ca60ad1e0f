import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller';
import { AuditRepository } from './audit.repository';

/** The audit log, for the admins of a team. */
@Module({ controllers: [AuditController], providers: [AuditRepository] })
export class AuditModule {}
