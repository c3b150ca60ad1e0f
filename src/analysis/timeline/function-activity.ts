/** What a function of the host may be about. */
export const HOST_ACTIVITIES = [
  'tokenisation',
  'image-decoding',
  'audio-decoding',
  'collate',
  'logging',
  'checkpointing',
  'garbage-collection',
  'device-wait',
  'data-loading',
  'inter-process',
  'framework',
  'user-code',
] as const;
export type HostActivityKind = (typeof HOST_ACTIVITIES)[number];

/** Fits no text. */
const NOTHING = /(?!)/;

/**
 * Patterns on the name of a function and on its file, asked in this order: the first that fits decides. One line per
 * activity; `framework` is also what the standard library comes to.
 */
const ACTIVITIES: readonly (readonly [HostActivityKind, name: RegExp, file: RegExp])[] = [
  [
    'tokenisation',
    /tokeni[sz]|(^|_)bpe|encode_batch|batch_encode|encode_plus/i,
    /tokeni[sz]|sentencepiece|tiktoken|(^|\/)bpe/i,
  ],
  [
    'image-decoding',
    /imread|imdecode|decode_(jpe?g|png|image)/i,
    /(^|\/)(PIL|torchvision\/(io|transforms|datasets)|cv2|albumentations|kornia|imageio|skimage|decord|turbojpeg|nvidia\/dali)\b/,
  ],
  [
    'audio-decoding',
    /melspec|resample_(waveform|audio)/i,
    /(^|\/)(torchaudio|librosa|soundfile|audioread)\b/,
  ],
  ['collate', /collat|pad_sequence|pad_batch/i, /collat/i],
  [
    'logging',
    /^(print|log_metrics|add_scalars?|add_histogram)$|built-in function print>/,
    /(^|\/)(logging\/|wandb\/|tensorboard\w*\/|torch\/utils\/tensorboard|mlflow\/|tqdm\/|loguru\/|rich\/|comet_ml\/|neptune\/)/,
  ],
  [
    'checkpointing',
    /save_(checkpoint|pretrained|model|state)|_save_checkpoint/i,
    /(^|\/)(torch\/serialization|torch\/distributed\/checkpoint\/|safetensors\/)/,
  ],
  ['garbage-collection', /^(gc[._])?collect_garbage$|built-in function collect>/, /^gc$/],
  [
    'device-wait',
    /^synchronize$|built-in (method|function) (item|tolist|cpu|nonzero|synchronize|_cuda_synchronize)\b/,
    NOTHING,
  ],
  [
    'data-loading',
    /^(__getitem__|__getitems__|_next_data|_try_get_data|_get_data|read_parquet|read_csv)$/,
    /(^|\/)(torch\/utils\/data\/|datasets\/|webdataset\/|torchdata\/|streaming\/|pyarrow\/|pandas\/|h5py\/|lmdb\/|zarr\/|numpy\/lib\/\w*(npyio|format|memmap))/,
  ],
  [
    'inter-process',
    NOTHING,
    /(^|\/)(multiprocessing\/|torch\/multiprocessing\/|pickle\.py|concurrent\/futures\/|socket\.py)/,
  ],
  [
    'framework',
    /^<(built-in|frozen)|^(_bootstrap(_inner)?|_run_code|_run_module_code)$/,
    /(^|\/)(torch\/|accelerate\/|lightning\w*\/|pytorch_lightning\/|transformers\/|deepspeed\/|megatron\/|numpy\/|einops\/|triton\/|threading\.py|queue\.py|selectors\.py|runpy\.py|contextlib\.py|functools\.py|abc\.py|typing\.py|copy\.py|enum\.py|<frozen |importlib\/)/,
  ],
];

/** Where packages are installed: what stands before it says nothing about the function. */
const INSTALLATION = /^.*\/(site-packages|dist-packages|lib\/python[\d.]+)\//;

/** What a function is about, by its name and the file that it is in. Pure; what no pattern fits is user code. */
export function activityOf(name: string, file: string): HostActivityKind {
  const path = file.replace(/\\/g, '/').replace(INSTALLATION, '');
  return ACTIVITIES.find(([, names, files]) => names.test(name) || files.test(path))?.[0] ?? 'user-code';
}
