import { analysisVariables, workerVariables } from '../../src/platform/config/limit-variables';
import { environmentFaults, type Role, roleOf } from './deployment-environment';
import { kustomizationOf, type Manifest, manifestFiles, manifestsOf, validate } from './kubernetes-manifests';

interface Probe {
  httpGet: { path: string; port: string };
}
interface Variable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef: { name: string; key: string } };
}
interface Container {
  name: string;
  image: string;
  command: string[];
  ports?: { name: string; containerPort: number }[];
  env: Variable[];
  envFrom?: { configMapRef: { name: string } }[];
  resources: { requests: { memory: string }; limits: { memory: string } };
  securityContext: unknown;
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
}
interface PodTemplate {
  metadata: { labels: Record<string, string>; annotations?: Record<string, string> };
  spec: { containers: Container[]; securityContext: unknown; terminationGracePeriodSeconds?: number };
}

const base = manifestsOf('base');
const production = manifestsOf('production');
const all = [...base, ...production];
const named = (manifests: Manifest[], kind: string, name: string) =>
  manifests.find((one) => one.kind === kind && one.metadata.name === name);

const workloads = base
  .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
  .map(({ metadata: { name }, spec }) => {
    const template = spec?.template as PodTemplate;
    const [container] = template.spec.containers;
    return { name, template, container, role: roleOf(container.command) };
  });
const workload = (role: Role) => {
  const found = workloads.find((one) => one.role === role);
  if (!found) throw new Error(`Nothing runs the ${role}.`);
  return found;
};

const secretSamples: Record<string, string> = {
  'database-url': 'postgresql://stallscope@db.example.test/stallscope',
  'redis-url': 'rediss://redis.example.test',
  's3-access-key-id': 'key',
  's3-secret-access-key': 'secret',
  'webhook-key': 'k'.repeat(64),
  'jwt-secret': 's'.repeat(64),
};

/** The environment of a container as the cluster makes it. */
function environmentOf({ env, envFrom = [] }: Container, configMaps: (Manifest | undefined)[]) {
  const values: Record<string, string> = {};
  for (const { configMapRef } of envFrom) {
    const maps = configMaps.filter((map) => map?.metadata.name === configMapRef.name);
    expect(maps.length).toBeGreaterThan(0);
    for (const map of maps) Object.assign(values, map?.data);
  }
  for (const { name, value, valueFrom } of env) {
    const given = valueFrom ? secretSamples[valueFrom.secretKeyRef.key] : value;
    expect([name, given]).toEqual([name, expect.any(String)]);
    values[name] = given ?? '';
  }
  return values;
}

describe('the manifests', () => {
  it.each(all.map((one) => [`${one.kind} ${one.metadata.name}`, one] as const))(
    'are what Kubernetes takes: %s',
    (_name, manifest) => expect(() => validate(manifest)).not.toThrow(),
  );

  it('would be refused otherwise', () => {
    const deployment = named(base, 'Deployment', 'stallscope-api')!;
    expect(() => validate({ ...deployment, spec: { ...deployment.spec, replicas: 'two' } })).toThrow();
    expect(() => validate({ ...deployment, spec: {} })).toThrow();
    expect(() => validate({ ...deployment, kind: 'Deploymint' })).toThrow('no Deploymint');
  });

  it.each(['base', 'production'])('of %s are all listed, and nothing else is', (folder) => {
    const { resources, patches = [] } = kustomizationOf(folder);
    const listed = [
      ...resources.filter((path) => !path.startsWith('../')),
      ...patches.map(({ path }) => path),
    ];
    expect(listed.filter((path) => path !== undefined).sort()).toEqual(manifestFiles(folder).sort());
  });

  it('hold no secret', () => {
    expect(all.map(({ kind }) => kind)).not.toContain('Secret');
    for (const { container } of workloads) {
      for (const { name, value } of container.env) {
        if (/SECRET|KEY|PASSWORD|_URL$/.test(name)) expect([name, value]).toEqual([name, undefined]);
      }
    }
  });
});

