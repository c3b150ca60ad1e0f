export { askProbe } from './ask-probe';
export { HealthModule } from './health.module';
export { type ReadinessProbe, ReadinessProbes } from './readiness-probes';
