import { Draw } from "../../testing/properties/draw.ts";

/** Numbers on a tape: more than any query takes. */
const LENGTH = 10_000;

/** Creates draws that are the same each time for a seed. */
export function seededDraw(seed: number): Draw {
  let state = seed >>> 0;
  return new Draw(Uint32Array.from({ length: LENGTH }, () => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }));
}
