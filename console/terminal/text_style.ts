/** How a piece of output looks (ECMA-48, section 8.3.117, "SGR"). */
export interface TextStyle {
  /** One of the 16 colors by number, or `#rrggbb`. */
  readonly color?: number | string;
  /** The same, of the background. */
  readonly background?: number | string;
  readonly bold?: true;
  readonly dim?: true;
  readonly italic?: true;
  readonly underline?: true;
  readonly inverse?: true;
  readonly strike?: true;
}

/** Text without any style. */
export const PLAIN: TextStyle = Object.freeze({});

type Flag = "bold" | "dim" | "italic" | "underline" | "inverse" | "strike";

const ON: Readonly<Record<number, Flag>> = {
  1: "bold",
  2: "dim",
  3: "italic",
  4: "underline",
  7: "inverse",
  9: "strike",
};

const OFF: Readonly<Record<number, readonly (keyof TextStyle)[]>> = {
  22: ["bold", "dim"],
  23: ["italic"],
  24: ["underline"],
  27: ["inverse"],
  29: ["strike"],
  39: ["color"],
  49: ["background"],
};

/**
 * Applies the parameters of one SGR sequence, such as `1;31`. What is unknown changes nothing; text
 * can't be concealed.
 */
export function applySgr(style: TextStyle, parameters: string): TextStyle {
  const codes = parameters.replaceAll(":", ";").split(";").map(Number);
  let next = style;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const { value, length } = extendedColor(codes.slice(at + 1));
      at += length;
      if (value !== undefined) next = { ...next, [code === 38 ? "color" : "background"]: value };
    } else {
      next = applyCode(next, code);
    }
  }
  return next;
}

function applyCode(style: TextStyle, code: number): TextStyle {
  if (code === 0) return PLAIN;
  const flag = ON[code];
  if (flag !== undefined) return { ...style, [flag]: true };
  const ended = OFF[code];
  if (ended !== undefined) return without(style, ended);
  if (code >= 30 && code <= 37) return { ...style, color: code - 30 };
  if (code >= 90 && code <= 97) return { ...style, color: code - 82 };
  if (code >= 40 && code <= 47) return { ...style, background: code - 40 };
  if (code >= 100 && code <= 107) return { ...style, background: code - 92 };
  return style;
}

function without(style: TextStyle, keys: readonly (keyof TextStyle)[]): TextStyle {
  return Object.fromEntries(
    Object.entries(style).filter(([key]) => !keys.some((ended) => ended === key)),
  );
}

/** Reads `5;n` (256 colors) or `2;r;g;b`, and how many codes it takes. */
function extendedColor(
  codes: readonly number[],
): { readonly value?: number | string; readonly length: number } {
  const [kind, ...values] = codes;
  if (kind === 5) {
    const [index] = values;
    return isByte(index) ? { value: indexedColor(index), length: 2 } : { length: 2 };
  }
  if (kind !== 2) return { length: 0 };
  const rgb = values.slice(0, 3).filter(isByte);
  return rgb.length === 3 ? { value: toHex(rgb), length: 4 } : { length: 4 };
}

function isByte(value: number | undefined): value is number {
  return value !== undefined && Number.isInteger(value) && value >= 0 && value <= 255;
}

/** The 16 colors of the theme, then a cube of 6 × 6 × 6 colors, then 24 grays. */
function indexedColor(index: number): number | string {
  if (index < 16) return index;
  if (index >= 232) return toHex(Array<number>(3).fill(8 + 10 * (index - 232)));
  const cube = index - 16;
  const levels = [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6];
  return toHex(levels.map((level) => level === 0 ? 0 : 55 + 40 * level));
}

function toHex(rgb: readonly number[]): string {
  return `#${rgb.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}
