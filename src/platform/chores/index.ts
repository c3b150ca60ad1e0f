export { type Chore } from './chore';
export { type ChoreHealth, ChoreRunner } from './chore-runner';
export { observeChores } from './chore-metrics';
export { passTime } from './pass-time';