describe('the pods', () => {
  it.each(workloads)('of $name are given an environment that the product takes', ({ role, container }) => {
    const maps = [named(base, 'ConfigMap', 'stallscope')];
    expect(environmentFaults(role, environmentOf(container, maps))).toEqual([]);
    const patched = [...maps, named(production, 'ConfigMap', 'stallscope')];
    expect(environmentFaults(role, environmentOf(container, patched))).toEqual([]);
  });

  it('are told only the secrets that they need', () => {
    const keysOf = (role: Role) =>
      workload(role).container.env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []);
    expect(keysOf('api')).toContainEqual({ name: 'stallscope-api', key: 'jwt-secret' });
    expect(new Set(keysOf('worker').map(({ name }) => name))).toEqual(new Set(['stallscope']));
    expect(keysOf('migrate')).toEqual([{ name: 'stallscope-migrate', key: 'database-url' }]);
  });

  it.each(workloads)('of $name have no rights', ({ template, container }) => {
    expect(template.spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it('run one image, whose name and version the overlay sets', () => {
    const [image] = kustomizationOf('production').images ?? [];
    expect(new Set(workloads.map(({ container }) => container.image))).toEqual(new Set([image.name]));
    expect(image.newTag).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it('are asked for their health where they answer', () => {
    const api = workload('api').container;
    const worker = workload('worker').container;
    const portOf = ({ ports = [] }: Container, name: string) =>
      String(ports.find((port) => port.name === name)?.containerPort);
    const valueOf = ({ env }: Container, name: string) => env.find((one) => one.name === name)?.value;
    expect(portOf(api, 'http')).toBe(valueOf(api, 'PORT'));
    expect(portOf(api, 'metrics')).toBe(valueOf(api, 'METRICS_PORT'));
    expect(portOf(worker, 'metrics')).toBe(valueOf(worker, 'WORKER_METRICS_PORT'));
    for (const [container, port] of [
      [api, 'http'],
      [worker, 'metrics'],
    ] as const) {
      expect(container.startupProbe?.httpGet).toEqual({ path: '/health/live', port });
      expect(container.livenessProbe?.httpGet).toEqual({ path: '/health/live', port });
      expect(container.readinessProbe?.httpGet).toEqual({ path: '/health/ready', port });
    }
    for (const role of ['api', 'worker'] as const) {
      const { annotations } = workload(role).template.metadata;
      expect(annotations?.['prometheus.io/port']).toBe(portOf(workload(role).container, 'metrics'));
    }
  });

  it('are given the time to stop that the product takes', () => {
    const DRAIN_S = 15;
    const HAND_BACK_S = 10;
    const CHORES_S = 5;
    const api = workload('api');
    const delayS = Number(api.container.env.find(({ name }) => name === 'SHUTDOWN_DELAY_S')?.value);
    expect(delayS).toBeGreaterThan(0);
    expect(api.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(delayS + DRAIN_S + 5);
    const { terminationGracePeriodSeconds } = workload('worker').template.spec;
    expect(terminationGracePeriodSeconds).toBeGreaterThan(HAND_BACK_S + CHORES_S + 5);
  });

  it('of the worker have the memory of their analyses', () => {
    const { env, resources } = workload('worker').container;
    const given = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    const analysisMib = analysisVariables.ANALYSIS_MEMORY_MB.parse(given.ANALYSIS_MEMORY_MB);
    const concurrency = workerVariables.WORKER_CONCURRENCY.parse(given.WORKER_CONCURRENCY);
    const limitMib = Number(/^(\d+)Mi$/.exec(resources.limits.memory)?.[1]);
    expect(limitMib).toBeGreaterThanOrEqual(analysisMib * concurrency + 512);
  });
});

describe('what refers to pods', () => {
  const labelsOf = (role: Role) => workload(role).template.metadata.labels;

  it.each(['Service', 'PodDisruptionBudget', 'NetworkPolicy'])('%s selects pods that there are', (kind) => {
    for (const { spec, metadata } of base.filter((one) => one.kind === kind)) {
      const selector = (spec?.selector ?? spec?.podSelector) as Record<string, unknown>;
      const wanted = (selector.matchLabels ?? selector) as Record<string, string>;
      const selected = workloads.filter(({ template }) =>
        Object.entries(wanted).every(([name, value]) => template.metadata.labels[name] === value),
      );
      expect([metadata.name, selected.length]).toEqual([metadata.name, expect.any(Number)]);
      expect(selected.length).toBeGreaterThan(0);
    }
  });

  it('lets nobody in who is not named', () => {
    for (const role of ['api', 'worker', 'migrate'] as const) {
      const component = labelsOf(role)['app.kubernetes.io/component'];
      const policy = named(base, 'NetworkPolicy', `stallscope-${component}`);
      expect(policy?.spec?.policyTypes).toEqual(['Ingress']);
      for (const rule of (policy?.spec?.ingress ?? []) as { from?: unknown[]; ports?: unknown[] }[]) {
        expect(rule.from?.length).toBeGreaterThan(0);
        expect(rule.ports?.length).toBeGreaterThan(0);
      }
    }
  });

  it('scales what there is, and nothing that says itself how many there are', () => {
    for (const kind of ['HorizontalPodAutoscaler', 'ScaledObject']) {
      const [scaler] = production.filter((one) => one.kind === kind);
      const { name } = scaler.spec?.scaleTargetRef as { name: string };
      expect(named(base, 'Deployment', name)).toBeDefined();
    }
    const removal = kustomizationOf('production').patches?.find(({ patch }) =>
      patch?.includes('/spec/replicas'),
    );
    expect(removal?.patch).toContain('op: remove');
  });

  it('sends clients to the service, never to the metrics', () => {
    const service = named(base, 'Service', 'stallscope-api');
    expect(service?.spec?.ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }]);
  });
});
