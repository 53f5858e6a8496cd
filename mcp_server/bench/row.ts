/** One row of the table that the benchmark prints. */
export interface Row {
  readonly what: string;
  readonly value: string;
  readonly ratio?: number;
  readonly target?: string;
}
