import { parseDtype } from '../gpu-specs/dtype';
import { isFp32CoreGemm, isTensorCoreKernel } from '../timeline/kernel-class';
import { type ElementType } from './op-inputs';

/** Copies that move opaque elements name their size only. */
const OPAQUE = /OpaqueType<(\d{1,2})u?>/;
/** The first template argument of the functor of a foreach or fused optimizer kernel. */
const FUNCTOR = /Functor<(float|double|c10::Half|c10::BFloat16)\b/;

/** Type of the elements that a kernel over a list of tensors works on, by its name; null when the name does not tell. */
export function elementTypeOf(kernelName: string): ElementType | null {
  const opaque = OPAQUE.exec(kernelName);
  if (opaque) return { dtype: null, bytes: Number(opaque[1]) };
  const functor = FUNCTOR.exec(kernelName);
  const dtype = functor && parseDtype(functor[1]);
  return dtype && { dtype: dtype.id, bytes: dtype.bytes };
}

/** Tensile (AMD) names the arithmetic: `S_MX_B` is XF32, and matrix units take full FP32 as well. */
const TENSILE = /^Cijk_/;
const TENSILE_XF32 = /_S_MX_/;

/** Whether a matrix kernel with 32-bit operands rounds them to TF32. Kernels of unknown name count as full precision. */
export function usesTf32(kernelName: string): boolean {
  if (TENSILE.test(kernelName)) return TENSILE_XF32.test(kernelName);
  return !isFp32CoreGemm(kernelName) && isTensorCoreKernel(kernelName);
}
