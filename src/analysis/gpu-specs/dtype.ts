/** Number formats of tensors. `tf32` is FP32 in memory and a mode of the matrix units. */
export type DtypeId =
  | 'fp64'
  | 'fp32'
  | 'tf32'
  | 'bf16'
  | 'fp16'
  | 'fp8'
  | 'fp4'
  | 'int8'
  | 'int16'
  | 'int32'
  | 'int64'
  | 'bool'
  | 'complex64'
  | 'complex128';

/** A number format and the bytes of one element in memory. */
export interface Dtype {
  id: DtypeId;
  bytes: number;
}

const BYTES: Record<DtypeId, number> = {
  fp64: 8,
  fp32: 4,
  tf32: 4,
  bf16: 2,
  fp16: 2,
  fp8: 1,
  fp4: 0.5,
  int8: 1,
  int16: 2,
  int32: 4,
  int64: 8,
  bool: 1,
  complex64: 8,
  complex128: 16,
};

/**
 * Names by format, lower case: C++ types of `Input type` (`c10::BFloat16`, `long int`), scalar types of collectives
 * (`Float`, `Byte`), Python names (`torch.bfloat16`) and what people write (`bf16`). Unsigned types count as signed.
 */
const NAMES: Record<DtypeId, readonly string[]> = {
  fp64: ['double', 'float64', 'f64', 'fp64'],
  fp32: ['float', 'float32', 'f32', 'fp32', 'single'],
  tf32: ['tf32', 'tfloat32', 'tensorfloat32'],
  bf16: ['bfloat16', 'bf16'],
  fp16: ['half', 'float16', 'f16', 'fp16'],
  fp8: [
    'fp8',
    'float8',
    'float8_e4m3',
    'float8_e4m3fn',
    'float8_e4m3fnuz',
    'float8_e5m2',
    'float8_e5m2fnuz',
    'float8_e8m0fnu',
    'f8e4m3',
    'f8e5m2',
    'fp8_e4m3',
    'fp8_e5m2',
    'mxfp8',
  ],
  fp4: ['fp4', 'float4', 'float4_e2m1', 'nvfp4', 'mxfp4'],
  int8: ['int8', 'char', 'signed char', 'unsigned char', 'byte', 'uint8', 'i8', 'qint8', 'quint8'],
  int16: ['int16', 'short', 'short int', 'unsigned short', 'uint16', 'i16'],
  int32: ['int32', 'int', 'unsigned int', 'uint32', 'i32', 'qint32'],
  int64: ['int64', 'long', 'long int', 'long long', 'unsigned long', 'unsigned long long', 'uint64', 'i64'],
  bool: ['bool', 'boolean'],
  complex64: ['complex<float>', 'complexfloat', 'complex64', 'cfloat'],
  complex128: ['complex<double>', 'complexdouble', 'complex128', 'cdouble'],
};

const BY_NAME: ReadonlyMap<string, DtypeId> = new Map(
  (Object.keys(NAMES) as DtypeId[]).flatMap((id) => NAMES[id].map((name) => [name, id])),
);

/** Longest name that is looked at; real ones are shorter. */
const MAX_NAME_CHARS = 64;

/**
 * The format that a trace or a metadata file names, or null for what is no tensor format (`Scalar`, `TensorList`, unknown).
 * `Int`, `Double` and `Bool` in `Input type` are Python scalars: only entries with dimensions are tensors.
 */
export function parseDtype(name: string): Dtype | null {
  if (name.length > MAX_NAME_CHARS) return null;
  const bare = name
    .trim()
    .toLowerCase()
    .replace(/^(torch\.|c10::|at::|jnp\.|np\.|numpy\.)/, '')
    .replace(/[-_](mixed|true)$/, '');
  // Two FP4 values share a byte, and the byte is the element that dimensions count.
  if (bare === 'float4_e2m1fn_x2') return { id: 'fp4', bytes: 1 };
  const id = BY_NAME.get(bare);
  return id === undefined ? null : { id, bytes: BYTES[id] };
}
