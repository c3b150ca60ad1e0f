import { type ComponentType } from 'react';
import { CommunicationPanel } from './communication-panel';
import { type DetailProps } from './detail-props';
import { IdlePanel } from './idle-panel';
import { KernelsPanel } from './kernels-panel';
import { MemoryPanel } from './memory-panel';
import { OverviewPanel } from './overview-panel';
import { RecordingsPanel } from './recordings-panel';
import { RooflinePanel } from './roofline-panel';
import { RunFacts } from './run-facts';
import { StepTimesPanel } from './step-times-panel';
import { StepsPanel } from './steps-panel';
import { UtilisationPanel } from './utilisation-panel';

/** The tabs of a report; `/t/<team>/runs/<id>#<id>` opens one. Each asks for its data when it is shown. */
export const DETAILS: readonly { id: string; label: string; Panel: ComponentType<DetailProps> }[] = [
  { id: 'overview', label: 'Overview', Panel: OverviewPanel },
  { id: 'steps', label: 'Steps', Panel: StepsPanel },
  { id: 'idle', label: 'Idle time', Panel: IdlePanel },
  { id: 'utilisation', label: 'Utilisation', Panel: UtilisationPanel },
  { id: 'kernels', label: 'Kernels', Panel: KernelsPanel },
  { id: 'roofline', label: 'Roofline', Panel: RooflinePanel },
  { id: 'communication', label: 'Communication', Panel: CommunicationPanel },
  { id: 'memory', label: 'Memory', Panel: MemoryPanel },
  { id: 'step-times', label: 'Step times', Panel: StepTimesPanel },
  { id: 'recordings', label: 'Recordings', Panel: RecordingsPanel },
  { id: 'run', label: 'This run', Panel: RunFacts },
];
