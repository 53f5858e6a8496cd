/** One thing that is wrong with the arguments of a call. */
export interface Issue {
  /** Keys and positions that lead to the value. */
  readonly path: readonly (string | number)[];
  /** What is wrong with it. */
  readonly message: string;
}

/** Typed arguments, or what is wrong with them. */
export type Validation =
  | { readonly ok: true; readonly value: unknown }
  | {
    readonly ok: false;
    /** At most 100 of the issues. */
    readonly issues: readonly Issue[];
    /** How many more issues there are. @default {0} */
    readonly more?: number;
  };
