/** Compiles only if both types are identical; `unknown` and `any` are not. */
export type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2)
  ? true
  : never;

/** Compiles only if a type is the expected one. */
export function prove<_Proof extends true>(): void {}
