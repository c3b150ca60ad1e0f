export { type Actor, actorKinds, operator, system } from './actor';
export { auditActions, type AuditAction } from './audit-actions';
export { type AuditedAct, recordAudit } from './record-audit';
