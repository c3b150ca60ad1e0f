import { parseDtype } from './dtype';

describe('parseDtype', () => {
  it.each([
    // `Input type` of operators.
    ['float', 'fp32', 4],
    ['double', 'fp64', 8],
    ['c10::BFloat16', 'bf16', 2],
    ['c10::Half', 'fp16', 2],
    ['c10::Float8_e4m3fn', 'fp8', 1],
    ['c10::Float8_e4m3fnuz', 'fp8', 1],
    ['c10::Float8_e5m2', 'fp8', 1],
    ['c10::Float4_e2m1fn_x2', 'fp4', 1],
    ['long int', 'int64', 8],
    ['long', 'int64', 8],
    ['int', 'int32', 4],
    ['unsigned int', 'int32', 4],
    ['short int', 'int16', 2],
    ['unsigned char', 'int8', 1],
    ['signed char', 'int8', 1],
    ['bool', 'bool', 1],
    ['c10::complex<float>', 'complex64', 8],
    // `dtype` of collectives.
    ['Float', 'fp32', 4],
    ['BFloat16', 'bf16', 2],
    ['bfloat16', 'bf16', 2],
    ['Byte', 'int8', 1],
    ['Long', 'int64', 8],
    ['Half', 'fp16', 2],
    ['float32', 'fp32', 4],
    // Metadata files and people.
    ['torch.bfloat16', 'bf16', 2],
    ['bf16-mixed', 'bf16', 2],
    ['tf32', 'tf32', 4],
    ['FP8', 'fp8', 1],
    ['nvfp4', 'fp4', 0.5],
    [' fp16 ', 'fp16', 2],
  ])('%s', (name, id, bytes) => {
    expect(parseDtype(name)).toEqual({ id, bytes });
  });

  it.each([
    '',
    'Scalar',
    'ScalarList',
    'TensorList',
    'GenericList',
    'constructor',
    '__proto__',
    'bf17',
    'f'.repeat(100),
  ])('is null for %s', (name) => {
    expect(parseDtype(name)).toBeNull();
  });
});
