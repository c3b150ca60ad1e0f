/** Import rules of ARCHITECTURE.md. Every rule is an error: a violation fails CI. */
const analysisLayers = [
  'units',
  'timeline',
  'gpu-specs',
  'formats',
  'evidence',
  'attribution',
  'roofline',
  'what-if',
  'estimates',
  'metrics',
  'advice',
  'rules',
  'trends',
];

/** A layer may import itself and the layers before it in `analysisLayers`; gpu-specs and formats are peers. */
const layerRules = analysisLayers.slice(0, -1).map((layer, i) => ({
  name: `analysis-layer-${layer}`,
  comment: `analysis/${layer} must not import a layer above it.`,
  severity: 'error',
  from: { path: `^src/analysis/${layer}/`, pathNot: '[.]test[.]ts$' },
  to: { path: `^src/analysis/(${analysisLayers.slice(i + 1).join('|')})/` },
}));

/** A rule that stops anything in `from` from importing `to`. */
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });
const notTest = '[.]test[.]ts$';

module.exports = {
  forbidden: [
    forbid(
      'no-cycles',
      'A cycle means two things are one, or something is in the wrong place.',
      {},
      { circular: true },
    ),
    forbid(
      'analysis-is-pure',
      'The core takes bytes and returns records: no framework, database, queue, file system, network or clock.',
      { path: '^src/analysis/', pathNot: notTest },
      {
        path: [
          '^node_modules/(?!zod/)',
          '^(node:)?(fs|net|http|https|child_process|worker_threads|os|path|process|timers|crypto|zlib|stream)(/|$)',
          '^src/(?!analysis/)',
          '^(workers|infra|test|web)/',
        ],
      },
    ),
    forbid(
      'analysis-only-door',
      'Everyone else enters the analysis core through src/analysis/index.ts.',
      { path: '^(src/(?!analysis/)|workers/|infra/)', pathNot: notTest },
      { path: '^src/analysis/', pathNot: '^src/analysis/index[.]ts$' },
    ),
    ...layerRules,
    forbid(
      'gpu-specs-formats-are-peers',
      'Formats do not know GPUs.',
      { path: '^src/analysis/formats/' },
      { path: '^src/analysis/gpu-specs/' },
    ),
    forbid(
      'formats-never-import-formats',
      'A format is one folder; what two formats need belongs in timeline or units.',
      { path: '^src/analysis/formats/([^/]+)/.+' },
      { path: '^src/analysis/formats/([^/]+)/.+', pathNot: '^src/analysis/formats/$1/' },
    ),
    forbid(
      'rules-never-import-rules',
      'A rule is one file.',
      { path: '^src/analysis/rules/(?!index|define-rule)([^/]+)[.]ts$', pathNot: notTest },
      { path: '^src/analysis/rules/(?!define-rule)[^/]+[.]ts$' },
    ),
    forbid(
      'platform-knows-no-module',
      'Adapters do not know capabilities.',
      { path: '^src/platform/' },
      { path: '^(src/(modules|cli|analysis)|workers|infra)/' },
    ),
    forbid(
      'modules-by-index',
      'A module is entered by its index.ts.',
      { path: '^(src/modules/([^/]+)/|src/cli/|src/[^/]+[.]ts$|workers/)', pathNot: notTest },
      { path: '^src/modules/([^/]+)/', pathNot: ['^src/modules/$2/', '^src/modules/[^/]+/index[.]ts$'] },
    ),
    forbid(
      'presentation-only-words',
      'Words need the analysis and nothing else.',
      { path: '^src/presentation/', pathNot: notTest },
      { path: '^(src/(?!presentation/|analysis/index[.]ts$)|workers|infra)/' },
    ),
    forbid(
      'web-knows-the-api-and-words',
      'Pages use the public API, and the words that the command line uses too.',
      { path: '^web/' },
      { path: '^(src/(?!presentation/)|workers/|infra/)' },
    ),
    forbid(
      'nothing-imports-web',
      'It is served as files.',
      { path: '^(src|workers|infra)/' },
      { path: '^web/' },
    ),
    forbid(
      'nothing-imports-workers',
      'Workers are an entry point.',
      { path: '^(src|infra)/' },
      { path: '^workers/' },
    ),
    forbid(
      'product-knows-no-local-stack',
      'infra/local starts the product; the product does not know it.',
      { path: '^(src|workers)/' },
      { path: '^infra/' },
    ),
    forbid(
      'only-repositories-reach-the-database',
      'Only *.repository.ts (and the database adapter) use Prisma.',
      { path: '^(src/modules|workers|src/cli)/', pathNot: ['[.]repository[.]ts$', notTest] },
      { path: '(^src/platform/database/generated/|^node_modules/(@prisma|pg)/)' },
    ),
    forbid(
      'no-dev-dependencies-in-product',
      'Shipped code uses shipped packages.',
      { path: '^(src|workers)/', pathNot: notTest },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'resolvable',
      'An import must resolve.',
      { path: '^(src|workers|infra|test)/' },
      { couldNotResolve: true },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|coverage)/|^src/platform/database/generated/internal' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['require', 'node', 'default'] },
  },
};
